#include "engine/output/anisotropic_kernels.h"

#include <algorithm>
#include <cmath>

#include "kernels/core/symmetric_eigen.h"

namespace meniscus {
namespace {

constexpr double kNeighbourhood = 3;                     // spacings, of the covariance
constexpr double kSmoothed = 2;                          // spacings, of the smoothing
constexpr double kSmoothing = 0.9;                       // lambda of the paper's equation 6
constexpr double kSupport = 2.5;                         // spacings, of a kernel inside
constexpr double kMostFlat = 4;                          // k_r: the longest axis over the shortest
constexpr double kLongest = 1.5;                         // of a kernel's axis inside
constexpr int kFewest = 25;                              // N_epsilon: with fewer neighbours, a sphere
constexpr double kAlone = 0.45;                          // k_n: its size; a particle alone then has about its own volume
constexpr double kNorm = 10.5 / 3.14159265358979323846;  // of w over the unit ball

double weightAt(double r, double radius) {
  const double q = r / radius;
  return 1 - q * q * q;
}

// The variance along an axis that neighbours on a cubic lattice have inside the fluid, in squared spacings: what the covariance is
// measured by, so that kernels are spheres there.
double varianceInside() {
  double sum = 0, weights = 0;
  const int n = int(kNeighbourhood);
  for (int k = -n; k <= n; ++k)
    for (int j = -n; j <= n; ++j)
      for (int i = -n; i <= n; ++i) {
        const double r = std::sqrt(double(i * i + j * j + k * k));
        if (r >= kNeighbourhood) continue;
        const double w = weightAt(r, kNeighbourhood);
        sum += w * r * r / 3;
        weights += w;
      }
  return sum / weights;
}

// From the particle to the weighted mean of its neighbours (the paper's equation 6), and from there back by the mean of those ways:
// equation 6 alone draws every surface in by half a spacing.
struct Shift {
  const ParticleGrid* grid;
  const Vec4f* x;
  const Vec3f* first;  // null in the first pass
  Vec3f* out;
  double radius;

  void operator()(Index i) const {
    const Vec3d at(x[i].xyz()), reach{radius, radius, radius};
    Vec3d sum{};
    double weights = 0;
    grid->forEachIn(at - reach, at + reach, [&](Index j) {
      const Vec3d d = Vec3d(x[j].xyz()) - at;
      const double r = norm(d);
      if (r >= radius) return;
      const double w = weightAt(r, radius);
      sum += (first ? Vec3d(first[j]) : d) * w;
      weights += w;
    });
    const Vec3d mean = sum * (1 / weights);
    out[i] = first ? Vec3f(Vec3d(first[i]) - mean) : Vec3f(mean);
  }
};

struct Neighbourhood {
  Mat3d covariance{};  // m^2
  int count = 0;
};

Neighbourhood neighbourhoodOf(const ParticleGrid& grid, const Vec4f* x, const Vec3d& at, double radius) {
  Neighbourhood s;
  double weights = 0;
  Vec3d sum{};
  Mat3d second{};
  const Vec3d reach{radius, radius, radius};
  grid.forEachIn(at - reach, at + reach, [&](Index j) {
    const Vec3d d = Vec3d(x[j].xyz()) - at;
    const double r = norm(d);
    if (r >= radius) return;
    const double w = weightAt(r, radius);
    weights += w;
    sum += d * w;
    second = second + Mat3d::outer(d, d) * w;
    ++s.count;
  });
  const Vec3d mean = sum * (1 / weights);
  s.covariance = second * (1 / weights) - Mat3d::outer(mean, mean);
  return s;
}

// Its axes are the standard deviations of the neighbours' places. The paper takes the variances, whose ellipsoids are so flat that
// the field falls below one half between the layers of still fluid.
struct MakeEllipsoid {
  const ParticleGrid* grid;
  const Vec4f* x;
  const Vec3f* shift;
  Ellipsoid* out;
  double dx, inside;  // m; m^2

