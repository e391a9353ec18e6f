#include "engine/grid/water/scatter_velocity.h"

namespace meniscus {
namespace {

// A particle in layer k of cells reaches the faces of the layers k - 1 to k + 1: blocks of two layers with one in between are
// apart.
constexpr Index kLayers = 2;

template <int D>
struct ScatterBlock {
  const MacGrid<D>* grid;
  const WaterMatter<D>* matter;
  Buffer<double>*sum, *weight;
  Index colour;

  void operator()(Index i) const {
    const MacGrid<D>& g = *grid;
    const Index layers = g.n[D - 1], begin = (2 * i + colour) * kLayers, end = std::min(begin + kLayers, layers);
    if (begin >= layers) return;
    const Offset layer = g.cellStride(D - 1);
    const Index last = matter->first[std::size_t(end * layer)];
    for (Index p = matter->first[std::size_t(begin * layer)]; p < last; ++p)
      for (int axis = 0; axis < D; ++axis) add(std::size_t(p), axis);
  }

 private:
  void add(std::size_t p, int axis) const {
    const MacGrid<D>& g = *grid;
    const WaterParticles<D>& particles = matter->particles;
    const Point<D>& gradient = particles.gradient[p][std::size_t(axis)];
    const Cell<D> extent = g.faceExtent(axis);
    Cell<D> base;
    std::array<std::array<double, 2>, D> part, change;  // of the weight, of the affine field: at the lower and the upper face
    for (std::size_t a = 0; a < D; ++a) {
      const double index = (particles.x[p][a] - g.origin[a]) / g.dx - (int(a) == axis ? 0 : 0.5), lower = std::floor(index);
      base[a] = Index(lower);
      const double t = index - lower;
      part[a] = {1 - t, t};
      change[a] = {-t * g.dx * gradient[a], (1 - t) * g.dx * gradient[a]};
    }
    for (std::size_t k = 0; k < (std::size_t(1) << D); ++k) {
      Cell<D> c = base;
      double w = 1, v = particles.v[p][std::size_t(axis)];
      bool inside = true;
      for (std::size_t a = 0; a < D; ++a) {
        const std::size_t up = k >> a & 1;
        c[a] += Index(up);
        inside = inside && c[a] >= 0 && c[a] < extent[a];
        w *= part[a][up];
        v += change[a][up];
      }
      if (!inside) continue;
      const std::size_t f = std::size_t(g.face(axis, c));
      sum[axis][f] += w * v;
      weight[axis][f] += w;
    }
  }
};

struct Clear {
  double *sum, *weight;
  void operator()(Index i) const { sum[i] = weight[i] = 0; }
};

}  // namespace

template <int D>
void scatterVelocity(Exec& exec, const MacGrid<D>& grid, const WaterMatter<D>& matter, Buffer<double>* sum,
                     Buffer<double>* weight) {
  for (int axis = 0; axis < D; ++axis) {
    sum[axis].resizeUninitialized(std::size_t(grid.faces(axis)));
    weight[axis].resizeUninitialized(std::size_t(grid.faces(axis)));
    parallelFor(exec, "water: clear faces", Index(grid.faces(axis)), Clear{sum[axis].data(), weight[axis].data()});
  }
  const Index pairs = (grid.n[D - 1] + 2 * kLayers - 1) / (2 * kLayers);
  for (const Index colour : {0, 1})
    parallelFor(exec, "water: particles to faces", pairs, ScatterBlock<D>{&grid, &matter, sum, weight, colour}, 1);
}

template void scatterVelocity<2>(Exec&, const MacGrid<2>&, const WaterMatter<2>&, Buffer<double>*, Buffer<double>*);
template void scatterVelocity<3>(Exec&, const MacGrid<3>&, const WaterMatter<3>&, Buffer<double>*, Buffer<double>*);

}  // namespace meniscus
