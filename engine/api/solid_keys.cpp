// Parameters of solids: which of them act depends on the kind and on what its material is made of.
#include <sstream>

#include "engine/api/parameter_keys.h"
#include "engine/scene/keys.h"
#include "engine/scene/solid_kinds.h"
#include "engine/solid/resistance.h"

namespace meniscus::api {
namespace {

using Kind = Resistance::Kind;
using Key = ParameterKey<SolidDef>;

bool moves(const SolidDef& s) { return s.kind == SolidKind::rigid || deforms(s); }
bool elasticSheet(const SolidDef& s) { return s.material.youngsModulus > 0 && s.material.thickness > 0; }
bool elasticSoft(const SolidDef& s) { return s.kind == SolidKind::soft && s.material.youngsModulus > 0; }
bool springs(const SolidDef& s) {
  return (isShell(s) && s.material.membrane == MembraneModel::springs) || (s.kind == SolidKind::soft && !elasticSoft(s));
}
bool holdsVolume(const SolidDef& s) { return s.kind == SolidKind::inflatable && s.pressure == 0 && s.inflation > 0; }

// ---- what follows in the world ----

void takeMaterial(Running& r, std::int32_t order) {
  const SolidDef& def = r.world.scene.solids[std::size_t(order)];
  const SolidPlace p = placeOf(r.world, order);
  if (p.rigid >= 0) r.world.solid.rigid[std::size_t(p.rigid)].material = def.material;
  if (p.bodyIndex >= 0) r.world.solid.bodies[std::size_t(p.bodyIndex)].material = def.material;
}

void takeFriction(Running& r, std::int32_t order) {
  takeMaterial(r, order);
  renewSolver(r, order);
}

void takeResistance(Running& r, std::int32_t order) {
  setResistances(r.world.solid, placeOf(r.world, order).bodyIndex, r.world.scene.solids[std::size_t(order)]);
}

template <class State>
auto gasOf(State& solid, Index body) -> decltype(solid.volumes.data()) {
  for (auto& v : solid.volumes)
    if (v.body == body) return &v;
  return nullptr;
}

void takePressure(Running& r, std::int32_t order) {
  if (VolumeConstraint* gas = gasOf(r.world.solid, placeOf(r.world, order).bodyIndex))
    gas->pressure = r.world.scene.solids[std::size_t(order)].pressure;
}

double livePressure(const World& w, std::int32_t order) {
  const VolumeConstraint* gas = gasOf(w.solid, placeOf(w, order).bodyIndex);
  return gas ? gas->pressure : 0;
}

// ---- resistances ----

// "stretch, shear m/N; bend rad^2/J": the unit beside the type's name.
std::string unitFor(const std::string& units, const std::string& type) {
  std::istringstream parts(units);
  for (std::string part; std::getline(parts, part, ';');)
    if ((" " + part).find(" " + type) != std::string::npos) return part.substr(part.rfind(' ') + 1);
  return units;
}

struct Type {
  const char* name;
  Resistance MaterialDef::*member;
  bool (*there)(const SolidDef&);        // whether the solid has constraints that this resistance is of
  bool (*rigidIfNone)(const SolidDef&);  // whether they are rigid where no resistance is given
  bool damped;
};

Key resistanceKey(const Type& type, const char* key, Kind kind, Slider slider) {
  const auto member = type.member;
  const auto there = type.there, rigidIfNone = type.rigidIfNone;
  Key k{std::string(type.name) + "." + key, quantityOf(resistanceTable(), key), slider,
        [member](const SolidDef& s) { return (s.material.*member).value; },
        [member, kind](SolidDef& s, double v) {
          (s.material.*member).kind = kind;
          (s.material.*member).value = v;
        }};
  k.quantity.unit = kind == Kind::compliance ? unitFor(k.quantity.unit, type.name) : "";
  k.acts = [=](const SolidDef& s) {
    const Kind has = (s.material.*member).kind;
    return there(s) && (has == kind || (kind == Kind::compliance && has == Kind::none && rigidIfNone(s)));
  };
  k.apply = takeResistance;
  return k;
}

Key dampingKey(const Type& type) {
  const auto member = type.member;
  const auto there = type.there, rigidIfNone = type.rigidIfNone;
  Key k{std::string(type.name) + ".damping", quantityOf(resistanceTable(), "damping"), Slider{0, 0.1},
        [member](const SolidDef& s) { return (s.material.*member).damping; },
        [member](SolidDef& s, double v) {
          (s.material.*member).kind = Kind::compliance;  // what is rigid where nothing was given has the compliance 0
          (s.material.*member).damping = v;
        }};
  k.acts = [=](const SolidDef& s) {
    const Kind has = (s.material.*member).kind;
    return there(s) && (has == Kind::compliance || (has == Kind::none && rigidIfNone(s)));
  };
  k.apply = takeResistance;
  return k;
}

constexpr bool never(const SolidDef&) { return false; }

const Type kTypes[] = {
    {"stretch", &MaterialDef::stretch, springs, [](const SolidDef& s) { return isShell(s) && !elasticSheet(s); }, true},
    {"shear", &MaterialDef::shear, [](const SolidDef& s) { return isShell(s) && springs(s); }, never, true},
    {"bend", &MaterialDef::bend, isShell, never, true},
    {"volume", &MaterialDef::volume, [](const SolidDef& s) { return s.kind == SolidKind::soft ? springs(s) : holdsVolume(s); },
     holdsVolume, false},
};

Key materialKey(const char* key, double MaterialDef::*member, Slider slider) {
  return {key, quantityOf(materialTable(), key), slider, [member](const SolidDef& s) { return s.material.*member; },
          [member](SolidDef& s, double v) { s.material.*member = v; }};
}

ParameterKeys<SolidDef> makeSolidKeys() {
  ParameterKeys<SolidDef> keys;
  keys.push_back(materialKey("friction", &MaterialDef::friction, {0, 2}));
  keys.back().apply = takeFriction;
  keys.push_back(materialKey("restitution", &MaterialDef::restitution, {0, 1}));
  keys.back().acts = moves;
  keys.back().apply = takeMaterial;
  for (const Type& type : kTypes) {
    keys.push_back(resistanceKey(type, "compliance", Kind::compliance, {1e-9, 1, true}));
    keys.push_back(resistanceKey(type, "stiffness", Kind::stiffness, {0, 1}));
    if (type.damped) keys.push_back(dampingKey(type));
  }
  // zero would be another model: springs, or no resistance to a change of volume
  keys.push_back(materialKey("youngs_modulus", &MaterialDef::youngsModulus, {1e2, 1e8, true}));
  keys.back().quantity.range = kPositive;
  keys.back().acts = [](const SolidDef& s) {
    const MaterialDef& m = s.material;
    return elasticSoft(s) ||
           (isShell(s) && elasticSheet(s) &&
            (m.membrane == MembraneModel::neoHookean || m.stretch.kind == Kind::none || m.bend.kind == Kind::none));
  };
  keys.back().apply = takeResistance;
  keys.push_back(materialKey("poisson_ratio", &MaterialDef::poissonRatio, {0.05, 0.49}));
  keys.back().quantity.range.loOpen = true;
  keys.back().acts = [](const SolidDef& s) { return elasticSoft(s) && s.material.poissonRatio > 0; };
  keys.back().apply = takeResistance;
  // likewise: an inflatable without gas holds its volume
  keys.push_back(keyOf(solidTable(), "pressure", &SolidDef::pressure, {1, 1e4, true}));
  keys.back().quantity.range = kPositive;
  keys.back().acts = [](const SolidDef& s) { return s.kind == SolidKind::inflatable && s.pressure > 0; };
  keys.back().apply = takePressure;
  keys.back().live = livePressure;
  return keys;
}

}  // namespace

const ParameterKeys<SolidDef>& solidKeys() {
  static const ParameterKeys<SolidDef> keys = makeSolidKeys();
  return keys;
}

}  // namespace meniscus::api
