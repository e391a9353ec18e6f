// Divergence D, its transpose (the pressure force) and the density by summation, with mirror images at solids: the identities that
// make the method conserve, in a double oracle with exact distances.
#include <gtest/gtest.h>

#include <random>

#include "kernels/fluid/lattice.h"
#include "tests/oracle/mirror_oracle.h"

namespace meniscus {
namespace {

std::mt19937 rng(3);
double uniform() { return std::uniform_real_distribution<double>(-1, 1)(rng); }
Vec3d uniform3() { return {uniform(), uniform(), uniform()}; }

// ---- the oracle's own solids: exact distances to planes and spheres that may move ----

struct Wall {
  Vec3d n, point;     // plane
  double radius = 0;  // > 0: fluid outside a sphere about `point`; < 0: inside one
  Vec3d velocity;
};

oracle::Surface distanceTo(const Wall& w, const Vec3d& x) {
  if (w.radius == 0) return {w.n, dot(w.n, x - w.point), 1};
  const Vec3d r = x - w.point;
  const double l = norm(r);
  return w.radius > 0 ? oracle::Surface{r / l, l - w.radius, 1} : oracle::Surface{-r / l, -w.radius - l, 1};
}

constexpr double kDx = 0.02, kH = 2 * kDx;

struct Case {
  std::vector<Wall> walls;
  std::vector<Vec3d> x, u;
  std::vector<double> q;
  oracle::Fluid fluid(double t) const {
    std::vector<oracle::Particle> p;
    for (std::size_t i = 0; i < x.size(); ++i) {
      p.push_back({x[i] + u[i] * t, {}});
      for (Wall w : walls) {
        w.point += w.velocity * t;
        const oracle::Surface s = distanceTo(w, p.back().x);
        // all of them, in a fixed order and whatever the distance: what enters the support during a difference must not jump
        if (s.d < 3 * kH) p.back().features.push_back(s);
      }
    }
    return oracle::Fluid(std::move(p), kH, kDx * kDx * kDx);
  }
  std::vector<std::vector<double>> surfaceSpeeds() const {
    std::vector<std::vector<double>> nu;
    for (const Vec3d& p : x) {
      nu.emplace_back();
      for (const Wall& w : walls) {
        const oracle::Surface s = distanceTo(w, p);
        if (s.d < 3 * kH) nu.back().push_back(dot(s.n, w.velocity));
      }
    }
    return nu;
  }
};

// Random particles beside the walls, none nearer than a fifth of a spacing to a wall and half a spacing to another.
Case makeCase(const std::vector<Wall>& walls, int n) {
  Case c;
  c.walls = walls;
  while (int(c.x.size()) < n) {
    const Vec3d x = uniform3() * 0.05;
    bool good = true;
    for (const Wall& w : walls) good &= distanceTo(w, x).d > 0.2 * kDx;
    for (const Vec3d& y : c.x) good &= norm(x - y) > 0.5 * kDx;
    if (!good) continue;
    c.x.push_back(x);
    c.u.push_back(uniform3());
    c.q.push_back(uniform());
  }
  return c;
}

std::vector<std::pair<std::string, Case>> cases() {
  const Vec3d v{0.3, -0.2, 0.5};
  const Wall floor{{0, 0, 1}, {0, 0, -0.04}, 0, v}, left{{1, 0, 0}, {-0.04, 0, 0}, 0, v * -1.0},
      front{{0, 1, 0}, {0, -0.03, 0}, 0, {}};
  const Wall ceiling{{0, 0, -1}, {0, 0, 0.01}, 0, {0, 0, -0.4}};
  // normals at 120 degrees: an open wedge of 60 degrees, and at 45: one of 135
  const Wall steep{normalized(Vec3d{std::sqrt(3.0), 0, -1}), {-0.03, 0, -0.04}, 0, {}},
      flat{normalized(Vec3d{1, 0, 1}), {-0.03, 0, -0.03}, 0, {}};
  return {{"none", makeCase({}, 60)},
          {"floor", makeCase({floor}, 60)},
          {"edge", makeCase({floor, left}, 60)},
          {"corner", makeCase({floor, left, front}, 60)},
          {"slot", makeCase({floor, ceiling}, 40)},
          {"60 degrees", makeCase({floor, steep}, 40)},
          {"135 degrees", makeCase({floor, flat}, 60)},
          {"ball", makeCase({{{}, {0, 0, 0}, 0.03, v}}, 60)},
          {"bowl", makeCase({{{}, {0, 0, 0}, -0.06, v}}, 60)}};
}

// D is minus the rate of the density sum, particles and solids moving: central differences over +-1e-6 s, an error of order 1e-9
// relative.
TEST(MirrorOracle, DivergenceIsMinusTheRateOfDensity) {
  for (const auto& [name, c] : cases()) {
    const double h = 1e-6;
    const oracle::Fluid now = c.fluid(0), before = c.fluid(-h), after = c.fluid(h);
    const auto nu = c.surfaceSpeeds();
    double most = 0, error = 0;
    for (int a = 0; a < now.n(); ++a) {
      const double rate = (after.density(a) - before.density(a)) / (2 * h), d = now.divergence(a, c.u, nu);
      most = std::max(most, std::fabs(d));
      error = std::max(error, std::fabs(rate + d));
    }
    EXPECT_GT(most, 1) << name;
    EXPECT_LT(error, 1e-6 * most) << name;
  }
}

// <D (u, nu), q> = <(u, nu), D^T q> to 1e-12, the force written as a sum over pairs with q_a + q_b.
TEST(MirrorOracle, ForceIsTheTransposeOfDivergence) {
  for (const auto& [name, c] : cases()) {
    const oracle::Fluid f = c.fluid(0);
    auto nu = c.surfaceSpeeds();
    for (auto& row : nu)
      for (auto& v : row) v = uniform();
    std::vector<Vec3d> force;
    std::vector<std::vector<double>> phi;
    f.transpose(c.q, force, phi);
    double left = 0, right = 0, size = 0;
    for (int a = 0; a < f.n(); ++a) {
      const double d = f.divergence(a, c.u, nu) * c.q[a];
      left += d;
      size += std::fabs(d);
      right += dot(force[a], c.u[a]);
      for (std::size_t i = 0; i < nu[a].size(); ++i) right += phi[a][i] * nu[a][i];
    }
    EXPECT_NEAR(left, right, 1e-12 * size) << name;
  }
}

// Action and reaction: whatever the pressures, the forces on the particles and on the solids add up to nothing.
TEST(MirrorOracle, ForcesOnFluidAndSolidsCancel) {
  for (const auto& [name, c] : cases()) {
    const oracle::Fluid f = c.fluid(0);
    std::vector<Vec3d> force;
    std::vector<std::vector<double>> phi;
    f.transpose(c.q, force, phi);
    Vec3d sum{};
    double size = 0;
    for (int a = 0; a < f.n(); ++a) {
      sum += force[a];
      size += norm(force[a]);
      for (std::size_t i = 0; i < phi[a].size(); ++i) sum += f.p[a].features[i].n * phi[a][i];
    }
    EXPECT_LT(norm(sum), 1e-12 * size) << name;
  }
}

// The rest state: in a cubic lattice that fills a box half a spacing off its walls, density is the lattice's everywhere, edges and
// corners included, and a constant pressure pushes no particle.
TEST(MirrorOracle, LatticeInABoxIsAtRest) {
  for (const double support : {2.0, 2.4}) {
    const double H = support * kDx, V = kDx * kDx * kDx;
    std::vector<oracle::Particle> p;
    const int n = 6;
    for (int i = 0; i < n * n * n; ++i) {
      const Vec3d x{(i % n + 0.5) * kDx, (i / n % n + 0.5) * kDx, (i / n / n + 0.5) * kDx};
      p.push_back({x, {}});
      for (int k = 0; k < 3; ++k)
        for (const double side : {0.0, n * kDx}) {
          Vec3d normal{};
          normal[k] = side == 0 ? 1 : -1;
          const double d = std::fabs(x[k] - side);
          if (d < H) p.back().features.push_back({normal, d, 1});
        }
    }
    const oracle::Fluid f(std::move(p), H, V);
    const double rest = 1 / latticeSums(kDx, H).cW;
    std::vector<Vec3d> force;
    std::vector<std::vector<double>> phi;
    f.transpose(std::vector<double>(std::size_t(f.n()), 1.0), force, phi);
    const double scale = oracle::latticeC(kDx, H) * kDx;
    for (int a = 0; a < f.n(); ++a) {
      EXPECT_NEAR(f.density(a), rest, 1e-12);
      EXPECT_LT(norm(force[a]), 1e-12 * scale);
    }
  }
}

}  // namespace
}  // namespace meniscus
