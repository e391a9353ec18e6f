// Parameters of scenes on a grid: which of them act depends on the method and on what bodies are made of.
#include "engine/api/parameter_keys.h"
#include "engine/scene/keys.h"
#include "engine/scene/solid_kinds.h"

namespace meniscus::api {
namespace {

// A number of a part of the definition, under the part's name.
template <class Def, class Part, class T>
ParameterKey<Def> partKey(const char* group, Part Def::*part, const Table<Part>& table, const char* key, T Part::*member,
                          Slider slider) {
  return {std::string(group) + key, quantityOf(table, key), slider, [=](const Def& d) { return double(d.*part.*member); },
          [=](Def& d, double v) { d.*part.*member = T(v); }};
}

using S = SolverDef;

template <class T>
ParameterKey<S> couplingKey(const char* key, T CouplingDef::*member, Slider slider, bool (*acts)(const S&) = nullptr) {
  ParameterKey<S> k = partKey("coupling.", &S::coupling, couplingTable(), key, member, slider);
  k.acts = acts;
  return k;
}

template <class T>
ParameterKey<S> gridKey(const char* key, T GridDef::*member, Slider slider) {
  return partKey("grid.", &S::grid, gridTable(), key, member, slider);
}

bool partitioned(const S& s) { return s.method == "partitioned"; }
bool learns(const S& s) { return s.method == "xpm" || s.method == "iqn-ils"; }
bool solvesPressure(const S& s) { return s.coupling.p0Mode == EnclosedMode::solved; }

ParameterKey<FluidDef> buoyancyKey(int axis) {
  return {std::string("buoyancy.") + "xyz" [axis], quantityOf(fluidTable(), "buoyancy"), Slider { -20, 20 },
          [axis](const FluidDef& f) { return f.buoyancy[axis]; }, [axis](FluidDef& f, double v) { f.buoyancy[axis] = v; }};
}

constexpr std::size_t kInflows = 8;  // that have parameters

template <class T>
ParameterKey<FluidDef> inflowKey(std::size_t k, const char* key, T InflowDef::*member, Slider slider) {
  return {fmt::format("inflows.{}.{}", k, key),
          quantityOf(inflowTable(), key),
          slider,
          [=](const FluidDef& f) { return f.inflows[k].*member; },
          [=](FluidDef& f, double v) { f.inflows[k].*member = v; },
          [=](const FluidDef& f) { return k < f.inflows.size(); }};
}

bool isFull(const SolidDef& s) { return s.kind == SolidKind::rigid || s.kind == SolidKind::soft; }

ParameterKey<SolidDef> materialKey(const char* key, double MaterialDef::*member, Slider slider, bool (*acts)(const SolidDef&)) {
  ParameterKey<SolidDef> k = partKey("", &SolidDef::material, materialTable(), key, member, slider);
  k.acts = acts;
  return k;
}

// Zero would be no such body.
template <class Def>
ParameterKey<Def> positive(ParameterKey<Def> k) {
  k.quantity.range.lo = 0;
  k.quantity.range.loOpen = true;
  return k;
}

}  // namespace

const ParameterKeys<SolverDef>& gridSolverKeys() {
  using C = CouplingDef;
  using G = GridDef;
  static const ParameterKeys<S> keys = {
      gridKey("cfl", &G::cfl, {0.1, 10, true}),
      gridKey("pressure_tolerance", &G::pressureTolerance, {1e-14, 1e-6, true}),
      gridKey("pressure_iterations", &G::pressureIterations, {10, 2000, true}),
      couplingKey("tolerance", &C::tolerance, {1e-6, 1, true}),
      couplingKey("max_iterations", &C::maxIterations, {1, 100, true}),
      couplingKey("relaxation", &C::relaxation, {0.01, 1, true}, partitioned),
      couplingKey("w0", &C::w0, {0.01, 1, true}, learns),
      couplingKey("step_cap", &C::stepCap, {0, 2}, learns),
      couplingKey("column_filter", &C::columnFilter, {1e-14, 1e-2, true}, learns),
      couplingKey("p0_tolerance", &C::p0Tolerance, {1e-6, 1e-1, true}, solvesPressure),
  };
  return keys;
}

const ParameterKeys<FluidDef>& gridFluidKeys(int dimension) {
  const auto make = [](bool plane) {
    ParameterKeys<FluidDef> list = {positive(keyOf(fluidTable(), "density", &FluidDef::density, {0.1, 10, true})), buoyancyKey(0)};
    if (!plane) list.push_back(buoyancyKey(1));
    list.push_back(buoyancyKey(2));
    for (std::size_t k = 0; k < kInflows; ++k) {
      list.push_back(inflowKey(k, "speed", &InflowDef::speed, {-2, 2}));
      list.push_back(inflowKey(k, "smoke", &InflowDef::smoke, {0, 2}));
    }
    return list;
  };
  static const ParameterKeys<FluidDef> inPlane = make(true), inSpace = make(false);
  return dimension == 2 ? inPlane : inSpace;
}

const ParameterKeys<SolidDef>& gridSolidKeys() {
  using M = MaterialDef;
  static const ParameterKeys<SolidDef> keys = {
      positive(materialKey("density", &M::density, {1, 10000, true}, isFull)),
      positive(materialKey("areal_density", &M::arealDensity, {0.001, 10, true}, isShell)),
      positive(materialKey("youngs_modulus", &M::youngsModulus, {1, 1e7, true}, deforms)),
      positive(materialKey("thickness", &M::thickness, {1e-4, 0.1, true}, isShell)),
      materialKey("damping", &M::damping, {0, 0.1}, deforms),
  };
  return keys;
}

}  // namespace meniscus::api
