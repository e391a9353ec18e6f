// Edges in the joint system against the scalar rows they stand for, solved densely in double.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "engine/particle/pressure_system.h"
#include "tests/shared/fluid_box.h"
#include "tests/solid/meshes.h"

namespace meniscus {
namespace {

// A cloth pinned at one node, far above some water, pulled out of shape, with the multipliers of a step before.
World clothOverWater(double compliance) {
  testing::FluidBoxDef box;
  box.room = {0, 0, 0.4};
  World w = testing::fluidBox(box);
  SolidDef d;
  d.name = "cloth";
  d.kind = SolidKind::cloth;
  d.material.arealDensity = 0.3;
  d.material.stretch = {Resistance::Kind::compliance, compliance, 0};
  d.material.shear = {Resistance::Kind::compliance, 2 * compliance, 0};
  d.pins.resize(1);
  d.pins[0].indices = {0};
  SurfaceMesh m = testing_meshes::sheet(3, 2, 0.06, 0.04);
  for (Vec3d& x : m.x) x += w.scene.domain.min + Vec3d{0.03, 0.03, 0.4};
  addShell(w.solid, d, m);
  colourConstraints(w.solid, false);
  SolidState& s = w.solid;
  s.xPrev = s.x;
  for (std::size_t i = 1; i < s.x.size(); ++i)
    s.x[i] += Vec3d{std::sin(3.0 * double(i)), std::cos(5.0 * double(i)), std::sin(7.0 * double(i))} * 1e-3;
  for (std::size_t k = 0; k < s.constraints.lambda.size(); ++k) s.constraints.lambda[k] = k % 3 == 0 ? 0 : -1e-6 * double(k % 5);
  return w;
}

struct DenseRow {
  std::vector<double> grad;  // three a node
  double C, alphaTilde;
};

std::vector<DenseRow> denseRows(const SolidState& s, const RowList& rows) {
  std::vector<DenseRow> out;
  for (const SolidEdge& e : rows.edges) {
    const Index* node = s.constraints.items[e.constraint].node;
    const auto add = [&](const Vec3d& direction, double C, double alphaTilde) {
      DenseRow r{std::vector<double>(3 * s.x.size(), 0.0), C, alphaTilde};
      for (int a = 0; a < 3; ++a) {
        r.grad[std::size_t(3 * node[0] + a)] = direction[a];
        r.grad[std::size_t(3 * node[1] + a)] = -direction[a];
      }
      out.push_back(r);
    };
    if (e.state != SolidEdge::pulls && e.state != SolidEdge::taut) continue;
    add(e.n, e.C, e.alphaTilde);
    if (e.state != SolidEdge::taut) continue;
    const Vec3d t = normalized(cross(e.n, std::fabs(e.n.x) < 0.6 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0}));
    for (const Vec3d& side : {t, cross(e.n, t)}) add(side, 0, e.acrossTilde);
  }
  return out;
}

// Accelerations of the nodes by (G W G^T + alpha) lambda = -(C + G (xPrev + dt v - x)), Gaussian elimination.
std::vector<double> denseAccelerations(const SolidState& s, const std::vector<DenseRow>& rows, const Buffer<Vec3d>& v, double dt) {
  const std::size_t n = rows.size(), m = 3 * s.x.size();
  std::vector<std::vector<double>> A(n, std::vector<double>(n + 1, 0.0));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k < m; ++k) A[i][j] += rows[i].grad[k] * rows[j].grad[k] * s.w[k / 3];
    A[i][i] += rows[i].alphaTilde;
    A[i][n] = -rows[i].C;
    for (std::size_t k = 0; k < m; ++k)
      A[i][n] -= rows[i].grad[k] * (s.xPrev[k / 3][int(k % 3)] + dt * v[k / 3][int(k % 3)] - s.x[k / 3][int(k % 3)]);
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 1; j < n; ++j) {
      const double f = A[j][i] / A[i][i];
      for (std::size_t k = i; k <= n; ++k) A[j][k] -= f * A[i][k];
    }
  std::vector<double> lambda(n), a(m, 0.0);
  for (std::size_t i = n; i-- > 0;) {
    double sum = A[i][n];
    for (std::size_t j = i + 1; j < n; ++j) sum -= A[i][j] * lambda[j];
    lambda[i] = sum / A[i][i];
    for (std::size_t k = 0; k < m; ++k) a[k] += s.w[k / 3] * rows[i].grad[k] * lambda[i] / (dt * dt);
  }
  return a;
}

void compare(double compliance, double tolerance) {
  Exec exec(2);
  World w = clothOverWater(compliance);
  testing::FluidLists<PressureSystem> l(exec, w);
  const double dt = 2e-3;
  RowList rows;
  constraintRows(exec, w.solid, nullptr, 0, dt, nullptr, nullptr, rows);
  const std::vector<DenseRow> dense = denseRows(w.solid, rows);
  ASSERT_GT(dense.size(), 20u);
  l.system.setRows(exec, w, rows, dt);
  Buffer<Vec4f> u(std::size_t(w.fluid.n));
  for (Vec4f& v : u) v = Vec4f();
  Buffer<Vec3d> v(w.solid.x.size());
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = w.solid.w[i] > 0 ? Vec3d{0.1 * double(i), 0.3, -0.2 * double(i % 3)} : Vec3d{};
  l.system.setRightHandSide(exec, u.view(), v, {}, {}, {}, dt);
  const SolveReport report = l.system.solve(exec, 1e-6, 3000);
  EXPECT_TRUE(report.converged) << report.residual;
  l.system.applyResult(exec);
  const std::vector<double> expected = denseAccelerations(w.solid, dense, v, dt);
  double scale = 0;
  for (const double a : expected) scale = std::max(scale, std::fabs(a));
  for (std::size_t i = 0; i < v.size(); ++i)
    for (int a = 0; a < 3; ++a)
      EXPECT_NEAR(l.system.nodeAcceleration()[i][a], expected[3 * i + std::size_t(a)], tolerance * scale) << i << " " << a;
}

TEST(EdgeRows, SolveAsTheScalarRows) { compare(2e-4, 2e-4); }
// alpha / dt^2 a ten-thousandth of the inverse mass; single precision leaves its round-off times the ratio
TEST(EdgeRows, SolveAsTheScalarRowsWhenStiff) { compare(1e-5, 1e-3); }

}  // namespace
}  // namespace meniscus
