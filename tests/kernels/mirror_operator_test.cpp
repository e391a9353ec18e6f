// Divergence D, its transpose (the pressure force) and the density by summation, with mirror images at solids: the identities that
// make the method conserve, in a double oracle and in the engine's single precision passes, and the passes against the oracle.
#include <gtest/gtest.h>

#include "kernels/fluid/mirror_pass.h"
#include "tests/shared/fluid_box.h"

namespace meniscus {
namespace {

using testing::fluidBox;
using testing::FluidBoxDef;
using testing::FluidLists;

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

// ---- the engine's lists and passes ----

FluidBoxDef mixedBox() {
  FluidBoxDef d;
  d.cells = {7, 6, 7};
  d.room = {0.01, 0, 0.03};
  d.sphereRadius = 0.03;
  return d;
}

// D^T p of all particles and the reactions on the slots, by the scalar sums.
std::vector<Vec3f> transposePass(const PairView& v, const std::vector<float>& p, std::vector<float>& phi) {
  const Index n = Index(p.size());
  const NearRange near = nearRange(v, 0, n);
  std::vector<Vec4f> q, surface(std::size_t(near.end) + 1);
  std::vector<float> e(std::size_t(near.slotEnd));
  phi.assign(e.size(), 0.f);
  for (Index i = 0; i < n; ++i) q.push_back(v.xh[i] * p[std::size_t(i)]);
  packMirrorPressures(v, near, p.data(), e.data());
  for (Index k = 0; k < near.end; ++k) linkSums(v, k, e.data(), phi.data());
  mirrorForces(v, near, p.data(), phi.data(), surface.data() + 1);
  std::vector<Vec3f> force;
  for (Index i = 0; i < n; ++i)
    force.push_back(transposeRow(v, i, pairSum(v, i, q.data()), p[std::size_t(i)], surface.data() + 1).xyz());
  return force;
}

// D u of all particles; nu: normal velocities of the slots' surfaces.
std::vector<float> divergencePass(const PairView& v, const std::vector<Vec3f>& u, const std::vector<float>& nu) {
  const Index n = Index(u.size());
  const NearRange near = nearRange(v, 0, n);
  std::vector<Vec4f> q;
  std::vector<float> g(nu.size()), rest(nu.size()), sum(nu.size()), surface(std::size_t(near.end) + 1);
  for (Index i = 0; i < n; ++i) q.push_back(Vec4f(u[std::size_t(i)], dot(u[std::size_t(i)], v.xh[i].xyz())));
  packMirrorVelocities(v, near, q.data(), g.data(), rest.data());
  for (std::size_t s = 0; s < g.size(); ++s) g[s] -= nu[s];
  for (Index k = 0; k < near.end; ++k) linkSums(v, k, g.data(), sum.data());
  mirrorDivergences(v, near, sum.data(), nu.data(), surface.data() + 1);
  std::vector<float> d;
  for (Index i = 0; i < n; ++i) d.push_back(divergenceRow(v, i, pairSum(v, i, q.data()), q[std::size_t(i)], surface.data() + 1));
  return d;
}

struct Passes {
  explicit Passes(const FluidBoxDef& def)
      : exec(2), w(fluidBox(def)), l(exec, w), v(l.system.pairView()), n(w.fluid.n), near(l.boundary.nearParticle().n) {}
  Exec exec;
  World w;
  FluidLists<PressureSystem> l;
  PairView v;
  Index n, near;

