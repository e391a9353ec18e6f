// What a solid is made of, and which of it means something for which kind of solid: a key that would do nothing is refused.
#include <algorithm>

#include "engine/scene/keys.h"

namespace meniscus {

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
        .quantity(units, kNotNegative, "Inverse stiffness; 0 is rigid.")
        .add("stiffness", optional, numberSchema("", kShare, "Share of the error removed by a projection."),
             value("stiffness", R::Kind::stiffness, "", kShare),
             [](const R& s) { return s.kind == R::Kind::stiffness ? Json(s.value) : Json(); })
        .quantity("", kShare, "Share of the error removed by a projection.")
        .number("damping", &R::damping, "s", kNotNegative, "Time constant of the damping that goes with a compliance.")
        .exactlyOne({"compliance", "stiffness"})
        .check([](Reader& r, const JsonNode& n, R& s) {
          if (const JsonMember* m = n.find("damping"); m && s.kind == R::Kind::stiffness)
            r.error(m->line, m->column, "\"damping\" does nothing beside \"stiffness\"; give a \"compliance\", or remove it");
        });
    return t;
  }();
  return table;
}

const Table<MaterialDef>& materialTable() {
  static const Table<MaterialDef> table = [] {
    using M = MaterialDef;
    Table<M> t("material", "What a solid is made of.");
    t.number("density", &M::density, "kg/m^3", kPositive, "Of rigid and soft solids; 1000 where it is not given.")
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
        .number("restitution", &M::restitution, "", kShare, "Share of the approach speed kept in a collision of solids.")
        .number("damping", &M::damping, "s", kNotNegative,
                "Grid methods, of cloth, inflatables and soft solids: force of a rate of strain over that of the strain.");
    return t;
  }();
  return table;
}

namespace {

using K = SolidKind;

const char* nameOf(K kind) {
  constexpr const char* names[] = {"static", "kinematic", "rigid", "cloth", "inflatable", "soft"};
  return names[int(kind)];
}

// One object of the scene and what has been said about its keys.
struct Keys {
  Reader& r;
  const JsonNode& object;
  bool has(const char* key) const { return object.find(key) != nullptr; }
  // The key is there, but does nothing.
  void idle(const char* key, const std::string& why) {
    if (const JsonMember* m = object.find(key)) r.error(m->line, m->column, fmt::format("\"{}\" does nothing {}", key, why));
  }
  // A resistance of which only the damping is used.
  void onlyDamping(const char* key, const Resistance& resistance, const char* beside) {
    if (resistance.damping > 0 || r.spoilt(object, key)) return;
    idle(key, fmt::format("beside {}, which would only take its \"damping\"; remove one", beside));
  }
};

void checkKinds(Reader& r, const JsonNode& material, K kind) {
  onlyFor(r, material, "density", kind, {K::rigid, K::soft});
  onlyFor(r, material, "areal_density", kind, {K::cloth, K::inflatable});
  for (const char* key : {"youngs_modulus", "poisson_ratio", "stretch"})
    onlyFor(r, material, key, kind, {K::cloth, K::inflatable, K::soft});
  for (const char* key : {"thickness", "membrane", "bend_model", "shear", "bend"})
    onlyFor(r, material, key, kind, {K::cloth, K::inflatable});
  onlyFor(r, material, "volume", kind, {K::inflatable, K::soft});
  onlyFor(r, material, "damping", kind, {K::cloth, K::inflatable, K::soft});
  onlyFor(r, material, "restitution", kind, {K::rigid, K::cloth, K::inflatable, K::soft});
}

void checkSoft(Keys keys, const MaterialDef& m) {
  if (keys.r.spoilt(keys.object, "youngs_modulus")) return;
  if (m.youngsModulus > 0) {
    keys.onlyDamping("stretch", m.stretch, "\"youngs_modulus\"");
    keys.idle("volume", "beside \"youngs_modulus\", with which \"poisson_ratio\" says how volume is kept; remove one");
  } else {
    keys.idle("poisson_ratio", "without \"youngs_modulus\"; give that, or remove it");
  }
}

// Springs along the edges stand for a sheet of the modulus where no stretch is given; so does bending where no bend is.
void checkShell(Keys keys, const MaterialDef& m) {
  for (const char* key : {"youngs_modulus", "thickness", "membrane", "stretch", "bend"})
    if (keys.r.spoilt(keys.object, key)) return;
  const bool elastic = m.youngsModulus > 0 && m.thickness > 0, bend = m.bend.kind != Resistance::Kind::none;
  if (m.membrane == MembraneModel::neoHookean) {
    keys.onlyDamping("stretch", m.stretch, "a neo-Hookean membrane");
    keys.idle("shear", "in a neo-Hookean membrane, which resists shear by itself; remove it");
    keys.idle("poisson_ratio", "in a neo-Hookean membrane, which is incompressible; remove it");
  } else {
    if (!elastic) {
      keys.idle("youngs_modulus", "without \"thickness\" > 0 m; give both, or none");
      keys.idle("thickness", "without \"youngs_modulus\" > 0 Pa; give both, or none");
    } else if (bend && m.stretch.kind != Resistance::Kind::none) {
      keys.idle("youngs_modulus", "beside \"stretch\" and \"bend\"; remove one of the three");
    }
    if (!elastic || bend) keys.idle("poisson_ratio", "without bending by \"youngs_modulus\" and \"thickness\"; remove it");
  }
  if (!elastic && !bend)
    keys.idle("bend_model", "where nothing resists bending; give \"bend\", or \"youngs_modulus\" and \"thickness\"");
}

}  // namespace

