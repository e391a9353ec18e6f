#include "engine/grid/water/water_motion.h"

namespace meniscus {
namespace {

enum : char { kUnknown, kKnown, kFixed };  // fixed: keeps its velocity, and is no neighbour's

// Classes the faces of an axis. Those in the air have no velocity until they get one.
template <int D>
struct ClassFace {
  const WaterMotion<D>* m;
  const WaterMatter<D>* matter;
  int axis;
  MacGrid<D> faces;
  char* kind;  // kUnknown only within the band
  double* value;

  void operator()(Index f) const {
    const MacGrid<D>& g = m->domain.grid;
    const double far = kBand * g.dx;
    Cell<D> c = faces.cellAt(f);
    const double above = g.contains(c) ? matter->levelSet[std::size_t(g.cell(c))] : far;
    --c[std::size_t(axis)];
    const double below = g.contains(c) ? matter->levelSet[std::size_t(g.cell(c))] : far;
    kind[f] = above < 0 || below < 0 ? kKnown : kFixed;
    if (kind[f] == kKnown || m->given.given(axis, f) || m->faces1.closed(axis, f)) return;
    value[f] = 0;
    if (std::min(above, below) < far) kind[f] = kUnknown;
  }
};

// The mean of the neighbours that have a velocity and can be seen.
template <int D>
struct SpreadFace {
  const WaterMotion<D>* m;
  int axis;
  MacGrid<D> faces;
  const Index* face;
  const char* kind;
  const double* old;
  char* found;
  double* value;

  void operator()(Index i) const {
    const Cell<D> c = faces.cellAt(face[i]);
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
    found[i] = count > 0;
    value[i] = count > 0 ? sum / count : 0;
  }
};

}  // namespace

template <int D>
void extrapolateVelocity(Exec& exec, const WaterMotion<D>& m, const WaterMatter<D>& matter, Buffer<double>* velocity) {
  const MacGrid<D>& g = m.domain.grid;
  for (int axis = 0; axis < D; ++axis) {
    const MacGrid<D> faces{g.faceExtent(axis), g.dx, g.origin};
    std::vector<char> kind(std::size_t(faces.cells()));
    double* u = velocity[axis].data();
    parallelFor(exec, "water: faces in the air", Index(faces.cells()), ClassFace<D>{&m, &matter, axis, faces, kind.data(), u});
    std::vector<Index> left;
    for (std::size_t f = 0; f < kind.size(); ++f)
      if (kind[f] == kUnknown) left.push_back(Index(f));
    std::vector<char> found(left.size());
    std::vector<double> value(left.size());
    for (int ring = 0; ring < int(kBand); ++ring) {
      parallelFor(exec, "water: extrapolation", Index(left.size()),
                  SpreadFace<D>{&m, axis, faces, left.data(), kind.data(), u, found.data(), value.data()});
      std::size_t kept = 0;
      for (std::size_t i = 0; i < left.size(); ++i) {
        const Index f = left[i];
        if (found[i]) u[f] = value[i], kind[std::size_t(f)] = kKnown;
        if (!found[i]) left[kept++] = f;
      }
      left.resize(kept);
    }
  }
}

template void extrapolateVelocity<2>(Exec&, const WaterMotion<2>&, const WaterMatter<2>&, Buffer<double>*);
template void extrapolateVelocity<3>(Exec&, const WaterMotion<3>&, const WaterMatter<3>&, Buffer<double>*);

}  // namespace meniscus
