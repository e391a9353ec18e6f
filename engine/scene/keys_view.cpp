// How pictures show a scene.
#include <fmt/format.h>

#include "engine/scene/keys.h"

namespace meniscus {

namespace {

constexpr Range kAngle{1, 170};

const Table<CameraDef>& cameraTable() {
  using C = CameraDef;
  static const Table<C> table = [] {
    Table<C> t("camera", "Where the scene is seen from, at a time.");
    t.number("time", &C::time, "s", kNotNegative, "When.")
        .vector("eye", &C::eye, "m", kAny, "Where the camera is.", required)
        .vector("target", &C::target, "m", kAny, "What is in the middle of the picture.", required)
        .number("field_of_view", &C::fieldOfView, "degrees", kAngle, "From the lower to the upper edge of the picture.")
        .check([](Reader& r, const JsonNode& n, C& c) {
          if (c.eye == c.target) r.error(n, "\"eye\" and \"target\" are the same point; there is no direction to look in");
        });
    return t;
  }();
  return table;
}

const std::vector<std::string> kAxes = {"x", "y", "z"};

const Table<SliceDef>& sliceTable() {
  static const Table<SliceDef> table = [] {
    Table<SliceDef> t("slice", "A plane of the grid of a grid method.");
    t.add(
         "axis", required, choiceSchema(kAxes, "The axis that it is across."),
         [](Reader& r, const JsonNode& n, SliceDef& s) { readChoice(r, n, "axis", kAxes, s.axis); },
         [](const SliceDef& s) { return Json(kAxes[std::size_t(s.axis)]); })
        .number("position", &SliceDef::position, "m", kAny, "Its coordinate along that axis.", required);
    return t;
  }();
  return table;
}

}  // namespace

const Table<ViewDef>& viewTable() {
  using V = ViewDef;
  static const Table<V> table = [] {
    Table<V> t("view", "How pictures and films show the scene. Without a camera it is seen whole, from the front and above.");
    t.adoptChild(sliceTable().schema());
    t.list("camera", &V::camera, cameraTable(), "A path: each is passed at its time. One: it stands still.")
        .choice("fluid", &V::fluid, {"surface", "spheres", "hidden"}, "How the fluid is drawn.")
        .choice("colour", &V::colour, {"none", "speed", "pressure", "density_error", "vorticity", "deficiency", "smoke"},
                "What colours the fluid, or a slice of it. \"none\": as water; a slice by its smoke.")
        .add(
            "range", optional,
            {{"type", "array"},
             {"items", {{"type", "number"}}},
             {"minItems", 2},
             {"maxItems", 2},
             {"description", "Of colours, in the unit of the quantity: low and high. Without it, that of the values."}},
            [](Reader& r, const JsonNode& n, V& v) {
              double range[2];
              if (!readVector(r, n, "range", "the quantity's unit", kAny, range, 2)) return;
              if (!(range[0] < range[1])) return r.error(n, fmt::format("\"range\" goes from {:g} to {:g}", range[0], range[1]));
              v.range = {range[0], range[1]};
            },
            [](const V& v) { return v.range.empty() ? Json() : Json(v.range); })
        .flag("stretch", &V::stretch, "Deformable solids are coloured by their stretch.")
        .flag("sky", &V::sky, "A sky is around the scene, and not a studio.")
        .flag("dark", &V::dark, "The studio is dark.")
        .flag("shadows", &V::shadows, "Things throw shadows.")
        .flag("tank", &V::tank, "The domain's walls are shown.")
        .number("sheet_opacity", &V::sheetOpacity, "", {0, 1}, "Of cloth and inflatables.")
        .add(
            "slice", optional,
            {{"$ref", "#/definitions/slice"},
             {"description",
              "Grid methods: a plane of the grid is shown in the colours of \"colour\". In two dimensions it always "
              "is, as there is only one."}},
            [](Reader& r, const JsonNode& n, V& v) { sliceTable().read(r, n, v.slice); },
            [](const V& v) { return v.slice.axis < 0 ? Json() : sliceTable().write(v.slice); })
        .check([](Reader& r, const JsonNode& n, V& v) {
          for (std::size_t k = 1; k < v.camera.size(); ++k)
            if (!(v.camera[k - 1].time < v.camera[k].time))
              r.error(n, fmt::format("the cameras must follow each other in time: {:g} s comes after {:g} s", v.camera[k].time,
                                     v.camera[k - 1].time));
        });
    return t;
  }();
  return table;
}

}  // namespace meniscus