void onlyFor(Reader& r, const JsonNode& object, const char* key, SolidKind kind, std::initializer_list<SolidKind> kinds) {
  const JsonMember* m = object.find(key);
  if (!m || std::find(kinds.begin(), kinds.end(), kind) != kinds.end()) return;
  std::string who;
  for (const SolidKind* k = kinds.begin(); k != kinds.end(); ++k)
    who += (k == kinds.begin() ? "" : k + 1 == kinds.end() ? " and " : ", ") + std::string(nameOf(*k));
  r.error(m->line, m->column,
          fmt::format("\"{}\" is for {} solids only and does nothing in a {} one; remove it or change \"kind\"", key, who,
                      nameOf(kind)));
}

void checkMaterial(Reader& r, const JsonNode& n, SolidDef& s) {
  if (!n.find("kind") || r.spoilt(n, "kind")) return;
  const JsonMember* material = n.find("material");
  const JsonNode& at = material ? material->value : n;
  const MaterialDef& m = s.material;
  const bool shell = s.kind == K::cloth || s.kind == K::inflatable;
  if (shell && !(m.arealDensity > 0) && !r.spoilt(at, "areal_density"))
    r.error(at,
            fmt::format("{} needs \"areal_density\" > 0 kg/m^2 in its material", s.kind == K::cloth ? "cloth" : "an inflatable"));
  const bool elastic = (m.youngsModulus > 0 || r.spoilt(at, "youngs_modulus")) && (m.thickness > 0 || r.spoilt(at, "thickness"));
  if (shell && m.membrane == MembraneModel::neoHookean && !elastic)
    r.error(at, "a neo-Hookean membrane needs \"youngs_modulus\" > 0 Pa and \"thickness\" > 0 m");
  const bool resists = m.youngsModulus > 0 || m.stretch.kind != Resistance::Kind::none;
  if (s.kind == K::soft && !resists && !r.spoilt(at, "youngs_modulus") && !r.spoilt(at, "stretch"))
    r.error(at, "a soft solid needs \"youngs_modulus\" > 0 Pa, or \"stretch\", in its material");
  if (!material) return;
  checkKinds(r, at, s.kind);
  if (s.kind == K::soft) checkSoft({r, at}, m);
  if (shell) checkShell({r, at}, m);
  if (s.kind == K::inflatable && s.pressure > 0)
    Keys{r, at}.idle("volume", "beside \"pressure\", which lets the volume go where the gas drives it; remove one");
  if (s.kind == K::inflatable && s.pressure == 0 && s.inflation == 0)
    Keys{r, at}.idle("volume", "where \"inflation\" is 0 and no volume is held; remove it");
}

}  // namespace meniscus
