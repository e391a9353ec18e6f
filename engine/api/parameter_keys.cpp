#include "engine/api/parameter_keys.h"

#include "engine/scene/keys.h"

namespace meniscus::api {
namespace {

template <class Def>
ParameterKey<Def> renewing(ParameterKey<Def> k) {
  k.apply = renewSolver;
  return k;
}
template <class Def>
ParameterKey<Def> limiting(ParameterKey<Def> k) {
  k.limits = true;
  return k;
}

ParameterKey<SceneDef> gravityKey(int axis) {
  return limiting<SceneDef>({std::string("gravity.") + "xyz" [axis], quantityOf(sceneTable(), "gravity"), Slider { -20, 20 },
                             [axis](const SceneDef& s) { return s.gravity[axis]; },
                             [axis](SceneDef& s, double v) { s.gravity[axis] = v; },
                             [axis](const SceneDef& s) { return axis != 1 || s.solver.grid.dimension != 2; }});
}

}  // namespace

const ParameterKeys<SceneDef>& sceneKeys() {
  static const ParameterKeys<SceneDef> keys = {gravityKey(0), gravityKey(1), gravityKey(2)};
  return keys;
}

const ParameterKeys<SolverDef>& solverKeys() {
  using S = SolverDef;
  const Table<S>& t = solverTable();
  static const ParameterKeys<S> keys = {
      limiting(keyOf(t, "cfl", &S::cfl, {0.1, 1})),
      limiting(keyOf(t, "max_substeps", &S::maxSubsteps, {1, 256, true})),
      keyOf(t, "tolerance", &S::tolerance, {1e-6, 0.1, true}),
      keyOf(t, "max_iterations", &S::maxIterations, {10, 5000, true}),
      keyOf(t, "density_correction", &S::densityCorrection, {0, 1}),
      renewing(keyOf(t, "high_pass", &S::highPass, {0, 0.2})),
      keyOf(t, "xsph", &S::xsph, {0, 0.2}),
      renewing(keyOf(t, "contact_distance", &S::contactDistance, {0.05, 0.4})),
      keyOf(t, "coupling_tolerance", &S::couplingTolerance, {1e-5, 0.1, true}),
      keyOf(t, "max_coupling_iterations", &S::maxCouplingIterations, {1, 32}),
      keyOf(t, "constraint_iterations", &S::constraintIterations, {1, 100, true}),
      keyOf(t, "solid_substeps", &S::solidSubsteps, {1, 64, true}),
  };
  return keys;
}

const ParameterKeys<DomainDef>& domainKeys() {
  static const ParameterKeys<DomainDef> keys = {renewing(keyOf(domainTable(), "friction", &DomainDef::friction, {0, 2}))};
  return keys;
}

const ParameterKeys<FluidDef>& fluidKeys() {
  static const ParameterKeys<FluidDef> keys = {
      renewing(keyOf(fluidTable(), "density", &FluidDef::density, {500, 2000})),
      limiting(keyOf(fluidTable(), "viscosity", &FluidDef::viscosity, {1e-6, 1, true})),
      limiting(keyOf(fluidTable(), "surface_tension", &FluidDef::surfaceTension, {0, 1})),
  };
  return keys;
}

const ParameterKeys<EmitterDef>& emitterKeys() {
  using E = EmitterDef;
  static const ParameterKeys<E> keys = {
      limiting<E>({"speed", quantityOf(emitterTable(), "speed"), Slider{0, 10}, [](const E& e) { return e.jetSpeed(); },
                   [](E& e, double v) {
                     e.speed = v;
                     e.rate = 0;
                   }}),
      keyOf(emitterTable(), "max_volume", &E::maxVolume, {0, 1}),
  };
  return keys;
}

const ParameterKeys<DrainDef>& drainKeys() {
  static const ParameterKeys<DrainDef> keys = {
      keyOf(drainTable(), "rate", &DrainDef::rate, {0, 0.01}),
      keyOf(drainTable(), "depth", &DrainDef::depth, {0, 0.5}),
  };
  return keys;
}

}  // namespace meniscus::api
