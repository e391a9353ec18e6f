// Solids: kind, shape, material, pins, motion.
#include "engine/scene/key_turn.h"
#include "engine/scene/keys.h"

namespace meniscus {

namespace {

const Table<PinDef>& pinBoxTable() {
  static const Table<PinDef> table = [] {
    Table<PinDef> t("pin_box", "Nodes within a box.");
    t.vector("min", &PinDef::boxMin, "m", kAny, "Lower corner, world frame.", required)
        .vector("max", &PinDef::boxMax, "m", kAny, "Upper corner, world frame.", required)
        .check([](Reader& r, const JsonNode& n, PinDef& p) {
          if (r.spoilt(n, "min") || r.spoilt(n, "max")) return;
          if (!(p.boxMin.x <= p.boxMax.x && p.boxMin.y <= p.boxMax.y && p.boxMin.z <= p.boxMax.z))
            r.error(n, "the pin's box has a max below its min");
        });
    return t;
  }();
  return table;
}

const Table<PinDef>& pinSphereTable() {
  static const Table<PinDef> table = [] {
    Table<PinDef> t("pin_sphere", "Nodes within a sphere.");
    t.vector("center", &PinDef::center, "m", kAny, "World frame.", required)
        .number("radius", &PinDef::radius, "m", kPositive, "Radius.", required);
    return t;
  }();
  return table;
}

const Table<PinDef>& pinTable() {
  using P = PinDef;
  static const Table<P> table = [] {
    Table<P> t("pin", "Nodes of a deformable solid, as they are at the start, that are held still or moved.");
    t.add(
        "indices", optional,
        {{"type", "array"}, {"items", {{"type", "integer"}, {"minimum", 0}}}, {"description", "Node numbers, from 0."}},
        [](Reader& r, const JsonNode& n, P& p) {
          p.select = P::Select::indices;
          if (!expectKind(r, n, "indices", JsonNode::Kind::array)) return;
          for (const JsonNode& item : n.items) {
            long long v = 0;
            if (readInteger(r, item, "indices", 0, std::numeric_limits<Index>::max(), v)) p.indices.push_back(Index(v));
          }
        },
        [](const P& p) { return p.select == P::Select::indices ? Json(p.indices) : Json(); });
    const auto select = [](P::Select v) { return [v](P& p) { p.select = v; }; };
    const auto is = [](P::Select v) { return [v](const P& p) { return p.select == v; }; };
    t.part("box", pinBoxTable(), select(P::Select::box), is(P::Select::box), "Nodes within a box.")
        .part("sphere", pinSphereTable(), select(P::Select::sphere), is(P::Select::sphere), "Nodes within a sphere.")
        .add(
            "rim", optional, {{"const", true}, {"description", "Nodes on the open edges of the surface."}},
            [](Reader& r, const JsonNode& n, P& p) {
              bool on = false;
              if (readFlag(r, n, "rim", on) && !on) r.error(n, "\"rim\" can only be true; leave the pin out instead");
              p.select = P::Select::rim;
            },
            [](const P& p) { return p.select == P::Select::rim ? Json(true) : Json(); })
        .list("motion", &P::motion, keyFrameTable(), "Carries the nodes; without it they are held still.")
        .number("until", &P::until, "s", kPositive, "When it lets go, on a grid; without it, never.")
        .exactlyOne({"indices", "box", "sphere", "rim"})
        .where(&P::where);
    return t;
  }();
  return table;
}

// Keys that mean something only for some kinds.
void checkKindKeys(Reader& r, const JsonNode& n, SolidDef& s) {
  using K = SolidKind;
  if (!n.find("kind") || r.spoilt(n, "kind")) return;
  onlyFor(r, n, "guide", s.kind, {K::rigid});
  onlyFor(r, n, "motion", s.kind, {K::kinematic});
  onlyFor(r, n, "pins", s.kind, {K::cloth, K::inflatable, K::soft});
  onlyFor(r, n, "pressure", s.kind, {K::inflatable});
  onlyFor(r, n, "inflation", s.kind, {K::inflatable});
  onlyFor(r, n, "mesh_volume", s.kind, {K::soft});
  onlyFor(r, n, "velocity", s.kind, {K::rigid, K::cloth, K::inflatable, K::soft});
  onlyFor(r, n, "angular_velocity", s.kind, {K::rigid, K::cloth, K::inflatable, K::soft});
  const JsonMember* inflation = n.find("inflation");
  if (inflation && s.pressure > 0)
    r.error(inflation->line, inflation->column,
            "\"inflation\" does nothing beside \"pressure\", which lets the volume go where the gas drives it; remove one");
}

void checkShape(Reader& r, const JsonNode& n, SolidDef& s) {
  const JsonMember* shape = n.find("shape");
  if (!shape || !n.find("kind")) return;
  const bool still = s.kind == SolidKind::fixed || s.kind == SolidKind::kinematic;
  if (s.shape.kind == ShapeKind::plane && !still) r.error(shape->value, "a plane can only be a static or kinematic solid");
  if (s.shape.kind == ShapeKind::sheet && !still && s.kind != SolidKind::cloth)
    r.error(shape->value, "a sheet can only be cloth or a static or kinematic solid; it encloses nothing");
  if (s.shape.mouth > 0 && s.kind != SolidKind::cloth && s.kind != SolidKind::inflatable)
    r.error(shape->value, "a sphere with a \"mouth\" is open: only cloth and inflatables can have one");
  if (s.shape.container && !still && s.kind != SolidKind::rigid)
    r.error(shape->value,
            "\"container\" is for static, kinematic and rigid solids; the fluid sees both sides of a deformable one as it is");
}

void checkMotion(Reader& r, const JsonNode& n, SolidDef& s) {
  if (s.kind == SolidKind::kinematic && n.find("kind") && s.motion.empty() && !r.spoilt(n, "motion"))
    r.error(n, "a kinematic solid needs \"motion\" with at least one key frame; a solid at rest is of kind \"static\"");
  const auto check = [&](std::vector<KeyFrame>& motion, const JsonNode& at) {
    const std::size_t before = r.out.size();
    const auto timed = [&](std::size_t k) { return at.items[k].find("time") && !r.spoilt(at.items[k], "time"); };
    for (std::size_t k = 1; k < motion.size(); ++k)
      if (!(motion[k].time > motion[k - 1].time) && timed(k) && timed(k - 1))
        r.error(at.items[k], fmt::format("key frame times must ascend: {:g} s follows {:g} s", motion[k].time, motion[k - 1].time));
    if (r.out.size() == before && !r.spoilt(n, "motion")) turnAsGiven(r, at, s.name, motion);
  };
  if (const JsonMember* m = n.find("motion")) check(s.motion, m->value);
  const JsonMember* pins = n.find("pins");
  for (std::size_t k = 0; k < s.pins.size(); ++k)
    if (const JsonMember* m = pins->value.items[k].find("motion")) check(s.pins[k].motion, m->value);
}

}  // namespace

const Table<SolidDef>& solidTable() {
  static const Table<SolidDef> table = [] {
    using S = SolidDef;
    Table<S> t("solid", "A solid.");
    t.text("name", &S::name, "By which messages and other parts of the scene know it.", required)
        .choice("kind", &S::kind, {"static", "kinematic", "rigid", "cloth", "inflatable", "soft"}, "How it moves.", required)
        .object("shape", &S::shape, solidShapeTable(), "Its shape.", required);
    addPlace(t, &S::transform, true);
    t.object("material", &S::material, materialTable(), "What it is made of.")
        .vector("velocity", &S::velocity, "m/s", kAny, "At the start.")
        .vector("angular_velocity", &S::angularVelocity, "rad/s", kAny, "At the start, about the centre of mass.")
        .list("motion", &S::motion, keyFrameTable(), "Of a kinematic solid.")
        .list("pins", &S::pins, pinTable(), "Nodes that are held.")
        .number("pressure", &S::pressure, "Pa", kNotNegative, "Gauge pressure of the gas in an inflatable; 0: filled with fluid.")
        .number("inflation", &S::inflation, "", kNotNegative,
                "Rest volume of an inflatable over the volume of its mesh; 0: not held.")
        .number("mesh_volume", &S::meshVolume, "m^3", kNotNegative,
                "Largest tetrahedron of a soft solid; 0: as fine as its surface.")
        .where(&S::where);
    addGuide(t);
    t.check([](Reader&, const JsonNode& n, S& s) {
       const JsonMember* shape = n.find("shape");
       const Vec3d c = boxCenter(shape ? &shape->value : nullptr), k = s.transform.scale;
       s.transform.translate += s.transform.rotate.rotate({c.x * k.x, c.y * k.y, c.z * k.z});
     })
        .check(checkKindKeys)
        .check(checkMaterial)
        .check(checkShape)
        .check(checkMotion);
    return t;
  }();
  return table;
}

}  // namespace meniscus
