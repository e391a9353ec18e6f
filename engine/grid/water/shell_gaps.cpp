#include "engine/grid/water/shell_gaps.h"

#include <cmath>

#include "engine/grid/smoke/filled_cells.h"

namespace meniscus {

template <int D>
std::vector<std::array<double, 2>> shellGaps(const MacGrid<D>& grid, const ShellMesh<D>& mesh, const std::vector<double>& x,
                                             const ShellFaces<D>& faces) {
  std::vector<std::array<double, 2>> gaps(faces.face.size(), {1, 1});
  for (const ShellCrossing<D>& c : faces.crossing) {
    const ShellFace<D>& f = faces.face[std::size_t(c.row)];
    const std::size_t a = std::size_t(f.axis);
    const double at = interpolated<D>(mesh.elements[std::size_t(c.element)], c.barycentric, x)[a];
    const double part = std::clamp((at - grid.faceCentre(f.axis, f.cell)[a]) / grid.dx + 0.5, 0.0, 1.0);
    std::array<double, 2>& gap = gaps[std::size_t(c.row)];
    gap = {std::min(gap[0], part), std::min(gap[1], 1 - part)};
  }
  return gaps;
}

template <int D>
double volumeBesideShell(const WaterBesideShell<D>& at, FilledBodies<D>& bodies) {
  const MacGrid<D>& grid = at.domain.grid;
  const ShellFaces<D>& faces = at.faces;
  const std::vector<std::array<double, 2>> gaps = shellGaps(grid, at.mesh, at.x, faces);
  std::vector<char> ofBody(gaps.size(), 0);
  for (const ShellCrossing<D>& c : faces.crossing) ofBody[std::size_t(c.row)] |= bodies.filled(c.element);
  double sum = 0;
  for (std::size_t r = 0; r < gaps.size(); ++r) {
    if (ofBody[r]) continue;
    const Offset upper = grid.cell(faces.face[r].cell), lower = upper - grid.cellStride(faces.face[r].axis);
    const double before = at.air[faces.face[r].axis][std::size_t(faces.face[r].face)] / grid.dx;
    // a cell that the surface is in before the shell counts by its distance, one that the shell is in the water of as a whole
    const auto beside = [&](Offset cell, double gap) {
      const double d = at.levelSet[std::size_t(cell)] / grid.dx;
      if (d < 0) sum += gap - before - (before > 0 ? std::min(-d, 0.5) : 0.5);
    };
    beside(lower, gaps[r][0]);
    beside(upper, gaps[r][1]);
  }
  sum *= std::pow(grid.dx, D) / D;
  if (!bodies.any()) return sum;
  std::vector<double> share;
  findBodyShares(grid, bodies, at.x, share);
  const std::vector<char> filled = findFilledCells(grid, faces, bodies.elements());
  return sum + volumeBesideBodies<D>({grid, at.mesh, at.x, faces, filled, at.domain.gravity, at.levelSet}, at.air, share);
}

#define MNS_INSTANTIATE(D)                                                                                                     \
  template std::vector<std::array<double, 2>> shellGaps<D>(const MacGrid<D>&, const ShellMesh<D>&, const std::vector<double>&, \
                                                           const ShellFaces<D>&);                                              \
  template double volumeBesideShell<D>(const WaterBesideShell<D>&, FilledBodies<D>&);
MNS_INSTANTIATE(2)
MNS_INSTANTIATE(3)
#undef MNS_INSTANTIATE

}  // namespace meniscus
