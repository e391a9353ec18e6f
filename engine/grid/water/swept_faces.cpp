#include "engine/grid/water/swept_faces.h"

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

#define MNS_INSTANTIATE(D)                                                                                                        \
  template void setSweptFaces<D>(Exec&, const SmokeDomain<D>&, const GivenFaces<D>&, const ShellLattice<D>&, const ShellMesh<D>&, \
                                 const SweptShell<D>&, const std::vector<double>&, const Point<D>&, Buffer<double>*);
MNS_INSTANTIATE(2)
MNS_INSTANTIATE(3)
#undef MNS_INSTANTIATE

}  // namespace meniscus
