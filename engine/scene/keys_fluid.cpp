// Fluids, emitters and drains.
#include "engine/scene/keys.h"

namespace meniscus {

namespace {

struct PlacedShape {
  ShapeDef shape;
  Transform transform;
};

// A volume to fill: the kind's key beside position, rotation and scale.
const Table<PlacedShape>& placedShapeTable() {
  static const Table<PlacedShape> table = [] {
    const Table<ShapeDef>& shapes = fluidShapeTable();
    Table<PlacedShape> t("volume", shapes.schema().help.c_str());
    std::vector<std::string> kinds;
    for (const ObjectSchema::Key& k : shapes.schema().keys) {
      const std::string key = k.name;
      kinds.push_back(key);
      t.add(
          key.c_str(), optional, k.schema,
          [&shapes, key](Reader& r, const JsonNode& n, PlacedShape& s) { shapes.readKey(key, r, n, s.shape); },
          [&shapes, key](const PlacedShape& s) { return shapes.writeKey(key, s.shape); });
    }
    t.adoptChildren(shapes.schema());
    addPlace(t, &PlacedShape::transform, true);
    t.exactlyOne(kinds).check([](Reader& r, const JsonNode& n, PlacedShape& s) {
      s.shape.where = n.where();
      if (n.find("inside") && (n.find("position") || n.find("rotation") || n.find("scale")))
        r.error(n, "a volume given by \"inside\" is where the solid is; remove position, rotation and scale");
      if (s.shape.mouth > 0) r.error(n, "\"mouth\" is for the skins of solids; remove it");
      s.transform.translate += s.transform.rotate.rotate([&] {
        const Vec3d c = boxCenter(&n), k = s.transform.scale;
        return Vec3d{c.x * k.x, c.y * k.y, c.z * k.z};
      }());
    });
    return t;
  }();
  return table;
}

}  // namespace

const Table<ScheduleSpan>& scheduleTable() {
  static const Table<ScheduleSpan> table = [] {
    Table<ScheduleSpan> t("span", "A time during which an opening works.");
    t.number("begin", &ScheduleSpan::begin, "s", kNotNegative, "From.")
        .number("end", &ScheduleSpan::end, "s", kNotNegative, "To; without it, for ever.")
        .check([](Reader& r, const JsonNode& n, ScheduleSpan& s) {
          if (r.spoilt(n, "begin") || r.spoilt(n, "end")) return;
          if (!(s.begin < s.end)) r.error(n, fmt::format("the span ends at {:g} s, not after its begin at {:g} s", s.end, s.begin));
        });
    return t;
  }();
  return table;
}

namespace {

struct Opening {
  double radius = 0;
  Vec3d size{};
};

const Table<Opening>& discTable() {
  static const Table<Opening> table = [] {
    Table<Opening> t("disc", "A disc in the local xy plane about the origin.");
    t.number("radius", &Opening::radius, "m", kPositive, "Radius.", required);
    return t;
  }();
  return table;
}

const Table<Opening>& rectangleTable() {
  static const Table<Opening> table = [] {
    Table<Opening> t("rectangle", "A rectangle in the local xy plane, centred at the origin.");
    t.vector("size", &Opening::size, "m", kPositive, "Edge lengths along local x and y.", required, 2);
    return t;
  }();
  return table;
}

template <class S>
void addOpening(Table<S>& t) {
  const auto addForm = [&t](const char* key, OpeningKind kind, const Table<Opening>& form) {
    t.adoptChild(form.schema());
    t.add(
        key, optional, {{"$ref", "#/definitions/" + form.schema().name}},
        [kind, &form](Reader& r, const JsonNode& n, S& s) {
          Opening o;
          form.read(r, n, o);
          s.kind = kind;
          s.radius = o.radius;
          s.size = o.size;
        },
        [kind, &form](const S& s) {
          return s.kind == kind ? form.write({s.radius, s.size}) : Json();
        });
  };
  addForm("disc", OpeningKind::disc, discTable());
  addForm("rectangle", OpeningKind::rectangle, rectangleTable());
  t.exactlyOne({"disc", "rectangle"});
  addPlace(t, &S::transform, false);
  t.add(
      "direction", optional, vectorSchema("", kAny, 3, "Where local +z points, instead of rotation; any length but zero."),
      [](Reader& r, const JsonNode& n, S& s) {
        double v[3];
        if (!readVector(r, n, "direction", "", kAny, v, 3)) return;
        const Vec3d d = normalized(Vec3d{v[0], v[1], v[2]}), axis = cross(Vec3d{0, 0, 1}, d);
        if (norm(d) == 0)
          r.error(n, "\"direction\" has length zero");
        else if (norm(axis) < 1e-12)
          s.transform.rotate = d.z > 0 ? Quatd{} : Quatd{0, 1, 0, 0};
        else
          s.transform.rotate = Quatd::axisAngle(axis, std::acos(d.z < -1 ? -1 : (d.z > 1 ? 1 : d.z)));
      },
      [](const S&) { return Json(); });
  t.check([](Reader& r, const JsonNode& n, S&) {
    if (n.find("direction") && n.find("rotation")) r.error(n, "give \"direction\" or \"rotation\", not both");
  });
}

}  // namespace

const Table<FluidDef>& fluidTable() {
  static const Table<FluidDef> table = [] {
    Table<FluidDef> t("fluid", "A fluid and where it is at the start.");
    t.text("name", &FluidDef::name, "By which emitters and messages know it.", required)
        .choice("kind", &FluidDef::kind, {"particles", "smoke", "water"},
                "Particles; or smoke that fills the grid of a grid method, or water with a free surface in it.")
        .number("spacing", &FluidDef::spacing, "m", kPositive,
                "Distance of particles at rest, the same for all fluids of a scene; smoke has none. Water with one, beside a "
                "\"grid\", is for both engines: the method says whose.")
        .number("density", &FluidDef::density, "kg/m^3", kPositive, "Rest density.")
        .number("viscosity", &FluidDef::viscosity, "m^2/s", kNotNegative, "Kinematic viscosity; water 1e-6.")
        .number("surface_tension", &FluidDef::surfaceTension, "N/m", kNotNegative,
                "Of the fluid's free surface; water 0.073. It is resolved in sub-steps of 0.7 sqrt(density spacing^3 / tension).")
        .vector("velocity", &FluidDef::velocity, "m/s", kAny, "At the start.")
        .number("jitter", &FluidDef::jitter, "spacings", kShare,
                "Random displacement of the start lattice, in each axis up to half of this either way. 1 starts from disorder, as "
                "stirred water has it: a lattice resists large shear.")
        .flag("relax", &FluidDef::relax, "Settle the packing at walls before the first step.")
        .flag("carve", &FluidDef::carve, "Leave out what lies inside solids, instead of refusing the overlap.");
    const Table<PlacedShape>& placed = placedShapeTable();
    t.adoptChild(placed.schema());
    t.add(
        "shapes", optional,
        {{"type", "array"},
         {"items", {{"$ref", "#/definitions/volume"}}},
         {"description", "Volumes filled at the start, with particles or smoke; none where it comes out of emitters or inflows."}},
        [&placed](Reader& r, const JsonNode& n, FluidDef& f) {
          if (!expectKind(r, n, "shapes", JsonNode::Kind::array)) return;
          for (const JsonNode& item : n.items) {
            PlacedShape s;
            placed.read(r, item, s);
            f.shapes.push_back(s.shape);
            f.transforms.push_back(s.transform);
          }
        },
        [&placed](const FluidDef& f) {
          Json j = Json::array();
          for (std::size_t k = 0; k < f.shapes.size(); ++k) j.push_back(placed.write({f.shapes[k], f.transforms[k]}));
          return j.empty() ? Json() : j;
        });
    addSmoke(t);
    t.where(&FluidDef::where).check([](Reader& r, const JsonNode& n, FluidDef& f) {
      if (f.kind == FluidKind::particles && !n.find("spacing") && !r.spoilt(n, "kind"))
        r.error(n, "fluid lacks the key \"spacing\"; add it");
    });
    return t;
  }();
  return table;
}

const Table<EmitterDef>& emitterTable() {
  static const Table<EmitterDef> table = [] {
    Table<EmitterDef> t("emitter", "An opening out of which fluid comes along local +z.");
    t.text("name", &EmitterDef::name, "By which messages know it.", required)
        .text("fluid", &EmitterDef::fluid, "Name of the fluid.", required);
    addOpening(t);
    t.number("speed", &EmitterDef::speed, "m/s", kNotNegative, "Of the jet, 0: shut; or give rate.")
        .writeAs("speed", [](const EmitterDef& e) { return e.speed == 0 && e.rate > 0 ? Json() : Json(e.speed); })
        .number("rate", &EmitterDef::rate, "m^3/s", kPositive, "Volume that comes out; or give speed.")
        .list("schedule", &EmitterDef::schedule, scheduleTable(), "When it works; always, if empty.")
        .number("max_volume", &EmitterDef::maxVolume, "m^3", kNotNegative, "After which it stops; 0: no limit.")
        .exactlyOne({"speed", "rate"})
        .where(&EmitterDef::where);
    return t;
  }();
  return table;
}

const Table<DrainDef>& drainTable() {
  static const Table<DrainDef> table = [] {
    Table<DrainDef> t("drain", "An opening that takes fluid crossing it towards local -z.");
    t.text("name", &DrainDef::name, "By which messages know it.", required);
    addOpening(t);
    t.number("depth", &DrainDef::depth, "m", kNotNegative, "How far below the opening it takes particles.")
        .number("rate", &DrainDef::rate, "m^3/s", kNotNegative, "Most it takes; 0: no limit.")
        .list("schedule", &DrainDef::schedule, scheduleTable(), "When it works; always, if empty.")
        .where(&DrainDef::where);
    return t;
  }();
  return table;
}

}  // namespace meniscus
