#include "engine/coupling/water_fluid_box.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/coupling/shell_boundary.h"
#include "engine/grid/water/water_seeding.h"
#include "engine/grid/water/water_transfer.h"

namespace meniscus::coupling {
namespace {

template <int D>
const SmokeDomain<D>& checked(const SmokeDomain<D>& domain) {
  domain.check();
  if (!domain.obstacle.elements.empty())
    throw Error(ErrorKind::input, "water: the domain has an obstacle; make it a part of the shell that does not move");
  for (const auto& side : domain.side)
    for (const SideKind kind : side)
      if (kind != SideKind::wall)
        throw Error(ErrorKind::input, "water: a side of the grid is open; make it a wall, water leaves through inflows outwards");
  return domain;
}

// Sets of closed gaps that one solve looks at. They end after a few but where two are the same to round-off.
constexpr int kMostSets = 20;

}  // namespace

template <int D>
WaterFluidBox<D>::WaterFluidBox(Exec& exec, const SmokeDomain<D>& domain, const ShellMesh<D>& mesh,
                                const WaterFluidOptions& options)
    : exec_(exec),
      domain_(checked(domain)),
      mesh_(mesh),
      options_(options),
      lattice_{domain.grid},
      given_(domain_),
      projection_(exec, domain_, given_) {
  for (Offset i = 0; i < domain_.grid.cells(); ++i) cells_.push_back(i);
  checkElements(mesh, "water");
  if (!options.filled.empty() && options.filled.size() != mesh.elements.size())
    throw Error(ErrorKind::input,
                fmt::format("water: {} marks of filled bodies for the {} elements of the shell; give one each, or none",
                            options.filled.size(), mesh.elements.size()));
  gaps_ = NarrowGaps<D>(mesh, options.filled);
  bodies_ = FilledBodies<D>(mesh, options.filled);
  now_.x.assign(std::size_t(mesh.nodes) * D, 0);
  now_.v = now_.x;
  fill([](const Point<D>&) { return 1; });
}

template <int D>
void WaterFluidBox<D>::fill(const std::function<double(const Point<D>&)>& levelSet) {
  findShellFaces(lattice_, mesh_, now_.x, &given_, standing_);
  rays_.build(lattice_, mesh_, now_.x);
  WaterState<D>& w = now_.water;
  w.matter = fillWater<D>(exec_, domain_, given_, standing_, rays_, now_.x, bodies_, levelSet);
  for (int axis = 0; axis < D; ++axis) w.velocity[axis].assign(std::size_t(domain_.grid.faces(axis)), 0);
  for (const Inflow<D>& f : domain_.inflow) w.velocity[f.axis][std::size_t(domain_.grid.face(f.axis, f.face))] = f.velocity;
  w.pressure.assign(std::size_t(domain_.grid.cells()), 0);
  now_.dt = 0;
  now_.version = ++versions_;
}

template <int D>
void WaterFluidBox<D>::setWater(WaterState<D> water) {
  now_.water = std::move(water);
  now_.dt = 0;
  now_.version = ++versions_;
}

template <int D>
void WaterFluidBox<D>::setVelocity(const std::function<Point<D>(const Point<D>&)>& velocity) {
  auto next = std::make_shared<WaterMatter<D>>(matter());
  for (std::size_t p = 0; p < next->particles.x.size(); ++p) next->particles.v[p] = velocity(next->particles.x[p]);
  now_.water.matter = next;
  for (int axis = 0; axis < D; ++axis) {
    const MacGrid<D> faces{domain_.grid.faceExtent(axis), domain_.grid.dx, domain_.grid.origin};
    for (Offset f = 0; f < faces.cells(); ++f)
      if (!given_.given(axis, f))
        now_.water.velocity[axis][std::size_t(f)] = velocity(domain_.grid.faceCentre(axis, faces.cellAt(f)))[std::size_t(axis)];
  }
  now_.version = ++versions_;
}

template <int D>
void WaterFluidBox<D>::setBoundary(const Motion& now) {
  checkBoundary(now, std::size_t(mesh_.nodes) * D, "water");
  if (now_.dt > 0) move(now.position);
  now_.x = now.position;
  now_.v = now.velocity;
  now_.dt = 0;
  now_.version = ++versions_;
}

template <int D>
void WaterFluidBox<D>::move(const std::vector<double>& x) {
  ShellFaces<D> faces;
  ShellRays<D> before, after;
  SweptShell<D> swept;
  findShellFaces(lattice_, mesh_, x, &given_, faces);
  before.build(lattice_, mesh_, now_.x);
  after.build(lattice_, mesh_, x);
  swept.build(lattice_, mesh_, now_.x, x);
  std::vector<double> velocity(x.size());
  for (std::size_t k = 0; k < x.size(); ++k) velocity[k] = (x[k] - now_.x[k]) / now_.dt;
  const WaterMotion<D> m{domain_, given_, before, after, swept, now_.x, x, velocity, standing_, faces, bodies_, now_.dt};
  // the memory of the state before the last one, unless it is saved
  auto next = spare_ && spare_.use_count() == 1 ? std::move(spare_) : std::make_shared<WaterMatter<D>>();
  moveWater(exec_, m, *now_.water.matter, now_.water.velocity, now_.met, scratch_, *next);
  spare_ = std::const_pointer_cast<WaterMatter<D>>(now_.water.matter);
  now_.water.matter = next;
}

template <int D>
void WaterFluidBox<D>::setInflows(const std::vector<double>& velocity) {
  for (std::size_t k = 0; k < domain_.inflow.size(); ++k) {
    Inflow<D>& i = domain_.inflow[k];
    i.velocity = velocity[k];
    now_.water.velocity[i.axis][std::size_t(domain_.grid.face(i.axis, i.face))] = i.velocity;
  }
  now_.version = ++versions_;
}

template <int D>
double WaterFluidBox<D>::faceMass(int axis, Offset f) const {
  const Index row = faces_.row[axis][std::size_t(f)];
  return row >= 0 ? faceMass_[std::size_t(row)] : projection_.faceMass(axis, f);
}

template <int D>
void WaterFluidBox<D>::project(const std::vector<double>& v) {
  applyWeights<D>(weights_, faces_, v, faceVelocity_);
  for (std::size_t r = 0; r < offset_.size(); ++r) faceVelocity_[r] += offset_[r];
  const std::vector<double> asked = faceVelocity_;
  makeCompatible(regions_, std::pow(domain_.grid.dx, D - 1), faceVelocity_);
  for (int axis = 0; axis < D; ++axis) now_.water.velocity[axis] = predicted_[axis];
  report_ = projection_.project(faceVelocity_, options_.pressure, now_.water.velocity, now_.water.pressure);
  lost_ = isLost(report_.residual, projection_.leftOver(), asked, domain_.grid.dx);
  faceImpulse_ = shellImpulses(domain_.grid, faces_, faceMass_, predicted_, faceVelocity_, now_.water.pressure);
  takeOffConstants(regions_, faces_, weights_, hasConstant_, v.size(), faceImpulse_);
}

template <int D>
std::vector<double> WaterFluidBox<D>::stopped(const Motion& end, double dt) {
  if (!isFinite(end)) return end.position;
  arrange(end.position, dt);
  return air_.stopped(predicted_, end, dt);
}

template <int D>
Load WaterFluidBox<D>::solve(const Motion& end, double dt) {
  Load load{LoadKind::impulse, std::vector<double>(now_.x.size(), 0)};
  const auto failed = [&load] {
    load.value.assign(load.value.size(), std::numeric_limits<double>::quiet_NaN());
    return load;
  };
  if (end.position.size() != now_.x.size() || end.velocity.size() != now_.x.size())
    throw Error(ErrorKind::input,
                fmt::format("water: a motion of {} coordinates for a shell of {}", end.position.size(), now_.x.size()));
  if (!isFinite(end)) return failed();
  arrange(end.position, dt);
  const bool samePiece = held_ && pieceHeld_;
  if (!samePiece) air_.guess(predicted_, end.velocity, dt);
  const Buffer<double> start = now_.water.pressure;
  for (int set = 0; set < kMostSets; ++set) {
    close(dt);
    now_.water.pressure = start;
    project(end.velocity);
    if (samePiece || !settleGaps(end.velocity, dt, [this](Offset i) { return now_.water.pressure[std::size_t(i)]; })) break;
  }
  piece_ += !held_ || air_.closed() != pieceClosed_;
  pieceClosed_ = air_.closed();
  looked_ = false;
  now_.met = air_.met();
  now_.dt = dt;
  now_.version = ++versions_;
  if (lost_) return failed();
  gaps_.impulses(dt, gapImpulse_);
  lift_.addImpulses(dt, gapImpulse_);
  if (options_.load == ShellLoad::impulse) {
    load.value = gapImpulse_;
    applyTransposed<D>(weights_, faces_, faceImpulse_, load.value);
  } else {
    load.value =
        shellPressureLoad(domain_.grid, mesh_, end.position, faces_, pressureJumps(domain_.grid, faces_, now_.water.pressure));
    for (double& j : load.value) j *= options_.pressureScale;
  }
  return load;
}

template <int D>
std::vector<EnclosedRegion> WaterFluidBox<D>::enclosed() const {
  return enclosedBy(regions_, faces_, weights_, std::pow(domain_.grid.dx, D - 1), now_.x.size());
}

template <int D>
bool WaterFluidBox<D>::settleGaps(const std::vector<double>& v, double dt, const std::function<double(Offset)>& pressure) {
  return air_.any() && air_.settle({predicted_, v, dt, 1 / domain_.density, pressure, regions_, faces_, domain_.grid});
}

template <int D>
bool WaterFluidBox<D>::settle(const std::vector<double>& v, double dt, const std::function<double(Offset)>& pressure) {
  return settleGaps(v, dt, pressure);
}

template <int D>
ShellRegions<D> WaterFluidBox<D>::regionsAt(const std::vector<double>& x) const {
  ShellRegions<D> r;
  findShellFaces(lattice_, mesh_, x, &given_, r.faces);
  NarrowGaps<D> gaps = gaps_;
  weighShell<D>(
      {domain_, given_, mesh_, options_.weights, options_.filled}, x, [this](Offset i) { return matter().wet(i); }, r.faces, gaps,
      r.weights);
  // water that air is before has a surface there
  std::vector<char> open;
  for (const ShellFace<D>& f : r.faces.face) open.push_back(matter().air[f.axis][std::size_t(f.face)] > 0);
  if (std::find(open.begin(), open.end(), 1) != open.end()) {
    const ShellFaces<D> faces = r.faces;
    const ShellWeights weights = r.weights;
    withoutRows(faces, weights, open, r.faces, r.weights);
  }
  r.regions = closedWater(domain_, given_, r.faces, matter().levelSet);
  return r;
}

template <int D>
double WaterFluidBox<D>::largestSpeed() const {
  return coupling::largestSpeed(now_.water.velocity);
}

template <int D>
double WaterFluidBox<D>::timeStep(double cells, double most) const {
  const double way = cells * domain_.grid.dx, speed = largestSpeed();
  return speed * most > way ? way / speed : most;
}

template <int D>
GridStep<D> WaterFluidBox<D>::linearised(const std::vector<double>& end, double dt) {
  const AirContacts<D> last = looked_ ? air_ : AirContacts<D>();
  arrange(end, dt);
  std::vector<double> v(end.size());
  for (std::size_t k = 0; k < v.size(); ++k) v[k] = (end[k] - now_.x[k]) / dt;
  air_.guessFrom(last, predicted_, v, dt);
  looked_ = true;
  close(dt);
  gaps_.impulses(dt, gapImpulse_);
  lift_.addImpulses(dt, gapImpulse_);
  return {faces_, weights_, faceMass_, offset_, gapImpulse_, predicted_, projection_.problem(), cells_};
}

template class WaterFluidBox<2>;
template class WaterFluidBox<3>;

}  // namespace meniscus::coupling
