// Which numbers of the definitions can be changed between steps, and what has to follow in the world when they are.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/api/objects.h"
#include "engine/scene/table.h"

namespace meniscus::api {

// Where a slider is useful.
struct Slider {
  double low, high;
  bool logarithmic = false;
};

template <class Def>
struct ParameterKey {
  std::string name;  // behind the object's: "stretch.compliance"
  ObjectSchema::Quantity quantity;
  Slider slider;
  std::function<double(const Def&)> get;
  std::function<void(Def&, double)> set;
  std::function<bool(const Def&)> acts = nullptr;  // whether this object has it; null: all have
  // Takes the changed definition over into the world; what it throws must leave the world as it was. null: the step reads the
  // definition itself. order: of the object among its kind.
  void (*apply)(Running&, std::int32_t order) = nullptr;
  double (*live)(const World&, std::int32_t order) = nullptr;  // the value, where it is part of the state
  bool limits = false;                                         // what the sub-steps resolve depends on it: mistakesInFigures
};

template <class Def>
using ParameterKeys = std::vector<ParameterKey<Def>>;

const ParameterKeys<SceneDef>& sceneKeys();
const ParameterKeys<SolverDef>& solverKeys();
const ParameterKeys<DomainDef>& domainKeys();
const ParameterKeys<FluidDef>& fluidKeys();
const ParameterKeys<EmitterDef>& emitterKeys();
const ParameterKeys<DrainDef>& drainKeys();
const ParameterKeys<SolidDef>& solidKeys();  // solid_keys.cpp
// Of scenes on a grid: every change builds the run anew (rebuildGrid), so none has something to apply.
const ParameterKeys<SolverDef>& gridSolverKeys();  // grid_parameter_keys.cpp
const ParameterKeys<FluidDef>& gridFluidKeys(int dimension);
const ParameterKeys<SolidDef>& gridSolidKeys();

// What the format says of a key of a table.
template <class S>
ObjectSchema::Quantity quantityOf(const Table<S>& table, const std::string& key) {
  for (const ObjectSchema::Key& k : table.schema().keys)
    if (k.name == key && k.quantity) return *k.quantity;
  throw std::logic_error("the scene format has no number \"" + key + "\"");
}

// A member with a key of its own in the table.
template <class Def, class T>
ParameterKey<Def> keyOf(const Table<Def>& table, const char* key, T Def::*member, Slider slider) {
  return {key, quantityOf(table, key), slider, [member](const Def& d) { return double(d.*member); },
          [member](Def& d, double v) { d.*member = T(v); }};
}

// The solver's working memory has a copy of the number: it is made anew, and holds no state.
inline void renewSolver(Running& r, std::int32_t) { r.dropSolver(); }

}  // namespace meniscus::api
