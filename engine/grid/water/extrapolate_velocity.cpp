#include "engine/grid/water/water_motion.h"

namespace meniscus {
namespace {

enum : char { kUnknown, kKnown, kFixed };  // fixed: keeps its velocity, and is no neighbour's

template <int D>
char kindOf(const WaterMotion<D>& m, const WaterMatter<D>& matter, int axis, Offset f, Cell<D> c) {
  const MacGrid<D>& g = m.domain.grid;
  bool wet = g.contains(c) && matter.wet(g.cell(c));
  --c[std::size_t(axis)];
  wet = wet || (g.contains(c) && matter.wet(g.cell(c)));
  if (wet) return kKnown;
  return m.given.given(axis, f) || m.faces1.closed(axis, f) ? kFixed : kUnknown;
}

template <int D>
struct SpreadFace {
  const WaterMotion<D>* m;
  int axis;
  MacGrid<D> faces;
  const char* kind;
  const double* old;
  char* newKind;
  double* value;

  void operator()(Index f) const {
    newKind[f] = kind[f];
    value[f] = old[f];
    if (kind[f] != kUnknown) return;
    const Cell<D> c = faces.cellAt(f);
    const ShellLattice<D>& lattice = m->rays1.lattice();
    const LatticePoint<D> p = lattice.faceCentre(axis, c);
    double sum = 0;
    int count = 0;
    for (std::size_t a = 0; a < D; ++a)
      for (const Index step : {Index(-1), Index(1)}) {
        Cell<D> n = c;
        n[a] += step;
        if (!faces.contains(n)) continue;
        const Offset k = faces.cell(n);
        if (kind[k] != kKnown || m->rays1.blocked(p, lattice.faceCentre(axis, n))) continue;
        sum += old[k];
        ++count;
      }
    if (count == 0) return;
    value[f] = sum / count;
    newKind[f] = kKnown;
  }
};

}  // namespace

template <int D>
void extrapolateVelocity(Exec& exec, const WaterMotion<D>& m, const WaterMatter<D>& matter, Buffer<double>* velocity) {
  const MacGrid<D>& g = m.domain.grid;
  for (int axis = 0; axis < D; ++axis) {
    const MacGrid<D> faces{g.faceExtent(axis), g.dx, g.origin};
    std::vector<char> kind(std::size_t(faces.cells())), newKind(kind.size());
    Buffer<double> value(kind.size());
    for (Offset f = 0; f < faces.cells(); ++f) {
      kind[std::size_t(f)] = kindOf<D>(m, matter, axis, f, faces.cellAt(f));
      if (kind[std::size_t(f)] == kUnknown) velocity[axis][std::size_t(f)] = 0;
    }
    for (int ring = 0; ring < int(kBand); ++ring) {
      parallelFor(exec, "water: extrapolation", Index(faces.cells()),
                  SpreadFace<D>{&m, axis, faces, kind.data(), velocity[axis].data(), newKind.data(), value.data()});
      kind.swap(newKind);
      value.swap(velocity[axis]);
    }
  }
}

template void extrapolateVelocity<2>(Exec&, const WaterMotion<2>&, const WaterMatter<2>&, Buffer<double>*);
template void extrapolateVelocity<3>(Exec&, const WaterMotion<3>&, const WaterMatter<3>&, Buffer<double>*);

}  // namespace meniscus
