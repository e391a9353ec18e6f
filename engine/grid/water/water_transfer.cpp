#include "engine/grid/water/water_transfer.h"

#include "engine/grid/water/scatter_velocity.h"

namespace meniscus {
namespace {

// Less than this is no weight of a particle: it lies on the border of the hat function.
constexpr double kLeastWeight = 1e-6;

template <int D>
struct GatherFace {
  const SmokeDomain<D>* domain;
  const GivenFaces<D>* given;
  const ShellFaces<D>* closed;
  const ShellRays<D>* rays;
  const WaterMatter<D>* matter;
  const double *old, *scattered, *scatteredWeight;
  double dt;
  int axis;
  MacGrid<D> faces;
  double* predicted;

  void operator()(Index f) const {
    predicted[f] = old[f];
    if (given->given(axis, f)) return;
    const MacGrid<D>& g = domain->grid;
    const Cell<D> upper = faces.cellAt(f);
    Cell<D> lower = upper;
    --lower[std::size_t(axis)];
    const Cell<D>* beside[2] = {&lower, &upper};
    bool wet[2];
    for (std::size_t k = 0; k < 2; ++k) wet[k] = g.contains(*beside[k]) && matter->wet(g.cell(*beside[k]));
    if (!wet[0] && !wet[1]) return;
    double sum = scattered[f], weights = scatteredWeight[f];
    const ShellLattice<D>& lattice = rays->lattice();
    if (!isClear(upper)) {
      sum = weights = 0;
      gather(upper, lattice.faceCentre(axis, upper), sum, weights);
    }
    if (weights < kLeastWeight && closed->closed(axis, f)) {
      sum = weights = 0;
      for (std::size_t k = 0; k < 2; ++k)
        if (wet[k]) gather(upper, lattice.centre(*beside[k]), sum, weights);
    }
    if (weights >= kLeastWeight) predicted[f] = sum / weights;
    predicted[f] += dt * domain->gravity[std::size_t(axis)];
  }

 private:
  bool isClear(const Cell<D>& c) const {
    LatticeBox<D> box(rays->lattice().centre(c));
    for (std::size_t a = 0; a < D; ++a) {
      box.lower[a] -= std::int64_t(2) << ShellLattice<D>::kBits;
      box.upper[a] += std::int64_t(2) << ShellLattice<D>::kBits;
    }
    return !rays->anyNear(box);
  }

  // Over the particles whose hat functions reach the face and that can be seen from `eye`.
  void gather(const Cell<D>& face, const LatticePoint<D>& eye, double& sum, double& weights) const {
    const MacGrid<D>& g = domain->grid;
    const Point<D> centre = g.faceCentre(axis, face);
    Cell<D> low = face, high = face;
    for (std::size_t a = 0; a < D; ++a) {
      low[a] = std::max(face[a] - 1, Index(0));
      high[a] = std::min(face[a] + Index(int(a) != axis), g.n[a] - 1);
    }
    for (Cell<D> c = low;;) {
      const std::size_t cell = std::size_t(g.cell(c));
      for (Index p = matter->first[cell]; p < matter->first[cell + 1]; ++p) {
        const Point<D>& x = matter->particles.x[std::size_t(p)];
        double w = 1;
        for (std::size_t a = 0; a < D; ++a) w *= std::max(0.0, 1 - std::abs(x[a] - centre[a]) / g.dx);
        if (w == 0 || rays->blocked(eye, rays->lattice().point(x))) continue;
        double v = matter->particles.v[std::size_t(p)][std::size_t(axis)];
        for (std::size_t a = 0; a < D; ++a)
          v += matter->particles.gradient[std::size_t(p)][std::size_t(axis)][a] * (centre[a] - x[a]);
        sum += w * v;
        weights += w;
      }
      std::size_t a = 0;
      for (; a < D && c[a] == high[a]; ++a) c[a] = low[a];
      if (a == D) return;
      ++c[a];
    }
  }
};

constexpr Index kGrain = 64;

// The 2^D faces of an axis about a point. Beyond the first and the last one the field is constant.
template <int D>
struct FaceStencil {
  Cell<D> base;
  Offset first;
  std::array<Offset, D> stride;
  std::array<std::array<double, 2>, D> part, change;  // weight along each axis of the lower and the upper face, and its derivative

