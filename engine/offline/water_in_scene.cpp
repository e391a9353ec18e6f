#include "engine/offline/water_in_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/base/error.h"
#include "engine/offline/fluid_options.h"
#include "engine/offline/grid_axes.h"
#include "engine/offline/water_fill.h"

namespace meniscus::offline {
namespace {

using Numbers = std::vector<double>;

// Points or gradients as numbers, and back.
template <class T>
Numbers flat(const Buffer<T>& list) {
  const double* first = reinterpret_cast<const double*>(list.data());
  return {first, first + list.size() * (sizeof(T) / sizeof(double))};
}
template <class T>
void unflat(const Numbers& from, Buffer<T>& list) {
  list.resizeUninitialized(from.size() / (sizeof(T) / sizeof(double)));
  std::copy(from.begin(), from.end(), reinterpret_cast<double*>(list.data()));
}

template <int D>
WaterFluidOptions optionsOf(const SolverDef& s, const std::vector<SceneSolid<D>>& solids) {
  WaterFluidOptions o = fluidOptions<WaterFluidOptions>(s);
  for (const SceneSolid<D>& solid : solids) o.filled.insert(o.filled.end(), solid.elements.size(), solid.displacesFluid());
  return o;
}

}  // namespace

template <int D>
WaterInScene<D>::WaterInScene(const SceneDef& scene, Exec& exec, const SmokeDomain<D>& domain, const ShellMesh<D>& mesh,
                              const std::vector<SceneSolid<D>>& solids, const Motion& start)
    : domain_(domain), box_(exec, domain, mesh, optionsOf<D>(scene.solver, solids)) {
  box_.setBoundary(start);
  fill(scene, mesh, solids, start);
  const FluidDef& fluid = scene.fluids[0];
  if (fluid.velocity == Vec3d{}) return;
  Point<D> v;
  for (int a = 0; a < D; ++a) v[std::size_t(a)] = fluid.velocity[sceneAxis<D>(a)];
  box_.setVelocity([v](const Point<D>&) { return v; });
}

template <int D>
void WaterInScene<D>::fill(const SceneDef& scene, const ShellMesh<D>& mesh, const std::vector<SceneSolid<D>>& solids,
                           const Motion& start) {
  const GivenFaces<D> given(domain_);
  ShellFaces<D> faces;
  findShellFaces(ShellLattice<D>{domain_.grid}, mesh, start.position, &given, faces);
  const Numbers distance = waterAtStart<D>(scene, domain_, faces, solids);
  box_.fill([&](const Point<D>& x) { return distance[std::size_t(domain_.grid.cell(cellOf<D>(domain_.grid, x)))]; });
}

// An inflow drives its cell from the first step on.
template <int D>
double WaterInScene<D>::largestSpeed() const {
  double most = box_.largestSpeed();
  for (const Inflow<D>& i : domain_.inflow) most = std::max(most, std::abs(i.velocity));
  return most;
}

template <int D>
void WaterInScene<D>::eachFace(const std::function<void(int, double, double)>& visit) const {
  const MacGrid<D>& g = domain_.grid;
  const double mass = domain_.density * std::pow(g.dx, D);
  const auto share = [&](const Cell<D>& c) {
    return g.contains(c) ? std::clamp(0.5 - box_.matter().levelSet[std::size_t(g.cell(c))] / g.dx, 0.0, 1.0) : 0.0;
  };
  for (int axis = 0; axis < D; ++axis) {
    const MacGrid<D> faces{g.faceExtent(axis), g.dx, g.origin};
    for (Offset k = 0; k < faces.cells(); ++k) {
      Cell<D> c = faces.cellAt(k);
      const double upper = share(c);
      --c[std::size_t(axis)];
      visit(axis, box_.state().velocity[axis][std::size_t(k)], 0.5 * mass * (upper + share(c)));
    }
  }
}

template <int D>
WaterReport WaterInScene<D>::water() const {
  const WaterMatter<D>& m = box_.matter();
  return {true, wetVolume(domain_.grid, m.levelSet) + m.spray + m.besideShell, m.volume, std::uint64_t(m.lost)};
}

template <int D>
double WaterInScene<D>::volumeError() const {
  const WaterReport w = water();
  return w.expected > 0 ? std::abs(w.volume - w.expected) / w.expected : -1;
}

template <int D>
void WaterInScene<D>::addFields(double dt, GridFields& f) const {
  for (Offset i = 0; i < domain_.grid.cells(); ++i) {
    f.levelSet.push_back(float(box_.matter().levelSet[std::size_t(i)]));
    f.pressure.push_back(dt > 0 ? float(box_.state().pressure[std::size_t(i)] / dt) : 0);
  }
}

template <int D>
void WaterInScene<D>::putState(OfflineRun::State& state) const {
  const WaterState<D>& water = box_.state();
  const WaterMatter<D>& m = *water.matter;
  for (int axis = 0; axis < D; ++axis) state.push_back({fmt::format("water.velocity.{}", axis), listOf(water.velocity[axis])});
  state.push_back({"water.pressure", listOf(water.pressure)});
  state.push_back({"water.level_set", listOf(m.levelSet)});
  for (int axis = 0; axis < D; ++axis) state.push_back({fmt::format("water.air.{}", axis), listOf(m.air[axis])});
  state.push_back({"water.volume", {m.volume, m.spray, m.besideShell, double(m.lost)}});
  state.push_back({"water.first", Numbers(m.first.begin(), m.first.end())});
  state.push_back({"water.particles.x", flat(m.particles.x)});
  state.push_back({"water.particles.v", flat(m.particles.v)});
  state.push_back({"water.particles.gradient", flat(m.particles.gradient)});
  state.push_back({"water.particles.radius", flat(m.particles.radius)});
}

template <int D>
bool WaterInScene<D>::isLong(const std::string& name) const {
  return name.rfind("water.particles.", 0) == 0;
}

template <int D>
void WaterInScene<D>::checkState(const OfflineRun::State& state) const {
  const Numbers& first = numbersOf(state, "water.first");
  const std::size_t n = numbersOf(state, "water.particles.radius").size();
  bool fits = !first.empty() && first.front() == 0 && first.back() == double(n) && std::is_sorted(first.begin(), first.end());
  const std::pair<const char*, std::size_t> lists[] = {{"x", D}, {"v", D}, {"gradient", D * D}};
  for (const auto& [name, numbers] : lists)
    fits = fits && numbersOf(state, std::string("water.particles.") + name).size() == n * numbers;
  if (!fits) throw Error(ErrorKind::input, "the snapshot's lists of particles do not fit one another");
}

template <int D>
void WaterInScene<D>::takeState(const OfflineRun::State& state) {
  WaterState<D> water;
  auto m = std::make_shared<WaterMatter<D>>();
  for (int axis = 0; axis < D; ++axis) unflat(numbersOf(state, fmt::format("water.velocity.{}", axis)), water.velocity[axis]);
  unflat(numbersOf(state, "water.pressure"), water.pressure);
  unflat(numbersOf(state, "water.level_set"), m->levelSet);
  for (int axis = 0; axis < D; ++axis) unflat(numbersOf(state, fmt::format("water.air.{}", axis)), m->air[axis]);
  const Numbers& volume = numbersOf(state, "water.volume");
  m->volume = volume[0], m->spray = volume[1], m->besideShell = volume[2], m->lost = Offset(volume[3]);
  for (const double k : numbersOf(state, "water.first")) m->first.push_back(Index(k));
  unflat(numbersOf(state, "water.particles.x"), m->particles.x);
  unflat(numbersOf(state, "water.particles.v"), m->particles.v);
  unflat(numbersOf(state, "water.particles.gradient"), m->particles.gradient);
  unflat(numbersOf(state, "water.particles.radius"), m->particles.radius);
  water.matter = m;
  box_.setWater(std::move(water));
}

template class WaterInScene<2>;
template class WaterInScene<3>;

}  // namespace meniscus::offline
