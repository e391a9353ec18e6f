#include "engine/grid/water/swept_faces.h"

#include "engine/grid/water/water_state.h"

namespace meniscus {
namespace {

template <int D>
struct SetSweptFace {
  const GivenFaces<D>* given;
  const ShellLattice<D>* lattice;
  const ShellMesh<D>* mesh;
  const SweptShell<D>* swept;
  const std::vector<double>* nodeVelocity;
  int axis;
  double gain;
  MacGrid<D> faces;
  double* velocity;

  void operator()(Index f) const {
    if (given->given(axis, f)) return;
    const std::vector<Index> passing = swept->passing(lattice->faceCentre(axis, faces.cellAt(f)));
    if (passing.empty()) return;
    std::array<double, D> middle;
    middle.fill(1.0 / D);
    const std::array<Index, D>& element = mesh->elements[std::size_t(passing[0])];
    velocity[f] = interpolated<D>(element, middle, *nodeVelocity)[std::size_t(axis)] + gain;
  }
};

}  // namespace

template <int D>
void setSweptFaces(Exec& exec, const SmokeDomain<D>& domain, const GivenFaces<D>& given, const ShellLattice<D>& lattice,
                   const ShellMesh<D>& mesh, const SweptShell<D>& swept, const std::vector<double>& nodeVelocity,
                   const Point<D>& gain, Buffer<double>* velocity) {
  if (mesh.elements.empty()) return;
  for (int axis = 0; axis < D; ++axis) {
    const MacGrid<D> faces{domain.grid.faceExtent(axis), domain.grid.dx, domain.grid.origin};
    parallelFor(exec, "water: swept faces", Index(faces.cells()),
                SetSweptFace<D>{&given, &lattice, &mesh, &swept, &nodeVelocity, axis, gain[std::size_t(axis)], faces,
                                velocity[axis].data()});
  }
}

namespace {

template <int D>
struct FindSweptCell {
  const MacGrid<D>* grid;
  const ShellLattice<D>* lattice;
  const SweptShell<D>* swept;
  Index* element;
  void operator()(Index i) const {
    const std::vector<Index> passing = swept->passing(lattice->centre(grid->cellAt(i)));
    element[i] = passing.empty() ? -1 : passing[0];
  }
};

}  // namespace

template <int D>
void findSweptCells(Exec& exec, const MacGrid<D>& grid, const ShellLattice<D>& lattice, const SweptShell<D>& swept,
                    std::vector<Index>& element) {
  element.assign(std::size_t(grid.cells()), -1);
  parallelFor(exec, "water: swept cells", Index(grid.cells()), FindSweptCell<D>{&grid, &lattice, &swept, element.data()});
}

template <int D>
void levelSetBehindShell(const MacGrid<D>& grid, const GivenFaces<D>& given, const ShellFaces<D>& faces,
                         const std::vector<Index>& element, const Buffer<double>& before, Buffer<double>& after) {
  after = before;
  for (Offset i = 0; i < grid.cells(); ++i) {
    if (element[std::size_t(i)] < 0) continue;
    double sum = 0;
    int count = 0;
    forOpenNeighbours<D>(grid, given, faces, grid.cellAt(i), [&](int, int, Offset, Offset n) {
      if (element[std::size_t(n)] >= 0) return;
      sum += before[std::size_t(n)];
      ++count;
    });
    if (count > 0) after[std::size_t(i)] = sum / count;
  }
}

template <int D>
void keepOneSided(const MacGrid<D>& grid, const ShellFaces<D>& faces0, const ShellFaces<D>& faces, const Buffer<double>& levelSet0,
                  const Buffer<double>& levelSet, const std::vector<Index>& element, const std::vector<char>& filled,
                  const Buffer<double>* unswept, Buffer<double>* velocity) {
  for (const ShellFace<D>& f : faces.face) {
    const Offset upper = grid.cell(f.cell), lower = upper - grid.cellStride(f.axis);
    const bool wetUpper = levelSet[std::size_t(upper)] < 0;
    if (wetUpper == (levelSet[std::size_t(lower)] < 0) || !faces0.closed(f.axis, f.face)) continue;
    const std::size_t water = std::size_t(wetUpper ? upper : lower), other = std::size_t(wetUpper ? lower : upper);
    if (!filled.empty() && filled[other]) continue;
    if (levelSet0[water] < 0 && element[water] < 0) velocity[f.axis][std::size_t(f.face)] = unswept[f.axis][std::size_t(f.face)];
  }
}

#define MNS_INSTANTIATE(D)                                                                                                         \
  template void setSweptFaces<D>(Exec&, const SmokeDomain<D>&, const GivenFaces<D>&, const ShellLattice<D>&, const ShellMesh<D>&,  \
                                 const SweptShell<D>&, const std::vector<double>&, const Point<D>&, Buffer<double>*);              \
  template void findSweptCells<D>(Exec&, const MacGrid<D>&, const ShellLattice<D>&, const SweptShell<D>&, std::vector<Index>&);    \
  template void levelSetBehindShell<D>(const MacGrid<D>&, const GivenFaces<D>&, const ShellFaces<D>&, const std::vector<Index>&,   \
                                       const Buffer<double>&, Buffer<double>&);                                                    \
  template void keepOneSided<D>(const MacGrid<D>&, const ShellFaces<D>&, const ShellFaces<D>&, const Buffer<double>&,              \
                                const Buffer<double>&, const std::vector<Index>&, const std::vector<char>&, const Buffer<double>*, \
                                Buffer<double>*);
MNS_INSTANTIATE(2)
MNS_INSTANTIATE(3)
#undef MNS_INSTANTIATE

}  // namespace meniscus
