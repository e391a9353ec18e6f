// What a water box makes of a boundary before any velocity of it is known: u*, the faces that the shell closes, their weights and
// masses, and the water that goes along with the shell.
#include <cmath>

#include "engine/coupling/shell_boundary.h"
#include "engine/coupling/water_fluid_box.h"
#include "engine/grid/water/shell_gaps.h"
#include "engine/grid/water/swept_faces.h"
#include "engine/grid/water/water_transfer.h"

namespace meniscus::coupling {

template <int D>
void WaterFluidBox<D>::predict(double dt) {
  if (predictedVersion_ == now_.version && predictedDt_ == dt) return;
  rays_.build(lattice_, mesh_, now_.x);
  findShellFaces(lattice_, mesh_, now_.x, &given_, standing_);
  gatherVelocity(exec_, domain_, given_, standing_, rays_, now_.water, dt, scratch_, unswept_);
  predictedVersion_ = now_.version;
  predictedDt_ = dt;
}

// Where the shell passed over the centre of a face there is no water of the beginning on this side: the shell's velocity is what it
// had beside it.
template <int D>
void WaterFluidBox<D>::sweep(const std::vector<double>& x, double dt) {
  SweptShell<D> swept;
  swept.build(lattice_, mesh_, now_.x, x);
  Point<D> gain = domain_.gravity;
  for (double& a : gain) a *= dt;
  for (int axis = 0; axis < D; ++axis) predicted_[axis] = unswept_[axis];
  setSweptFaces<D>(exec_, domain_, given_, lattice_, mesh_, swept, now_.v, gain, predicted_);
  findSweptCells(exec_, domain_.grid, lattice_, swept, sweptCell_);
}

template <int D>
void WaterFluidBox<D>::place(const std::vector<double>& x) {
  end_ = x;
  findShellFaces(lattice_, mesh_, x, &given_, faces_);
  levelSetBehindShell(domain_.grid, given_, faces_, sweptCell_, matter().levelSet, levelSet_);
  const std::vector<char> filled = weighShell<D>(
      {domain_, given_, mesh_, options_.weights, options_.filled}, x, [this](Offset i) { return levelSet_[std::size_t(i)] < 0; },
      faces_, gaps_, weights_);
  keepOneSided(domain_.grid, standing_, faces_, matter().levelSet, levelSet_, sweptCell_, filled, unswept_, predicted_);
  bodies_.orient(x);
  lift_.find({domain_, faces_, weights_, filled, x, levelSet_}, bodies_);
  air_.set({domain_, given_, mesh_, standing_, now_.x, x, matter()}, faces_, weights_, levelSet_, sweptCell_);
  // before these faces the shell did not come to the water yet
  for (const AirGap<D>& gap : air_.gaps()) predicted_[gap.axis][std::size_t(gap.face)] = unswept_[gap.axis][std::size_t(gap.face)];
}

// The equations with the gaps of air that are closed now.
template <int D>
void WaterFluidBox<D>::close(double dt) {
  air_.arrange(dt, faces_, weights_, offset_);
  projection_.place(levelSet_, faces_, air_.gaps());
  regions_.clear();
  if (projection_.anyClosed()) regions_ = closedWater(domain_, given_, faces_, levelSet_);
  for (ClosedRegion& region : regions_)
    for (std::size_t k = 0; k < region.shellFace.size(); ++k)
      region.outflow += region.sign[k] * std::pow(domain_.grid.dx, D - 1) * offset_[std::size_t(region.shellFace[k])];
  weighFaces();
}

// Water goes along with the shell into cells that the shell leaves: their faces without water at the beginning take its velocity.
template <int D>
void WaterFluidBox<D>::enterCells(double dt) {
  const MacGrid<D>& g = domain_.grid;
  std::array<double, D> middle;
  middle.fill(1.0 / D);
  for (Offset i = 0; i < g.cells(); ++i) {
    const Index e = sweptCell_[std::size_t(i)];
    if (e < 0 || matter().wet(i) || !(levelSet_[std::size_t(i)] < 0)) continue;
    const Point<D> v = interpolated<D>(mesh_.elements[std::size_t(e)], middle, now_.v);
    for (int axis = 0; axis < D; ++axis)
      for (int up = 0; up < 2; ++up) {
        Cell<D> face = g.cellAt(i), beside = face;
        face[std::size_t(axis)] += up;
        beside[std::size_t(axis)] += up ? 1 : -1;
        const Offset f = g.face(axis, face);
        if (given_.given(axis, f) || (g.contains(beside) && matter().wet(g.cell(beside)))) continue;
        predicted_[axis][std::size_t(f)] = v[std::size_t(axis)] + dt * domain_.gravity[std::size_t(axis)];
      }
  }
}

// The water between the centre of a wet cell beside the face and the first place where the shell crosses the way to the other
// centre. With the pressures at the centres this is the pressure at the shell itself in water at rest, and the buoyancy is that of
// the body and not of its cells. Where air was, it is the water up to its surface.
template <int D>
void WaterFluidBox<D>::weighFaces() {
  const MacGrid<D>& g = domain_.grid;
  const std::vector<std::array<double, 2>> gaps = shellGaps(g, mesh_, end_, faces_);
  faceMass_.assign(faces_.face.size(), 0);
  for (std::size_t r = 0; r < faceMass_.size(); ++r) {
    const Offset upper = g.cell(faces_.face[r].cell), lower = upper - g.cellStride(faces_.face[r].axis);
    const auto wet = [&](Offset i) { return levelSet_[std::size_t(i)] < 0; };
    const double part = (wet(lower) ? gaps[r][0] : 0) + (wet(upper) ? gaps[r][1] : 0);
    faceMass_[r] = part * domain_.density * std::pow(g.dx, D);
  }
  for (const AirGap<D>& gap : air_.gaps())
    if (const Index r = faces_.row[gap.axis][std::size_t(gap.face)]; r >= 0)
      faceMass_[std::size_t(r)] = gap.surface * domain_.density * std::pow(g.dx, D);
}

// What is the same for all velocities of a boundary that moves to x: u*, faces, W, masses.
template <int D>
void WaterFluidBox<D>::arrange(const std::vector<double>& x, double dt) {
  if (held_) return;
  predict(dt);
  sweep(x, dt);
  place(x);
  enterCells(dt);
}

#define MNS_INSTANTIATE(D)                                                   \
  template void WaterFluidBox<D>::predict(double);                           \
  template void WaterFluidBox<D>::sweep(const std::vector<double>&, double); \
  template void WaterFluidBox<D>::place(const std::vector<double>&);         \
  template void WaterFluidBox<D>::close(double);                             \
  template void WaterFluidBox<D>::enterCells(double);                        \
  template void WaterFluidBox<D>::weighFaces();                              \
  template void WaterFluidBox<D>::arrange(const std::vector<double>&, double);
MNS_INSTANTIATE(2)
MNS_INSTANTIATE(3)
#undef MNS_INSTANTIATE

}  // namespace meniscus::coupling
