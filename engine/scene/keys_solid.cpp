// Solids: kind, shape, material, pins, motion.
#include "engine/scene/keys.h"

namespace meniscus {

namespace {

const Table<Resistance>& resistanceTable() {
  static const Table<Resistance> table = [] {
    using R = Resistance;
    Table<R> t(
        "resistance",
        "How a constraint resists: a compliance in SI units, or a dimensionless stiffness that depends on step and iterations.");
    const auto value = [](const char* key, R::Kind kind, const char* unit, const Range& range) {
      return [=](Reader& r, const JsonNode& n, R& s) {
        s.kind = kind;
        readNumber(r, n, key, unit, range, s.value);
      };
    };
    const char* units = "stretch, shear m/N; bend rad^2/J; volume 1/Pa";
    t.add("compliance", optional, numberSchema(units, kNotNegative, "Inverse stiffness; 0 is rigid."),
          value("compliance", R::Kind::compliance, units, kNotNegative),
          [](const R& s) { return s.kind == R::Kind::compliance ? Json(s.value) : Json(); })
        .add("stiffness", optional, numberSchema("", kShare, "Share of the error removed by a projection."),
             value("stiffness", R::Kind::stiffness, "", kShare),
             [](const R& s) { return s.kind == R::Kind::stiffness ? Json(s.value) : Json(); })
        .number("damping", &R::damping, "s", kNotNegative, "Time constant of the damping that goes with a compliance.")
        .exactlyOne({"compliance", "stiffness"});
    return t;
  }();
  return table;
}

const Table<MaterialDef>& materialTable() {
  static const Table<MaterialDef> table = [] {
    using M = MaterialDef;
    Table<M> t("material", "What a solid is made of.");
    t.number("density", &M::density, "kg/m^3", kPositive, "Of rigid and soft solids.")
        .number("areal_density", &M::arealDensity, "kg/m^2", kNotNegative, "Of cloth and inflatables.")
        .number("youngs_modulus", &M::youngsModulus, "Pa", kNotNegative, "Of soft solids and neo-Hookean membranes.")
        .number("poisson_ratio", &M::poissonRatio, "", {0, 0.5, false, true}, "Of soft solids and neo-Hookean membranes.")
        .number("thickness", &M::thickness, "m", kNotNegative, "Of membranes.")
        .choice("membrane", &M::membrane, {"springs", "neo-hookean"}, "How cloth and inflatables resist stretch.")
        .choice("bend_model", &M::bendModel, {"isometric", "dihedral"}, "How cloth and inflatables resist bending.")
        .object("stretch", &M::stretch, resistanceTable(), "Along edges.")
        .object("shear", &M::shear, resistanceTable(), "Across pairs of triangles.")
        .object("bend", &M::bend, resistanceTable(), "At edges.")
        .object("volume", &M::volume, resistanceTable(), "Of the enclosed volume of an inflatable, or of tetrahedra.")
        .number("friction", &M::friction, "", kNotNegative, "Coulomb coefficient, against fluid and solids.")
        .flag("no_slip", &M::noSlip, "The fluid sticks.")
        .number("restitution", &M::restitution, "", kShare, "Share of the approach speed kept in a collision of solids.");
    return t;
  }();
  return table;
}

const Table<PinDef>& pinBoxTable() {
  static const Table<PinDef> table = [] {
    Table<PinDef> t("pin_box", "Nodes within a box.");
    t.vector("min", &PinDef::boxMin, "m", kAny, "Lower corner, world frame.", required)
        .vector("max", &PinDef::boxMax, "m", kAny, "Upper corner, world frame.", required)
        .check([](Reader& r, const JsonNode& n, PinDef& p) {
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
        .exactlyOne({"indices", "box", "sphere", "rim"})
        .where(&P::where);
    return t;
  }();
  return table;
}

// Keys that mean something only for some kinds.
void checkKindKeys(Reader& r, const JsonNode& n, SolidDef& s) {
  using K = SolidKind;
  const auto allow = [&](const char* key, std::initializer_list<K> kinds, const char* who) {
    const JsonMember* m = n.find(key);
    if (!m) return;
    for (const K k : kinds)
      if (k == s.kind) return;
    r.error(m->line, m->column, fmt::format("\"{}\" is for {} solids only; remove it or change \"kind\"", key, who));
  };
  if (!n.find("kind")) return;
  allow("motion", {K::kinematic}, "kinematic");
  allow("pins", {K::cloth, K::inflatable, K::soft}, "cloth, inflatable and soft");
  allow("pressure", {K::inflatable}, "inflatable");
  allow("inflation", {K::inflatable}, "inflatable");
  allow("mesh_volume", {K::soft}, "soft");
  allow("velocity", {K::rigid, K::cloth, K::inflatable, K::soft}, "rigid and deformable");
  allow("angular_velocity", {K::rigid, K::cloth, K::inflatable, K::soft}, "rigid and deformable");
}

void checkMaterial(Reader& r, const JsonNode& n, SolidDef& s) {
  const JsonMember* material = n.find("material");
  const JsonNode& at = material ? material->value : n;
  const MaterialDef& m = s.material;
  const bool shell = s.kind == SolidKind::cloth || s.kind == SolidKind::inflatable;
  if (shell && !(m.arealDensity > 0))
    r.error(at, fmt::format("{} needs \"areal_density\" > 0 kg/m^2 in its material",
                            s.kind == SolidKind::cloth ? "cloth" : "an inflatable"));
  if (shell && m.membrane == MembraneModel::neoHookean && !(m.youngsModulus > 0 && m.thickness > 0))
    r.error(at, "a neo-Hookean membrane needs \"youngs_modulus\" > 0 Pa and \"thickness\" > 0 m");
  const bool resists = m.youngsModulus > 0 || m.stretch.kind != Resistance::Kind::none;
  if (s.kind == SolidKind::soft && !resists)
    r.error(at, "a soft solid needs \"youngs_modulus\" > 0 Pa, or \"stretch\", in its material");
}

void checkShape(Reader& r, const JsonNode& n, SolidDef& s) {
  const JsonMember* shape = n.find("shape");
  if (!shape || !n.find("kind")) return;
  const bool still = s.kind == SolidKind::fixed || s.kind == SolidKind::kinematic;
  if (s.shape.kind == ShapeKind::plane && !still) r.error(shape->value, "a plane can only be a static or kinematic solid");
  if (s.shape.kind == ShapeKind::sheet && !still && s.kind != SolidKind::cloth)
    r.error(shape->value, "a sheet can only be cloth or a static or kinematic solid; it encloses nothing");
  if (s.shape.container && !still && s.kind != SolidKind::rigid)
    r.error(shape->value,
            "\"container\" is for static, kinematic and rigid solids; the fluid sees both sides of a deformable one as it is");
}

void checkMotion(Reader& r, const JsonNode& n, SolidDef& s) {
  if (s.kind == SolidKind::kinematic && n.find("kind") && s.motion.empty())
    r.error(n, "a kinematic solid needs \"motion\" with at least one key frame; a solid at rest is of kind \"static\"");
  const auto ascending = [&](const std::vector<KeyFrame>& motion, const JsonNode& at) {
    for (std::size_t k = 1; k < motion.size(); ++k)
      if (!(motion[k].time > motion[k - 1].time)) {
        const JsonNode& item = k < at.items.size() ? at.items[k] : at;
        r.error(item, fmt::format("key frame times must ascend: {:g} s follows {:g} s", motion[k].time, motion[k - 1].time));
      }
  };
  if (const JsonMember* m = n.find("motion")) ascending(s.motion, m->value);
  const JsonMember* pins = n.find("pins");
  for (std::size_t k = 0; k < s.pins.size(); ++k)
    if (const JsonMember* m = pins->value.items[k].find("motion")) ascending(s.pins[k].motion, m->value);
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
        .where(&S::where)
        .check([](Reader&, const JsonNode& n, S& s) {
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
