#include "engine/offline/smoke_in_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/offline/fluid_options.h"
#include "engine/offline/scene_smoke.h"

namespace meniscus::offline {
namespace {

template <int D>
SmokeFluidOptions optionsOf(const SolverDef& s, const std::vector<SceneSolid<D>>& solids) {
  SmokeFluidOptions o = fluidOptions<SmokeFluidOptions>(s);
  for (const SceneSolid<D>& solid : solids) o.filled.insert(o.filled.end(), solid.elements.size(), solid.displacesFluid());
  return o;
}

// Share of a face's dual cell that is in the grid and no solid's.
template <int D>
double fluidShare(const MacGrid<D>& g, const std::vector<char>& filled, int axis, Cell<D> face) {
  const Index i = face[std::size_t(axis)];
  const auto half = [&](bool in) { return in && (filled.empty() || !filled[std::size_t(g.cell(face))]) ? 0.5 : 0.0; };
  const double after = half(i < g.n[std::size_t(axis)]);
  --face[std::size_t(axis)];
  return after + half(i > 0);
}

}  // namespace

template <int D>
SmokeInScene<D>::SmokeInScene(const SceneDef& scene, Exec& exec, const SmokeDomain<D>& domain, const ShellMesh<D>& mesh,
                              const std::vector<SceneSolid<D>>& solids, const Motion& start)
    : domain_(domain), options_(optionsOf<D>(scene.solver, solids)), box_(exec, domain, mesh, options_) {
  setSmoke(scene, domain, box_.state());
  box_.setBoundary(start);
}

template <int D>
void SmokeInScene<D>::eachFace(const std::function<void(int, double, double)>& visit) const {
  const SmokeState<D>& s = box_.state();
  const double mass = domain_.density * std::pow(domain_.grid.dx, D);
  for (int axis = 0; axis < D; ++axis) {
    const MacGrid<D> faces{domain_.grid.faceExtent(axis), domain_.grid.dx, domain_.grid.origin};
    for (Offset k = 0; k < faces.cells(); ++k)
      visit(axis, s.velocity[axis][std::size_t(k)], mass * fluidShare<D>(domain_.grid, box_.filledCells(), axis, faces.cellAt(k)));
  }
}

template <int D>
void SmokeInScene<D>::addFields(double dt, GridFields& f) const {
  const SmokeState<D>& s = box_.state();
  for (Offset i = 0; i < domain_.grid.cells(); ++i) {
    f.smoke.push_back(float(s.smoke[std::size_t(i)]));
    f.pressure.push_back(dt > 0 ? float(s.pressure[std::size_t(i)] / dt) : 0);
  }
}

template <int D>
void SmokeInScene<D>::putState(OfflineRun::State& state) const {
  const SmokeState<D>& smoke = box_.state();
  for (int axis = 0; axis < D; ++axis) state.push_back({fmt::format("smoke.velocity.{}", axis), listOf(smoke.velocity[axis])});
  state.push_back({"smoke.density", listOf(smoke.smoke)});
  state.push_back({"smoke.temperature", listOf(smoke.temperature)});
  state.push_back({"smoke.pressure", listOf(smoke.pressure)});
}

template <int D>
void SmokeInScene<D>::takeState(const OfflineRun::State& state) {
  SmokeState<D> smoke = box_.state();
  const auto take = [&](const std::string& name, Buffer<double>& to) {
    const std::vector<double>& from = numbersOf(state, name);
    std::copy(from.begin(), from.end(), to.data());
  };
  for (int axis = 0; axis < D; ++axis) take(fmt::format("smoke.velocity.{}", axis), smoke.velocity[axis]);
  take("smoke.density", smoke.smoke);
  take("smoke.temperature", smoke.temperature);
  take("smoke.pressure", smoke.pressure);
  box_.setSmoke(std::move(smoke));
}

template class SmokeInScene<2>;
template class SmokeInScene<3>;

}  // namespace meniscus::offline
