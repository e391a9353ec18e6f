#include "engine/grid/water/shell_gaps.h"

#include <cmath>

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
double volumeBesideShell(const MacGrid<D>& grid, const ShellMesh<D>& mesh, const std::vector<double>& x, const ShellFaces<D>& faces,
                         const Buffer<double>& levelSet) {
  const std::vector<std::array<double, 2>> gaps = shellGaps(grid, mesh, x, faces);
  double sum = 0;
  for (std::size_t r = 0; r < gaps.size(); ++r) {
    const Offset upper = grid.cell(faces.face[r].cell), lower = upper - grid.cellStride(faces.face[r].axis);
    if (levelSet[std::size_t(lower)] < 0) sum += gaps[r][0] - 0.5;
    if (levelSet[std::size_t(upper)] < 0) sum += gaps[r][1] - 0.5;
  }
  return sum * std::pow(grid.dx, D) / D;
}

#define MNS_INSTANTIATE(D)                                                                                                       \
  template std::vector<std::array<double, 2>> shellGaps<D>(const MacGrid<D>&, const ShellMesh<D>&, const std::vector<double>&,   \
                                                           const ShellFaces<D>&);                                                \
  template double volumeBesideShell<D>(const MacGrid<D>&, const ShellMesh<D>&, const std::vector<double>&, const ShellFaces<D>&, \
                                       const Buffer<double>&);
MNS_INSTANTIATE(2)
MNS_INSTANTIATE(3)
#undef MNS_INSTANTIATE

}  // namespace meniscus