  void operator()(Index i) const {
    const Vec3d at(x[i].xyz());
    const Neighbourhood s = neighbourhoodOf(*grid, x, at, kNeighbourhood * dx);
    Mat3d axes = Mat3d::identity();
    Vec3d size{kAlone, kAlone, kAlone};
    if (s.count > kFewest) {
      const Vec3d variance = symmetricEigen(s.covariance, axes);
      for (int k = 0; k < 3; ++k) size[k] = std::sqrt(std::max(variance[k], 0.0) / inside);
      const double longest = std::max({size.x, size.y, size.z});
      for (int k = 0; k < 3; ++k) size[k] = std::min(std::max(size[k], longest / kMostFlat), kLongest);
    }
    size = size * (kSupport * dx);
    const Mat3d toUnit = Mat3d::diagonal({1 / size.x, 1 / size.y, 1 / size.z}) * axes.transposed();
    const Mat3d m = toUnit.transposed() * toUnit;
    Ellipsoid& e = out[i];
    e.x = Vec3f(at + Vec3d(shift[i]) * kSmoothing);
    e.m00 = float(m.r[0].x), e.m11 = float(m.r[1].y), e.m22 = float(m.r[2].z);
    e.m01 = float(m.r[0].y), e.m02 = float(m.r[0].z), e.m12 = float(m.r[1].z);
    for (int k = 0; k < 3; ++k) e.reach[k] = float(norm(Vec3d{axes.r[k].x * size.x, axes.r[k].y * size.y, axes.r[k].z * size.z}));
    e.weight = float(kNorm * dx * dx * dx / (size.x * size.y * size.z));
  }
};

}  // namespace

double kernelNeighbourhood(double dx) { return kNeighbourhood * dx; }

void anisotropicKernels(Exec& exec, const ParticleGrid& grid, const Vec4f* x, Index n, double dx, Buffer<Ellipsoid>& out) {
  static const double inside = varianceInside();
  Buffer<Vec3f> toMean{std::size_t(n)}, shift{std::size_t(n)};
  parallelFor(exec, "smoothed centres", n, Shift{&grid, x, nullptr, toMean.data(), kSmoothed * dx}, 128);
  parallelFor(exec, "smoothed centres", n, Shift{&grid, x, toMean.data(), shift.data(), kSmoothed * dx}, 128);
  out.resizeUninitialized(std::size_t(n));
  parallelFor(exec, "anisotropic kernels", n, MakeEllipsoid{&grid, x, shift.data(), out.data(), dx, inside * dx * dx}, 128);
}

double fieldAt(const Buffer<Ellipsoid>& ellipsoids, const Vec3d& place) {
  double sum = 0;
  for (const Ellipsoid& e : ellipsoids) {
    const Vec3d r = place - Vec3d(e.x);
    const double q2 =
        e.m00 * r.x * r.x + e.m11 * r.y * r.y + e.m22 * r.z * r.z + 2 * (e.m01 * r.x * r.y + e.m02 * r.x * r.z + e.m12 * r.y * r.z);
    if (q2 >= 1) continue;
    const double q = std::sqrt(q2), a = 1 - q, a2 = a * a;
    sum += e.weight * a2 * a2 * (1 + 4 * q);
  }
  return sum;
}

namespace {

double measuredSurfaceValue() {
  constexpr int wide = 13, deep = 8;  // beyond the reach of what is looked at
  Buffer<Vec4f> x;
  for (int k = 0; k < deep; ++k)
    for (int j = 0; j < wide; ++j)
      for (int i = 0; i < wide; ++i) x.push_back({i + .5f, j + .5f, k + .5f, 1.f});
  ParticleGrid grid;
  grid.build(x.data(), Index(x.size()), {wide, wide, deep + 1}, kNeighbourhood);
  Exec serial(1);
  Buffer<Ellipsoid> ellipsoids;
  anisotropicKernels(serial, grid, x.data(), Index(x.size()), 1, ellipsoids);
  double sum = 0;
  constexpr int samples = 4;  // of a lattice cell, in each direction
  for (int a = 0; a < samples; ++a)
    for (int b = 0; b < samples; ++b)
      sum += fieldAt(ellipsoids, {wide / 2 + (a + .5) / samples, wide / 2 + (b + .5) / samples, double(deep)});
  return sum / (samples * samples);
}

}  // namespace

double surfaceValue() {
  static const double value = measuredSurfaceValue();
  return value;
}

}  // namespace meniscus
