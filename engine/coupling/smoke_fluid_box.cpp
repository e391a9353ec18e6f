#include "engine/coupling/smoke_fluid_box.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

#include "engine/coupling/shell_boundary.h"
#include "engine/coupling/shell_pressure.h"

namespace meniscus::coupling {
namespace {

template <int D>
const SmokeDomain<D>& checked(const SmokeDomain<D>& domain) {
  domain.check();
  return domain;
}

// The shell's elements, then the obstacle's, whose nodes come behind those of the shell.
template <int D>
ShellMesh<D> joined(const ShellMesh<D>& shell, const ShellMesh<D>& obstacle) {
  ShellMesh<D> all = shell;
  all.nodes += obstacle.nodes;
  for (std::array<Index, D> e : obstacle.elements) {
    for (Index& i : e) i += shell.nodes;
    all.elements.push_back(e);
  }
  return all;
}

std::vector<double> joined(std::vector<double> first, const std::vector<double>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

}  // namespace

template <int D>
SmokeFluidBox<D>::SmokeFluidBox(Exec& exec, const SmokeDomain<D>& domain, const ShellMesh<D>& mesh,
                                const SmokeFluidOptions& options)
    : exec_(exec),
      domain_(checked(domain)),
      mesh_(mesh),
      seen_(joined(mesh, domain.obstacle)),
      options_(options),
      lattice_{domain.grid},
      given_(domain_),
      projection_(exec, domain_, given_) {
  checkElements(mesh, "smoke");
  if (!options.filled.empty() && options.filled.size() != mesh.elements.size())
    throw Error(ErrorKind::input,
                fmt::format("smoke: {} marks of filled bodies for the {} elements of the shell; give one each, or none",
                            options.filled.size(), mesh.elements.size()));
  gaps_ = NarrowGaps<D>(mesh, options.filled);
  now_.smoke = smokeAtRest(domain_);
  now_.x.assign(std::size_t(mesh.nodes) * D, 0);
  now_.v = now_.x;
  for (Buffer<Index>& row : faces_.row) row = {};
}

template <int D>
SmokeFluidBox<D>::~SmokeFluidBox() = default;

template <int D>
void SmokeFluidBox<D>::setBoundary(const Motion& now) {
  checkBoundary(now, std::size_t(mesh_.nodes) * D, "smoke");
  if (now_.dt > 0) {
    ShellFaces<D> faces;
    findShellFaces(lattice_, mesh_, now.position, &given_, faces);
    StandingShell<D> shell;
    const std::vector<double> before = joined(now_.x, domain_.obstacleNodes);
    shell.rays.build(lattice_, seen_, before);
    advectScalars(exec_, domain_, given_, shell, before, joined(now.position, domain_.obstacleNodes), faces, now_.dt, now_.smoke);
  }
  now_.x = now.position;
  now_.v = now.velocity;
  now_.dt = 0;
  now_.version = ++versions_;
}

template <int D>
void SmokeFluidBox<D>::setSmoke(SmokeState<D> smoke) {
  now_.smoke = std::move(smoke);
  now_.dt = 0;
  now_.version = ++versions_;
}

template <int D>
void SmokeFluidBox<D>::setInflows(const std::vector<double>& velocity) {
  for (std::size_t k = 0; k < domain_.inflow.size(); ++k) {
    Inflow<D>& i = domain_.inflow[k];
    i.velocity = velocity[k];
    now_.smoke.velocity[i.axis][std::size_t(domain_.grid.face(i.axis, i.face))] = i.velocity;
  }
  now_.version = ++versions_;
}

template <int D>
void SmokeFluidBox<D>::predict(double dt) {
  if (predictedVersion_ == now_.version && predictedDt_ == dt) return;
  standing_.rays.build(lattice_, seen_, joined(now_.x, domain_.obstacleNodes));
  standing_.velocity = joined(now_.v, std::vector<double>(domain_.obstacleNodes.size(), 0));
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

// What is the same for all velocities of a boundary that moves to x: u*, faces, W, masses.
template <int D>
void SmokeFluidBox<D>::place(const std::vector<double>& x) {
  if (held_) return;
  if (options_.place == ShellPlace::end) {
    sweep(x);
    placeShell(x);
    return;
  }
  for (int axis = 0; axis < D; ++axis) predicted_[axis] = unswept_[axis];
  placeShell(now_.x);
}

template <int D>
void SmokeFluidBox<D>::placeShell(const std::vector<double>& x) {
  findShellFaces(lattice_, mesh_, x, &given_, faces_);
  filled_ = weighShell<D>({domain_, given_, mesh_, options_.weights, options_.filled}, x, nullptr, faces_, gaps_, weights_);
  faceMass_ = shellFaceMasses(domain_, faces_, filled_);
  regions_ = closedRegions(domain_, given_, faces_, filled_);
}

template <int D>
void SmokeFluidBox<D>::project(const std::vector<double>& v) {
  applyWeights<D>(weights_, faces_, v, faceVelocity_);
  const std::vector<double> asked = faceVelocity_;
  makeCompatible(regions_, std::pow(domain_.grid.dx, D - 1), faceVelocity_);
  for (int axis = 0; axis < D; ++axis) now_.smoke.velocity[axis] = predicted_[axis];
  report_ = projection_.project(faces_, filled_, faceVelocity_, options_.pressure, now_.smoke.velocity, now_.smoke.pressure);
  lost_ = isLost(report_.residual, projection_.leftOver(), asked, domain_.grid.dx);
  faceImpulse_ = shellImpulses(domain_.grid, faces_, faceMass_, predicted_, faceVelocity_, now_.smoke.pressure);
  takeOffConstants(regions_, faces_, weights_, hasConstant_, v.size(), faceImpulse_);
  extendIntoFilled(domain_.grid, filled_, now_.smoke.velocity);
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
  if (!isFinite(end)) return failed();
  predict(dt);
  place(end.position);
  project(end.velocity);
  now_.dt = dt;
  now_.version = ++versions_;
  if (lost_) return failed();
  gaps_.impulses(dt, gapImpulse_);
  if (options_.load == ShellLoad::impulse) {
    load.value = gapImpulse_;
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
  placeShell(now_.x);
  project(now_.v);
  now_.smoke.pressure.assign(now_.smoke.pressure.size(), 0);
  now_.version = ++versions_;
}

template <int D>
std::vector<EnclosedRegion> SmokeFluidBox<D>::enclosed() const {
  return enclosedBy(regions_, faces_, weights_, std::pow(domain_.grid.dx, D - 1), now_.x.size());
}

template <int D>
ShellRegions<D> SmokeFluidBox<D>::regionsAt(const std::vector<double>& x) const {
  ShellRegions<D> r;
  findShellFaces(lattice_, mesh_, x, &given_, r.faces);
  NarrowGaps<D> gaps = gaps_;
  const std::vector<char> filled =
      weighShell<D>({domain_, given_, mesh_, options_.weights, options_.filled}, x, nullptr, r.faces, gaps, r.weights);
  r.regions = closedRegions(domain_, given_, r.faces, filled);
  return r;
}

template <int D>
double SmokeFluidBox<D>::largestSpeed() const {
  return coupling::largestSpeed(now_.smoke.velocity);
}

template <int D>
GridStep<D> SmokeFluidBox<D>::linearised(const std::vector<double>& end, double dt) {
  predict(dt);
  place(end);
  gaps_.impulses(dt, gapImpulse_);
  offset_.assign(faces_.face.size(), 0);
  return {faces_,
          weights_,
          faceMass_,
          offset_,
          gapImpulse_,
          predicted_,
          projection_.problemBeside(faces_, filled_),
          projection_.problemCells()};
}

template class SmokeFluidBox<2>;
template class SmokeFluidBox<3>;

}  // namespace meniscus::coupling
