#include "engine/grid/water/water_step.h"

#include "engine/grid/water/air_gaps.h"
#include "engine/grid/water/shell_gaps.h"
#include "engine/grid/water/swept_faces.h"
#include "engine/grid/water/water_seeding.h"

namespace meniscus {
namespace {

// Cells with an inflow into the grid are water: their centres are half a cell from it.
template <int D>
double addInflow(const WaterMotion<D>& m, Buffer<double>& levelSet) {
  const MacGrid<D>& g = m.domain.grid;
  double volume = 0;
  for (const Inflow<D>& f : m.domain.inflow) {
    Cell<D> cell = f.face;
    const bool upper = cell[std::size_t(f.axis)] > 0;
    cell[std::size_t(f.axis)] -= Index(upper);
    const double inwards = upper ? -f.velocity : f.velocity;
    volume += m.dt * inwards * std::pow(g.dx, D - 1);
    double& d = levelSet[std::size_t(g.cell(cell))];
    if (inwards > 0) d = std::min(d, -0.5 * g.dx);
  }
  return volume;
}

}  // namespace

template <int D>
void moveWater(Exec& exec, const WaterMotion<D>& m, const WaterMatter<D>& before, Buffer<double>* velocity,
               const std::vector<std::pair<int, Offset>>& met, WaterScratch<D>& scratch, WaterMatter<D>& after) {
  const MacGrid<D>& g = m.domain.grid;
  extrapolateVelocity(exec, m, before, velocity);
  moveParticles(exec, m, before, velocity, scratch.particles, after);
  advectLevelSet(exec, m, before, velocity, after);
  repairByParticles(exec, m.after(), after.particles, after.levelSet);
  std::vector<char> touched;
  moveAirGaps<D>({m.domain, m.given, m.rays1.mesh(), m.faces0, m.x0, m.x1, before}, m.faces1, velocity, m.dt, m.swept, met, after,
                 touched);
  after.volume = before.volume + addInflow(m, after.levelSet);
  redistance(exec, g, m.given, m.faces1, after.levelSet, &touched);
  // what the volume has beside that of the cells
  const Offset spray = measureParticles(exec, m.after(), after.levelSet, after.particles);
  after.spray = double(spray) * std::pow(g.dx / kParticlesAlong, D);
  after.besideShell = volumeBesideShell(g, m.rays1.mesh(), m.x1, m.faces1, after.levelSet, after.air);
  holdVolume(g, after.volume - after.spray - after.besideShell, after.levelSet);
  setSweptFaces<D>(exec, m.domain, m.given, m.rays1.lattice(), m.rays1.mesh(), m.swept, m.shellVelocity, {}, velocity);
  reseed(exec, m.after(), velocity, scratch.particles, after);
}

template void moveWater<2>(Exec&, const WaterMotion<2>&, const WaterMatter<2>&, Buffer<double>*,
                           const std::vector<std::pair<int, Offset>>&, WaterScratch<2>&, WaterMatter<2>&);
template void moveWater<3>(Exec&, const WaterMotion<3>&, const WaterMatter<3>&, Buffer<double>*,
                           const std::vector<std::pair<int, Offset>>&, WaterScratch<3>&, WaterMatter<3>&);

}  // namespace meniscus
