#include "engine/grid/water/water_step.h"

#include <algorithm>

#include "engine/grid/water/air_gaps.h"
#include "engine/grid/water/shell_gaps.h"
#include "engine/grid/water/swept_faces.h"
#include "engine/grid/water/water_seeding.h"

namespace meniscus {
namespace {

struct FilledCell {
  Offset cell;
  double rate;  // of the cell's volume [m/s]
};

// The volume that flows in, and the cells that it comes to.
template <int D>
double inflowOf(const WaterMotion<D>& m, std::vector<FilledCell>& cells) {
  const MacGrid<D>& g = m.domain.grid;
  double volume = 0;
  for (const Inflow<D>& f : m.domain.inflow) {
    Cell<D> cell = f.face;
    const bool upper = cell[std::size_t(f.axis)] > 0;
    cell[std::size_t(f.axis)] -= Index(upper);
    const double inwards = upper ? -f.velocity : f.velocity;
    volume += m.dt * inwards * std::pow(g.dx, D - 1);
    if (!(inwards > 0)) continue;
    cells.push_back({g.cell(cell), inwards});
  }
  // a cell in a corner has an inflow on each of its sides; a side may have one for each of thousands of faces
  std::stable_sort(cells.begin(), cells.end(), [](const FilledCell& a, const FilledCell& b) { return a.cell < b.cell; });
  std::size_t last = 0;
  for (std::size_t k = 1; k < cells.size(); ++k)
    if (cells[k].cell == cells[last].cell)
      cells[last].rate += cells[k].rate;
    else
      cells[++last] = cells[k];
  if (!cells.empty()) cells.resize(last + 1);
  return volume;
}

// Such a cell fills from its inflow, half a cell from its centre, as the water comes in, and stays full. touched: of each cell, as
// moveAirGaps has it: while the centre is dry no neighbour shows the surface.
template <int D>
void fillAtInflow(const WaterMotion<D>& m, const std::vector<FilledCell>& cells, const Buffer<double>& before,
                  Buffer<double>& levelSet, std::vector<char>& touched) {
  const double half = 0.5 * m.domain.grid.dx;
  for (const FilledCell& k : cells) {
    const double old = std::min(before[std::size_t(k.cell)], half);
    double& d = levelSet[std::size_t(k.cell)];
    d = std::min(d, std::max(old - k.rate * m.dt, -half));
    if (d >= 0) touched[std::size_t(k.cell)] = 1;
  }
}

}  // namespace

template <int D>
void moveWater(Exec& exec, const WaterMotion<D>& m, const WaterMatter<D>& before, Buffer<double>* velocity,
               const std::vector<std::pair<int, Offset>>& met, WaterScratch<D>& scratch, WaterMatter<D>& after) {
  const MacGrid<D>& g = m.domain.grid;
  extrapolateVelocity(exec, m, before, velocity);
  moveParticles(exec, m, before, velocity, scratch.particles, after);
  advectLevelSet(exec, m, before, velocity, after);
  std::vector<FilledCell> atInflow;
  after.volume = before.volume + inflowOf(m, atInflow);
  repairByParticles(exec, m.after(), after.particles, after.volume - before.spray - before.besideShell, after.levelSet);
  std::vector<char> touched;
  moveAirGaps<D>({m.domain, m.given, m.rays1.mesh(), m.faces0, m.x0, m.x1, before}, m.faces1, velocity, m.dt, m.swept, met, after,
                 touched);
  fillAtInflow(m, atInflow, before.levelSet, after.levelSet, touched);
  redistance(exec, g, m.given, m.faces1, after.levelSet, &touched);
  const Offset spray = measureParticles(exec, m.after(), after.levelSet, after.particles);
  after.besideShell = volumeBesideShell<D>({m.domain, m.rays1.mesh(), m.x1, m.faces1, after.levelSet, after.air}, m.bodies);
  // Of what the level set lacks a flying particle has its part of a cell at most: cells have more particles than these where water
  // is drawn together, and if all counted they would drive the surface down, and become more by it.
  const double lacking = after.volume - after.besideShell - wetVolume(g, after.levelSet);
  after.spray = std::clamp(lacking, 0.0, double(spray) * std::pow(g.dx / kParticlesAlong, D));
  holdVolume(g, after.volume - after.spray - after.besideShell, after.levelSet);
  setSweptFaces<D>(exec, m.domain, m.given, m.rays1.lattice(), m.rays1.mesh(), m.swept, m.shellVelocity, {}, velocity);
  reseed(exec, m.after(), velocity, scratch.particles, after);
}

template void moveWater<2>(Exec&, const WaterMotion<2>&, const WaterMatter<2>&, Buffer<double>*,
                           const std::vector<std::pair<int, Offset>>&, WaterScratch<2>&, WaterMatter<2>&);
template void moveWater<3>(Exec&, const WaterMotion<3>&, const WaterMatter<3>&, Buffer<double>*,
                           const std::vector<std::pair<int, Offset>>&, WaterScratch<3>&, WaterMatter<3>&);

}  // namespace meniscus