  std::vector<float> divergence(const std::vector<Vec3f>& u, const std::vector<float>& nu) const {
    return divergencePass(v, u, nu);
  }
  void transpose(const std::vector<float>& p, std::vector<Vec3f>& force, std::vector<float>& phi) const {
    force = transposePass(v, p, phi);
  }
  bool onSphere(Index i, int f) const { return l.boundary.surface(l.feature(i, f).surface).owner == SurfaceOwner::rigid; }
  Offset slot(Index i, int f) const { return v.slotBegin[v.near[i]] + f; }
};

// Density, deficiency sums, divergence and forces of the single precision lists against the oracle with the same features: 2e-5 of
// the largest value. Of the forces on surfaces only the sphere's are compared.
TEST(MirrorPasses, AgreeWithTheOracle) {
  Passes e(mixedBox());
  const oracle::Fluid f = testing::oracleOf(e.w, e.l);
  std::vector<Vec3f> u;
  std::vector<Vec3d> ud;
  std::vector<float> q;
  std::vector<double> qd;
  std::vector<float> nu(std::size_t(e.v.slotBegin[e.near]), 0.f);
  std::vector<std::vector<double>> nud;
  int sphereSlots = 0, pairsOfWalls = 0;
  for (Index i = 0; i < e.n; ++i) {
    u.push_back(Vec3f(uniform3()));
    ud.push_back(Vec3d(u.back()));
    q.push_back(float(uniform()));
    qd.push_back(q.back());
    nud.emplace_back(std::size_t(e.l.features(i)), 0.0);
    pairsOfWalls += e.l.features(i) > 1;
    for (int s = 0; s < e.l.features(i); ++s)
      if (e.onSphere(i, s)) {
        nu[e.slot(i, s)] = float(uniform());
        nud.back()[s] = nu[e.slot(i, s)];
        ++sphereSlots;
      }
  }
  EXPECT_GT(sphereSlots, 30);
  EXPECT_GT(pairsOfWalls, 30);
  const std::vector<float> d = e.divergence(u, nu);
  std::vector<Vec3f> force;
  std::vector<float> phi;
  e.transpose(q, force, phi);
  std::vector<Vec3d> forceD;
  std::vector<std::vector<double>> phiD;
  f.transpose(qd, forceD, phiD);
  const double cW = e.l.builder.lattice().cW, S0 = e.l.builder.lattice().S0, scale = S0 * e.w.dx;
  for (Index i = 0; i < e.n; ++i) {
    EXPECT_NEAR(e.l.lists.density[i], cW * f.density(i), 1e-5);
    double c = 0;
    for (int b = 0; b < f.n(); ++b) c += (b != i ? f.c(norm(f.p[i].x - f.p[b].x)) : 0.0) + f.mirroredC(i, b);
    EXPECT_NEAR(e.l.lists.sumC[i], c, 2e-5 * S0);
    EXPECT_NEAR(d[i], f.divergence(i, ud, nud), 4e-5 * scale);
    EXPECT_LT(norm(Vec3d(force[i]) - forceD[i]), 4e-5 * scale);
    for (int s = 0; s < e.l.features(i); ++s)
      if (e.onSphere(i, s)) { EXPECT_NEAR(phi[e.slot(i, s)], phiD[i][s], 4e-5 * scale); }
  }
}

// Adjointness of the passes: 1e-5 of the sum of the magnitudes.
TEST(MirrorPasses, ForceIsTheTransposeOfDivergence) {
  Passes e(mixedBox());
  std::vector<Vec3f> u;
  std::vector<float> q, nu(std::size_t(e.v.slotBegin[e.near]), 0.f);
  for (Index i = 0; i < e.n; ++i) {
    u.push_back(Vec3f(uniform3()));
    q.push_back(float(uniform()));
    for (int s = 0; s < e.l.features(i); ++s) nu[e.slot(i, s)] = float(uniform());
  }
  const std::vector<float> d = e.divergence(u, nu);
  std::vector<Vec3f> force;
  std::vector<float> phi;
  e.transpose(q, force, phi);
  double left = 0, right = 0, size = 0;
  for (Index i = 0; i < e.n; ++i) {
    left += double(d[i]) * q[i];
    size += std::fabs(double(d[i]) * q[i]);
    right += dot(Vec3d(force[i]), Vec3d(u[i]));
  }
  for (std::size_t s = 0; s < nu.size(); ++s) right += double(phi[s]) * nu[s];
  EXPECT_NEAR(left, right, 1e-5 * size);
}

// A blob around a free sphere far from all walls is a closed system: the forces on fluid and sphere cancel, for random pressures
// and a constant one, although the constant one pushes single particles.
TEST(MirrorPasses, ForcesOfAClosedSystemCancel) {
  FluidBoxDef def = mixedBox();
  def.cells = {8, 8, 8};
  def.room = {};
  World w = fluidBox(def);
  // moved away from the walls
  w.scene.domain.min -= Vec3d{0.1, 0.1, 0.1};
  w.scene.domain.max += Vec3d{0.1, 0.1, 0.1};
  for (Index i = 0; i < w.fluid.n; ++i) w.fluid.x[i] += Vec4f(0.1f, 0.1f, 0.1f, 0.f);
  Exec exec(1);
  FluidLists<PressureSystem> l(exec, w);
  const PairView& v = l.system.pairView();
  for (const bool constant : {true, false}) {
    const View<const Index> nearParticle = l.boundary.nearParticle();
    std::vector<float> p, phi;
    for (Index i = 0; i < w.fluid.n; ++i) p.push_back(constant ? 1.f : float(uniform()));
    Vec3d onFluid{}, onSphere{};
    double size = 0;
    for (const Vec3f& f : transposePass(v, p, phi)) {
      onFluid += Vec3d(f);
      size += norm(Vec3d(f));
    }
    for (Index k = 0; k < nearParticle.n; ++k)
      for (int f = 0; f < l.boundary.featureCount()[k]; ++f)
        onSphere += Vec3d(l.boundary.features()[v.slotBegin[k] + f].n) * double(phi[std::size_t(v.slotBegin[k] + f)]);
    EXPECT_GT(nearParticle.n, 50);
    EXPECT_LT(norm(onFluid + onSphere), 1e-5 * size);
  }
}

// A = D W D^T (with the passes' own single precision) is symmetric to 1e-5 and has no negative eigenvalue beyond that: x . A x >=
// -1e-5 |A| |x|^2 for the eigenvectors found by Jacobi's method in double.
TEST(MirrorPasses, OperatorIsSymmetricAndNotNegative) {
  FluidBoxDef def;
  def.cells = {4, 4, 5};
  def.room = {0, 0, 0.02};
  Passes e(def);
  const int n = e.n;
  std::vector<std::vector<double>> A(n, std::vector<double>(n));
  const std::vector<float> still(std::size_t(e.v.slotBegin[e.near]), 0.f);
  double size = 0;
  for (int j = 0; j < n; ++j) {
    std::vector<float> unit(n, 0.f), phi;
    unit[j] = 1.f;
    std::vector<Vec3f> force;
    e.transpose(unit, force, phi);
    const std::vector<float> column = e.divergence(force, still);
    for (int i = 0; i < n; ++i) A[i][j] = column[i];
    size = std::max(size, double(column[j]));
  }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j) {
      EXPECT_NEAR(A[i][j], A[j][i], 1e-5 * size);
      A[i][j] = A[j][i] = 0.5 * (A[i][j] + A[j][i]);
    }
  for (int sweep = 0; sweep < 12; ++sweep)
    for (int p = 0; p < n; ++p)
      for (int q = p + 1; q < n; ++q) {
        if (std::fabs(A[p][q]) < 1e-14 * size) continue;
        const double theta = 0.5 * std::atan2(2 * A[p][q], A[q][q] - A[p][p]), c = std::cos(theta), s = std::sin(theta);
        for (int k = 0; k < n; ++k) {
          const double a = A[k][p], b = A[k][q];
          A[k][p] = c * a - s * b;
          A[k][q] = s * a + c * b;
        }
        for (int k = 0; k < n; ++k) {
          const double a = A[p][k], b = A[q][k];
          A[p][k] = c * a - s * b;
          A[q][k] = s * a + c * b;
        }
      }
  double least = size, most = 0, off = 0;
  for (int i = 0; i < n; ++i) {
    least = std::min(least, A[i][i]);
    most = std::max(most, A[i][i]);
    for (int j = 0; j < i; ++j) off = std::max(off, std::fabs(A[i][j]));
  }
  ASSERT_LT(off, 1e-8 * most);
  EXPECT_GT(least, -1e-5 * most);
}

}  // namespace
}  // namespace meniscus
