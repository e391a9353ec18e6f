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

namespace {

constexpr double kPi = 3.14159265358979323846;

// Sums of what is in the sphere, made into means at the end.
struct Immersed {
  Buoyancy sum;
  double mass = 0;  // kg

  void add(double volume, const Vec3d& x, const Vec3d& u, double density) {
    sum.volume += volume;
    sum.center += x * volume;
    sum.velocity += u * volume;
    mass += volume * density;
  }
  Buoyancy result(const Vec3d& gravity, const Vec3d& center) const {
    if (!(sum.volume > 0)) return Buoyancy{0, {}, center, {}};
    return {sum.volume, gravity * -mass, sum.center * (1 / sum.volume), sum.velocity * (1 / sum.volume)};
  }
};

// Share of a ball of radius a that lies in a sphere of radius R >= a, at the distance d of their centres: the caps that the plane
// of their intersection cuts off both. Written with R - d, so that spheres much larger than the ball lose no digits.
double shareInside(double a, double R, double d) {
  if (!(d < R + a)) return 0;
  if (d <= R - a) return 1;
  const double apart = d - R;
  const double h = a - (apart * (d + R) + a * a) / (2 * d);  // height of the ball's cap
  const double H = (a * a - apart * apart) / (2 * d);        // and of the sphere's
  return (h * h * (3 * a - h) + H * H * (3 * R - H)) / (4 * a * a * a);
}

// Points of equal weight: shells of equal volume, on each a spiral of equal areas (Fibonacci). At a free surface half of the
// kernel is filled; around that the share in the fluid goes from 0 to 1, so that the force changes smoothly as the sphere sinks.
void addSamples(Queries& q, const World& w, const Vec3d& center, double radius, Immersed& in) {
  constexpr int kShells = 6, kPoints = 64;
  constexpr double kGolden = kPi * (3 - 2.2360679774997896964);
  constexpr double kAir = 0.25, kFluid = 0.75;  // filled
  const double each = 4.0 / 3 * kPi * radius * radius * radius / (kShells * kPoints);
  for (int shell = 0; shell < kShells; ++shell) {
    const double r = radius * std::cbrt((shell + 0.5) / kShells);
    for (int k = 0; k < kPoints; ++k) {
      const double z = 1 - 2 * (k + 0.5) / kPoints, rho = std::sqrt(1 - z * z), angle = kGolden * k + shell;
      const Vec3d x = center + Vec3d{rho * std::cos(angle), rho * std::sin(angle), z} * r;
      const FluidAt at = q.fluidAt(w, x);
      in.add(each * std::clamp((at.filled - kAir) / (kFluid - kAir), 0.0, 1.0), x, at.velocity, at.density);
    }
  }
}

}  // namespace

// A sphere no larger than the kernel may lie between particles: it is asked point by point. In a larger one the particles
// themselves are counted, each as a ball of its volume, cut by the sphere's surface: however large the sphere is beside the water,
// no layer of water falls between points.
Buoyancy Queries::buoyancy(const World& w, const Vec3d& center, double radius) {
  Immersed in;
  if (radius <= w.scene.solver.support * w.dx) {
    addSamples(*this, w, center, radius, in);
    return in.result(w.scene.gravity, center);
  }
  if (w.fluid.n == 0) return in.result(w.scene.gravity, center);
  const double ball = std::cbrt(w.particleVolume * 3 / (4 * kPi)), most = radius + ball;
  const Vec3d corner = w.scene.domain.min, middle = center - corner, reach{most, most, most};
  grid(w).forEachIn(middle - reach, middle + reach, [&](Index k) {
    const std::size_t i = std::size_t(k);
    const Vec3d x(w.fluid.x[i].xyz());
    const double share = shareInside(ball, radius, norm(x - middle));
    if (share > 0) in.add(share * w.particleVolume, corner + x, Vec3d(w.fluid.u[i].xyz()), w.scene.fluids[w.fluid.kind[i]].density);
  });
  return in.result(w.scene.gravity, center);
}

}  // namespace meniscus
