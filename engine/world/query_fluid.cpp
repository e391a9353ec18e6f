// The fluid at a point and in a sphere.
#include <algorithm>
#include <cmath>

#include "engine/world/query.h"
#include "kernels/core/smoothing_kernel.h"

namespace meniscus {

FluidAt Queries::fluidAt(const World& w, const Vec3d& point) {
  FluidAt at;
  if (w.fluid.n == 0) return at;
  const double support = w.scene.solver.support * w.dx;
  const SmoothingKernel<double> kernel = SmoothingKernel<double>::make(support);
  const Vec3d x = point - w.scene.domain.min, reach{support, support, support};
  double sum = 0;
  grid(w).forEachIn(x - reach, x + reach, [&](Index k) {
    const std::size_t i = std::size_t(k);
    const double r = norm(Vec3d(w.fluid.x[i].xyz()) - x);
    if (!(r < support)) return;
    const double weight = kernel.W(r);
    sum += weight;
    at.density += weight * w.scene.fluids[w.fluid.kind[i]].density;
    at.pressure += weight * double(w.fluid.p[i]);
    at.velocity += Vec3d(w.fluid.u[i].xyz()) * weight;
  });
  at.filled = sum * w.particleVolume;
  if (!(sum > 0)) return FluidAt{};
  at.density /= sum;
  at.pressure /= sum;
  at.velocity *= 1 / sum;
  return at;
}

// The linear field that fits the neighbours' velocities best (weighted least squares): exact for it also at walls and surfaces,
// where sums over a kernel that is not full are not.
void Queries::vorticity(const World& w, const Buffer<Index>& order, Vec4f* out) {
  const double support = w.scene.solver.support * w.dx;
  const SmoothingKernel<double> kernel = SmoothingKernel<double>::make(support);
  const ParticleGrid& cells = grid(w);
  const Vec3d reach{support, support, support};
  for (std::size_t k = 0; k < order.size(); ++k) {
    const std::size_t i = std::size_t(order[k]);
    const Vec3d x(w.fluid.x[i].xyz()), u(w.fluid.u[i].xyz());
    Mat3d A{}, M{};
    cells.forEachIn(x - reach, x + reach, [&](Index j) {
      const Vec3d r = Vec3d(w.fluid.x[std::size_t(j)].xyz()) - x;
      if (!(dot(r, r) < support * support)) return;
      const double weight = kernel.absF(norm(r));
      A = A + Mat3d::outer(Vec3d(w.fluid.u[std::size_t(j)].xyz()) - u, r) * weight;
      M = M + Mat3d::outer(r, r) * weight;
    });
    const double size = M.r[0][0] + M.r[1][1] + M.r[2][2];
    constexpr double kFlat = 1e-6;  // of the volume that a full neighbourhood of this size would span
    if (!(determinant(M) > kFlat * size * size * size)) {
      out[k] = {};
      continue;
    }
    const Mat3d g = A * inverse(M);  // g[a][b] = d u_a / d x_b
    out[k] = {float(g.r[2][1] - g.r[1][2]), float(g.r[0][2] - g.r[2][0]), float(g.r[1][0] - g.r[0][1]), 0};
  }
}

// Points of equal weight: shells of equal volume, on each a spiral of equal areas (Fibonacci). At a free surface half of the
// kernel is filled; around that the share in the fluid goes from 0 to 1, so that the force changes smoothly as the sphere sinks.
Buoyancy Queries::buoyancy(const World& w, const Vec3d& center, double radius) {
  constexpr int kShells = 6, kPoints = 64;
  constexpr double kPi = 3.14159265358979323846, kGolden = kPi * (3 - 2.2360679774997896964);
  constexpr double kAir = 0.25, kFluid = 0.75;  // filled
  const double each = 4.0 / 3 * kPi * radius * radius * radius / (kShells * kPoints);
  Buoyancy b;
  double mass = 0;
  for (int shell = 0; shell < kShells; ++shell) {
    const double r = radius * std::cbrt((shell + 0.5) / kShells);
    for (int k = 0; k < kPoints; ++k) {
      const double z = 1 - 2 * (k + 0.5) / kPoints, rho = std::sqrt(1 - z * z), angle = kGolden * k + shell;
      const Vec3d x = center + Vec3d{rho * std::cos(angle), rho * std::sin(angle), z} * r;
      const FluidAt at = fluidAt(w, x);
      const double volume = each * std::clamp((at.filled - kAir) / (kFluid - kAir), 0.0, 1.0);
      b.volume += volume;
      b.center += x * volume;
      b.velocity += at.velocity * volume;
      mass += volume * at.density;
    }
  }
  if (!(b.volume > 0)) return Buoyancy{0, {}, center, {}};
  b.center *= 1 / b.volume;
  b.velocity *= 1 / b.volume;
  b.force = w.scene.gravity * -mass;
  return b;
}

}  // namespace meniscus
