#include "engine/coupling/smoke_fluid_box.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "engine/coupling/shell_pressure.h"

namespace meniscus::coupling {
namespace {

bool finite(const std::vector<double>& v) {
  for (const double k : v)
    if (!std::isfinite(k)) return false;
  return true;
}

template <int D>
const SmokeDomain<D>& checked(const SmokeDomain<D>& domain) {
  domain.check();
  return domain;
}

// A pressure whose residual is above this was not found.
constexpr double kLostPressure = 1e-6;

}  // namespace

template <int D>
SmokeFluidBox<D>::SmokeFluidBox(Exec& exec, const SmokeDomain<D>& domain, const ShellMesh<D>& mesh,
                                const SmokeFluidOptions& options)
    : exec_(exec),
      domain_(checked(domain)),
      mesh_(mesh),
      options_(options),
      lattice_{domain.grid},
      given_(domain_),
      projection_(exec, domain_, given_) {
  for (std::size_t e = 0; e < mesh.elements.size(); ++e)
    for (const Index i : mesh.elements[e])
      if (i < 0 || i >= mesh.nodes)
        throw Error(ErrorKind::input, fmt::format("smoke: element {} of the shell has node {} of {}", e, i, mesh.nodes));
  now_.smoke = smokeAtRest(domain_);
  now_.x.assign(std::size_t(mesh.nodes) * D, 0);
  now_.v = now_.x;
  for (Buffer<Index>& row : faces_.row) row = {};
}

template <int D>
SmokeFluidBox<D>::~SmokeFluidBox() = default;

template <int D>
void SmokeFluidBox<D>::setBoundary(const Motion& now) {
  const std::size_t n = std::size_t(mesh_.nodes) * D;
  if (now.position.size() != n || now.velocity.size() != n || !finite(now.position) || !finite(now.velocity))
    throw Error(ErrorKind::input,
                fmt::format("smoke: the boundary has {} coordinates and {} velocities, or some that are not finite; "
                            "the shell has {}",
                            now.position.size(), now.velocity.size(), n));
  if (now_.dt > 0) {
    ShellFaces<D> faces;
    findShellFaces(lattice_, mesh_, now.position, faces);
    StandingShell<D> shell;
    shell.rays.build(lattice_, mesh_, now_.x);
    advectScalars(exec_, domain_, given_, shell, now_.x, now.position, faces, now_.dt, now_.smoke);
  }
  now_.x = now.position;
  now_.v = now.velocity;
  now_.dt = 0;
  now_.version = ++versions_;
}

template <int D>
void SmokeFluidBox<D>::predict(double dt) {
  if (predictedVersion_ == now_.version && predictedDt_ == dt) return;
  standing_.rays.build(lattice_, mesh_, now_.x);
  standing_.velocity = now_.v;
  predictVelocity(exec_, domain_, given_, now_.smoke, standing_, dt, unswept_);
  predictedVersion_ = now_.version;
  predictedDt_ = dt;
}

// Where the shell passed over the centre of a face there is no fluid of the beginning on this side: the shell's velocity is what it
// had beside it.
template <int D>
void SmokeFluidBox<D>::sweep(const std::vector<double>& x) {
  SweptShell<D> swept;
  swept.build(lattice_, mesh_, now_.x, x);
  std::array<double, D> middle;
  middle.fill(1.0 / D);
  for (int axis = 0; axis < D; ++axis) {
    predicted_[axis] = unswept_[axis];
    const MacGrid<D> faces{domain_.grid.faceExtent(axis), domain_.grid.dx, domain_.grid.origin};
    for (Offset f = 0; f < faces.cells(); ++f) {
      if (given_.given(axis, f)) continue;
      const std::vector<Index> passing = swept.passing(lattice_.faceCentre(axis, faces.cellAt(f)));
      if (!passing.empty())
        predicted_[axis][std::size_t(f)] =
            interpolated<D>(mesh_.elements[std::size_t(passing[0])], middle, now_.v)[std::size_t(axis)];
    }
  }
}

template <int D>
void SmokeFluidBox<D>::project(const std::vector<double>& x, const std::vector<double>& v) {
  findShellFaces(lattice_, mesh_, x, faces_);
  weights_ = shellWeights(domain_.grid, mesh_, x, faces_, options_.weights);
  applyWeights<D>(weights_, faces_, v, faceVelocity_);
  regions_ = closedRegions(domain_, given_, faces_);
  makeCompatible(regions_, std::pow(domain_.grid.dx, D - 1), faceVelocity_);
  for (int axis = 0; axis < D; ++axis) now_.smoke.velocity[axis] = predicted_[axis];
  report_ = projection_.project(faces_, faceVelocity_, options_.pressure, now_.smoke.velocity, now_.smoke.pressure);
  faceImpulse_ = shellImpulses(domain_, faces_, predicted_, faceVelocity_, now_.smoke.pressure);
}

template <int D>
Load SmokeFluidBox<D>::solve(const Motion& end, double dt) {
  Load load{LoadKind::impulse, std::vector<double>(now_.x.size(), 0)};
  const auto failed = [&load] {
    load.value.assign(load.value.size(), std::numeric_limits<double>::quiet_NaN());
    return load;
  };
  if (end.position.size() != now_.x.size() || end.velocity.size() != now_.x.size())
    throw Error(ErrorKind::input,
                fmt::format("smoke: a motion of {} coordinates for a shell of {}", end.position.size(), now_.x.size()));
  if (!finite(end.position) || !finite(end.velocity)) return failed();
  predict(dt);
  sweep(end.position);
  project(end.position, end.velocity);
  now_.dt = dt;
  now_.version = ++versions_;
  if (!(report_.residual <= kLostPressure)) return failed();
  if (options_.load == ShellLoad::impulse) {
    applyTransposed<D>(weights_, faces_, faceImpulse_, load.value);
  } else {
    load.value =
        shellPressureLoad(domain_.grid, mesh_, end.position, faces_, pressureJumps(domain_.grid, faces_, now_.smoke.pressure));
    for (double& j : load.value) j *= options_.pressureScale;
  }
  return load;
}

template <int D>
void SmokeFluidBox<D>::startFromPotentialFlow() {
  for (int axis = 0; axis < D; ++axis) predicted_[axis] = now_.smoke.velocity[axis];
  project(now_.x, now_.v);
  now_.smoke.pressure.assign(now_.smoke.pressure.size(), 0);
  now_.version = ++versions_;
}

template <int D>
std::vector<EnclosedRegion> SmokeFluidBox<D>::enclosed() const {
  std::vector<EnclosedRegion> all;
  const double area = std::pow(domain_.grid.dx, D - 1);
  for (const ClosedRegion& region : regions_) {
    if (region.shellFace.empty()) continue;
    std::vector<double> sided(faces_.face.size(), 0);
    for (std::size_t k = 0; k < region.shellFace.size(); ++k) sided[std::size_t(region.shellFace[k])] = area * region.sign[k];
    all.push_back({std::vector<double>(now_.x.size(), 0), region.outflow});
    applyTransposed<D>(weights_, faces_, sided, all.back().area);
  }
  return all;
}

template <int D>
double SmokeFluidBox<D>::largestSpeed() const {
  double most = 0;
  for (const Buffer<double>& u : now_.smoke.velocity)
    for (std::size_t f = 0; f < u.size(); ++f) most = std::max(most, std::abs(u[f]));
  return most;
}

template <int D>
SmokeStep<D> SmokeFluidBox<D>::linearised(double dt) {
  SmokeStep<D> s;
  predict(dt);
  for (int axis = 0; axis < D; ++axis) s.predicted[axis] = unswept_[axis];
  findShellFaces(lattice_, mesh_, now_.x, s.faces);
  s.weights = shellWeights(domain_.grid, mesh_, now_.x, s.faces, options_.weights);
  s.faceArea = std::pow(domain_.grid.dx, D - 1);
  s.faceMass = domain_.density * s.faceArea * domain_.grid.dx;
  return s;
}

template class SmokeFluidBox<2>;
template class SmokeFluidBox<3>;

}  // namespace meniscus::coupling
