// The passes of the pressure operator with mirror images at solids, in the engine's single precision: against the double oracle,
// and the identities that make the method conserve.
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

// A pointer into no array may not be moved, not even to where nothing is read: a particle alone at a wall, and one alone in space.
TEST(PairLists, TheEmptyRowsOfParticlesAloneBeginInAnArray) {
  Exec exec(1);
  testing::FluidBoxDef def;
  def.cells = {1, 1, 1};
  for (const double room : {0.0, 0.5}) {
    def.room = {room, room, room};
    World w = testing::fluidBox(def);
    const testing::FluidLists<PressureSystem> l(exec, w);
    EXPECT_EQ(l.lists.folded.count[0], 0);
    EXPECT_NE(l.lists.folded.items.data(), nullptr);
  }
}

}  // namespace
}  // namespace meniscus
