// Shapes: {"sphere": {"radius": 0.1}}, the kind as the key. Each kind's local frame is said in its description.
#include <filesystem>

#include "engine/scene/keys.h"

namespace meniscus {

namespace {

using Shape = Table<ShapeDef>;
namespace fs = std::filesystem;

Shape& surfaceKeys(Shape& t) {
  return t
      .number("resolution", &ShapeDef::resolution, "m", kNotNegative,
              "Edge length of the triangles it is made into. 0: two particle spacings for deformable solids; the exact shape for "
              "others; a mesh file as it is. A finer mesh file is made coarser.")
      .flag("container", &ShapeDef::container, "The fluid is inside: the surface acts inwards.");
}

const Shape& boxTable() {
  static const Shape table = [] {
    Shape t("box", "A box, centred at the local origin unless min and max say otherwise.");
    t.vector("size", &ShapeDef::size, "m", kPositive, "Full edge lengths.");
    const auto noWrite = [](const ShapeDef&) { return Json(); };
    const auto corner = [](const char* key) {
      return [key](Reader& r, const JsonNode& n, ShapeDef&) {
        double v[3];
        readVector(r, n, key, "m", kAny, v, 3);
      };
    };
    t.add("min", optional, vectorSchema("m", kAny, 3, "Lower corner, instead of size and with max."), corner("min"), noWrite);
    t.add("max", optional, vectorSchema("m", kAny, 3, "Upper corner, instead of size and with min."), corner("max"), noWrite);
    surfaceKeys(t).check([](Reader& r, const JsonNode& n, ShapeDef& s) {
      const JsonMember *lo = n.find("min"), *hi = n.find("max"), *size = n.find("size");
      if (size ? (lo || hi) : !(lo && hi)) {
        r.error(n, "box needs \"size\", or \"min\" and \"max\"");
        return;
      }
      if (size) return;
      Diagnostics ignored;  // said when the corners were read
      Reader silent{r.file, r.folder, ignored};
      double a[3], b[3];
      if (!readVector(silent, lo->value, "min", "m", kAny, a, 3) || !readVector(silent, hi->value, "max", "m", kAny, b, 3)) return;
      for (int k = 0; k < 3; ++k) {
        if (!(a[k] < b[k]))
          r.error(hi->value, fmt::format("box has max[{0}] = {1:g} m, not above min[{0}] = {2:g} m", k, b[k], a[k]));
        s.size[k] = b[k] - a[k];
      }
    });
    return t;
  }();
  return table;
}

const Shape& planeTable() {
  static const Shape table = [] {
    Shape t("plane", "A half-space bounded by the plane through the local origin.");
    t.vector("normal", &ShapeDef::normal, "", kAny, "Towards the free side; any length but zero.")
        .check([](Reader& r, const JsonNode& n, ShapeDef& s) {
          if (norm(s.normal) < 1e-12) r.error(n, "plane has a normal of length zero; give a direction");
        });
    return t;
  }();
  return table;
}

const Shape& sphereTable() {
  static const Shape table = [] {
    Shape t("sphere", "A sphere about the local origin.");
    t.number("radius", &ShapeDef::radius, "m", kPositive, "Radius.", required)
        .number(
            "mouth", &ShapeDef::mouth, "m", kNotNegative,
            "Radius of a round hole about local -z, without which the sphere is closed: of cloth, and of inflatables on a grid.")
        .check([](Reader& r, const JsonNode& n, ShapeDef& s) {
          if (r.spoilt(n, "radius") || r.spoilt(n, "mouth") || s.mouth < s.radius) return;
          r.error(n, fmt::format("the mouth of {:g} m is not smaller than the radius of {:g} m", s.mouth, s.radius));
        });
    surfaceKeys(t);
    return t;
  }();
  return table;
}

const Shape& roundTable(bool capsule) {
  const auto make = [](const char* name, const char* help, const char* heightHelp) {
    Shape t(name, help);
    surfaceKeys(t.number("radius", &ShapeDef::radius, "m", kPositive, "Radius.", required)
                    .number("height", &ShapeDef::height, "m", kPositive, heightHelp, required));
    return t;
  };
  static const Shape cylinder = make("cylinder", "A cylinder about the local z axis, centred at the origin.", "From face to face.");
  static const Shape caps =
      make("capsule", "A cylinder about the local z axis with half spheres on its ends, centred at the origin.",
           "Between the centres of the half spheres.");
  return capsule ? caps : cylinder;
}

const Shape& meshTable() {
  static const Shape table = [] {
    Shape t(
        "mesh",
        "A triangle mesh (OBJ, PLY, STL, OFF) or, for soft solids, a tetrahedral mesh (MSH 2 and 4, VTK, TetGen .node with .ele).");
    t.add(
         "file", required, simpleSchema("string", "Path, relative to the scene file's folder."),
         [](Reader& r, const JsonNode& n, ShapeDef& s) {
           std::string path;
           if (!readText(r, n, "file", path)) return;
           s.file = (fs::path(r.folder) / path).lexically_normal().string();
           if (r.meshesInHand) return;
           std::error_code ignored;
           if (!path.empty() && fs::is_directory(s.file, ignored))
             r.error(n, fmt::format("{} is a folder; give a mesh file", s.file));
           else if (path.empty() || !fs::exists(s.file, ignored))
             r.error(n, fmt::format("the mesh file {} does not exist; paths are relative to the scene file",
                                    path.empty() ? "\"\"" : s.file));
           else if (!fs::is_regular_file(s.file, ignored))
             r.error(n, fmt::format("{} is no regular file (a device or pipe); give a mesh file", s.file));
         },
         [](const ShapeDef& s) { return Json(s.file); })
        .flag(
            "open", &ShapeDef::openMesh,
            "Of static and kinematic solids: an open, two-sided sheet is intended; without it a mesh with holes is refused. Cloth "
            "may be open or closed.");
    surfaceKeys(t);
    return t;
  }();
  return table;
}

const Shape& sheetTable() {
  static const Shape table = [] {
    Shape t("sheet", "A flat rectangle in the local xy plane, centred at the origin.");
    surfaceKeys(t.vector("size", &ShapeDef::size, "m", kPositive, "Edge lengths along local x and y.", required, 2));
    return t;
  }();
  return table;
}

void addKind(Shape& t, const char* key, ShapeKind kind, const Shape& keys, const char* help) {
  t.part(
      key, keys, [kind](ShapeDef& s) { s.kind = kind; }, [kind](const ShapeDef& s) { return s.kind == kind && s.inside.empty(); },
      help);
}

void addVolumes(Shape& t) {
  addKind(t, "box", ShapeKind::box, boxTable(), "A box.");
  addKind(t, "sphere", ShapeKind::sphere, sphereTable(), "A sphere.");
  addKind(t, "cylinder", ShapeKind::cylinder, roundTable(false), "A cylinder.");
  addKind(t, "capsule", ShapeKind::capsule, roundTable(true), "A capsule.");
  addKind(t, "mesh", ShapeKind::mesh, meshTable(), "A mesh file.");
}

}  // namespace

const Shape& solidShapeTable() {
  static const Shape table = [] {
    Shape t("shape", "The shape of a solid: one key, its kind.");
    addVolumes(t);
    addKind(t, "plane", ShapeKind::plane, planeTable(), "A half-space; static and kinematic solids.");
    addKind(t, "sheet", ShapeKind::sheet, sheetTable(), "A flat rectangle; cloth, static and kinematic solids.");
    t.exactlyOne({"box", "sphere", "cylinder", "capsule", "mesh", "plane", "sheet"}).where(&ShapeDef::where);
    return t;
  }();
  return table;
}

const Shape& fluidShapeTable() {
  static const Shape table = [] {
    Shape t("volume", "A space that is filled with fluid: one key, its kind, and its place.");
    addVolumes(t);
    t.text("inside", &ShapeDef::inside, "The space inside the closed solid of this name, whatever its shape.");
    t.exactlyOne({"box", "sphere", "cylinder", "capsule", "mesh", "inside"}).where(&ShapeDef::where);
    return t;
  }();
  return table;
}

Vec3d boxCenter(const JsonNode* shape) {
  const JsonMember* box = shape ? shape->find("box") : nullptr;
  const JsonMember *lo = box ? box->value.find("min") : nullptr, *hi = box ? box->value.find("max") : nullptr;
  if (!lo || !hi || box->value.find("size")) return {};
  Diagnostics ignored;  // said when the shape was read
  Reader silent{"", "", ignored};
  double a[3], b[3];
  if (!readVector(silent, lo->value, "min", "m", kAny, a, 3) || !readVector(silent, hi->value, "max", "m", kAny, b, 3)) return {};
  return {(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2};
}

const Table<KeyFrame>& keyFrameTable() {
  static const Table<KeyFrame> table = [] {
    Table<KeyFrame> t(
        "key_frame",
        "Where a moving thing is at a time; linear in between, the last one holds on. The angle of a rotation is, too, "
        "where two that follow each other have one axis: from 0 to 720 degrees it turns twice. Between others, and "
        "quaternions, it goes the shorter way round.");
    t.number("time", &KeyFrame::time, "s", kNotNegative, "When.", required)
        .vector("displacement", &KeyFrame::translate, "m", kAny, "From where it starts.")
        .rotation("rotation", &KeyFrame::rotate, "Turn from how it starts, about its local origin.");
    return t;
  }();
  return table;
}

}  // namespace meniscus