  FaceStencil(const MacGrid<D>& g, int axis, const Point<D>& x) {
    const Cell<D> extent = g.faceExtent(axis);
    for (std::size_t a = 0; a < D; ++a) {
      const double index = (x[a] - g.origin[a]) / g.dx - (int(a) == axis ? 0 : 0.5), last = extent[a] - 1;
      const double within = std::clamp(index, 0.0, last);
      base[a] = std::min(Index(within), std::max(extent[a] - 2, Index(0)));
      stride[a] = extent[a] > 1 ? g.faceStride(axis, int(a)) : 0;
      part[a] = {1 - (within - base[a]), within - base[a]};
      const double slope = index > 0 && index < last ? 1 / g.dx : 0;
      change[a] = {-slope, slope};
    }
    first = g.face(axis, base);
  }
  Offset face(std::size_t k) const {
    Offset f = first;
    for (std::size_t a = 0; a < D; ++a) f += (k >> a & 1) * stride[a];
    return f;
  }
  Cell<D> at(std::size_t k) const {
    Cell<D> c = base;
    for (std::size_t a = 0; a < D; ++a) c[a] += Index((k >> a & 1) && stride[a] > 0);
    return c;
  }
  double weight(std::size_t k) const {
    double w = 1;
    for (std::size_t a = 0; a < D; ++a) w *= part[a][k >> a & 1];
    return w;
  }
  double slope(std::size_t k, std::size_t b) const {
    double w = 1;
    for (std::size_t a = 0; a < D; ++a) w *= (a == b ? change : part)[a][k >> a & 1];
    return w;
  }
};

}  // namespace

template <int D>
Point<D> clearVelocity(const MacGrid<D>& grid, const Buffer<double>* velocity, const Point<D>& x) {
  Point<D> v{};
  for (std::size_t axis = 0; axis < D; ++axis) {
    const FaceStencil<D> s(grid, int(axis), x);
    for (std::size_t k = 0; k < Corners<D>::kCount; ++k) v[axis] += s.weight(k) * velocity[axis][std::size_t(s.face(k))];
  }
  return v;
}

template <int D>
void gatherVelocity(Exec& exec, const SmokeDomain<D>& domain, const GivenFaces<D>& given, const ShellFaces<D>& closed,
                    const ShellRays<D>& rays, const WaterState<D>& state, double dt, WaterScratch<D>& scratch,
                    Buffer<double>* predicted) {
  scatterVelocity(exec, domain.grid, *state.matter, scratch.sum, scratch.weight);
  for (int axis = 0; axis < D; ++axis) {
    const MacGrid<D> faces{domain.grid.faceExtent(axis), domain.grid.dx, domain.grid.origin};
    predicted[axis].resizeUninitialized(std::size_t(faces.cells()));
    parallelFor(exec, "water: predict faces", Index(faces.cells()),
                GatherFace<D>{&domain, &given, &closed, &rays, state.matter.get(), state.velocity[axis].data(),
                              scratch.sum[axis].data(), scratch.weight[axis].data(), dt, axis, faces, predicted[axis].data()},
                kGrain);
  }
}

template <int D>
AffineVelocity<D> affineVelocity(const OneSided<D>& field, const Buffer<double>* velocity, const Point<D>& x) {
  const MacGrid<D>& g = field.grid;
  const LatticePoint<D> p = field.rays.lattice().point(x);
  const bool clear = field.clear(p);
  AffineVelocity<D> at{};
  for (std::size_t axis = 0; axis < D; ++axis) {
    const FaceStencil<D> s(g, int(axis), x);
    for (std::size_t k = 0; k < Corners<D>::kCount; ++k) {
      double value = velocity[axis][std::size_t(s.face(k))];
      if (!clear) {
        const ShellHit<D> hit = field.rays.firstHit(p, field.rays.lattice().faceCentre(int(axis), s.at(k)));
        if (hit.element >= 0) value = field.velocityOf(hit)[axis];
      }
      at.v[axis] += s.weight(k) * value;
      for (std::size_t b = 0; b < D; ++b) at.gradient[axis][b] += s.slope(k, b) * value;
    }
  }
  return at;
}

#define MNS_INSTANTIATE(D)                                                                                                       \
  template void gatherVelocity<D>(Exec&, const SmokeDomain<D>&, const GivenFaces<D>&, const ShellFaces<D>&, const ShellRays<D>&, \
                                  const WaterState<D>&, double, WaterScratch<D>&, Buffer<double>*);                              \
  template Point<D> clearVelocity<D>(const MacGrid<D>&, const Buffer<double>*, const Point<D>&);                                 \
  template AffineVelocity<D> affineVelocity<D>(const OneSided<D>&, const Buffer<double>*, const Point<D>&);
MNS_INSTANTIATE(2)
MNS_INSTANTIATE(3)
#undef MNS_INSTANTIATE

}  // namespace meniscus
