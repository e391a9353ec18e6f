// The energies of implicit shells: derivatives, definiteness, rotations, and what they mean for sheets and cylinders.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/coupling/implicit_meshes.h"

namespace meniscus::testing {
namespace {

using implicit::ElasticModel;
using implicit::NodalSolid;
using implicit::NodeMatrix;

template <int D>
MatrixXd hessianOf(const ElasticModel<D>& model, const VectorXd& x, bool semidefinite) {
  NodeMatrix<D> h(model.nodes(), model.groups());
  model.addHessian(x, semidefinite, 1, h);
  return h.matrix();
}

// Gradient and Hessian against central differences; the part without negative curvature has none, and no more than the whole.
template <int D>
void expectDerivatives(const ElasticModel<D>& model, const VectorXd& x, double scale) {
  const double h = 1e-6 * scale;
  VectorXd g = VectorXd::Zero(x.size());
  model.addGradient(x, g);
  const MatrixXd exact = hessianOf(model, x, false), semidefinite = hessianOf(model, x, true);
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    VectorXd a = x, b = x, ga = VectorXd::Zero(x.size()), gb = ga;
    a[i] -= h;
    b[i] += h;
    EXPECT_NEAR((model.energy(b) - model.energy(a)) / (2 * h), g[i], 1e-6 * g.norm());
    model.addGradient(a, ga);
    model.addGradient(b, gb);
    EXPECT_LT(((gb - ga) / (2 * h) - exact.col(i)).norm(), 1e-6 * exact.norm());
  }
  EXPECT_LT((exact - exact.transpose()).norm(), 1e-12 * exact.norm());
  const double size = semidefinite.norm();
  EXPECT_GT(Eigen::SelfAdjointEigenSolver<MatrixXd>(semidefinite).eigenvalues().minCoeff(), -1e-12 * size);
  EXPECT_GT(Eigen::SelfAdjointEigenSolver<MatrixXd>(semidefinite - exact).eigenvalues().minCoeff(), -1e-12 * size);
}

TEST(ImplicitEnergy, ChainDerivatives) {
  const auto model = implicit::chainModel(line(8, 1), false, {30, 0.02, 0});
  expectDerivatives<2>(*model, line(8, 1) + 0.05 * scattered(16, 1, 1), 1);
  expectDerivatives<2>(*model, 0.6 * line(8, 1) + 0.02 * scattered(16, 1, 2), 1);  // pressed: negative curvature across
  EXPECT_LT(Eigen::SelfAdjointEigenSolver<MatrixXd>(hessianOf<2>(*model, 0.6 * line(8, 1), false)).eigenvalues().minCoeff(), -1);
}

TEST(ImplicitEnergy, SheetDerivatives) {
  const TriangleMesh m = equilateral(4, 4, 0.2);
  const auto model = implicit::sheetModel(m.x, m.triangles, {30, 0.02, 0});
  expectDerivatives<3>(*model, m.x + 0.03 * scattered(48, 1, 1), 1);
  expectDerivatives<3>(*model, 0.7 * m.x + 0.03 * scattered(48, 1, 2), 1);
}

TEST(ImplicitEnergy, RotationsAndShiftsChangeNothing) {
  const TriangleMesh m = equilateral(5, 4, 0.2);
  const auto model = implicit::sheetModel(m.x, m.triangles, {30, 0.02, 0.1});
  const VectorXd x = m.x + 0.03 * scattered(60, 1, 1);
  const Eigen::Matrix3d r = Eigen::AngleAxisd(1.1, Eigen::Vector3d(1, 2, -1).normalized()).toRotationMatrix();
  VectorXd y(60), g = VectorXd::Zero(60), turned = g, rate(60);
  for (int i = 0; i < 20; ++i) {
    y.segment<3>(3 * i) = r * x.segment<3>(3 * i) + Eigen::Vector3d(3, -2, 1);
    rate.segment<3>(3 * i) = Eigen::Vector3d(1, -2, 3).cross(x.segment<3>(3 * i));
  }
  EXPECT_NEAR(model->energy(y), model->energy(x), 1e-12 * model->energy(x));
  model->addGradient(x, g);
  model->addGradient(y, turned);
  Eigen::Vector3d force = Eigen::Vector3d::Zero(), moment = force;
  for (int i = 0; i < 20; ++i) {
    EXPECT_LT((r * g.segment<3>(3 * i) - turned.segment<3>(3 * i)).norm(), 1e-11 * g.norm());
    force += g.segment<3>(3 * i);
    moment += x.segment<3>(3 * i).cross(g.segment<3>(3 * i));
  }
  EXPECT_LT(force.norm(), 1e-12 * g.norm());
  EXPECT_LT(moment.norm(), 1e-12 * g.norm());
  NodeMatrix<3> c(20, model->groups());  // and damping does nothing to a rotation
  model->addDamping(x, 1, c);
  EXPECT_LT((c.matrix() * rate).norm(), 1e-12 * c.matrix().norm() * rate.norm());
  EXPECT_LT(model->energy(m.x), 1e-24);  // flat and unstretched
}

// A sheet rolled to a cylinder without stretching has the energy 1/2 bending curvature^2 a unit of area. The border's edges carry
// no hinge, so that the energy of a sheet of n edges across lacks a share of about 1/n.
TEST(ImplicitEnergy, CylinderHasItsBendingEnergy) {
  const double radius = 1, kb = 0.7;
  double ratio[2];
  for (int level = 0; level < 2; ++level) {
    const int n = 41 << level;
    const TriangleMesh m = equilateral(n, n, 1.0 / (n - 1));
    const auto model = implicit::sheetModel(m.x, m.triangles, {0, kb, 0});
    VectorXd x = m.x;
    for (int i = 0; i < model->nodes(); ++i) {
      const double u = m.x[3 * i] / radius;
      x[3 * i] = radius * std::sin(u);
      x[3 * i + 2] = radius * (1 - std::cos(u));
    }
    const double area = double(m.triangles.size()) * std::sqrt(0.1875) / ((n - 1) * (n - 1));
    ratio[level] = model->energy(x) / (0.5 * kb / (radius * radius) * area);
  }
  EXPECT_NEAR(ratio[0], 1, 0.06);
  EXPECT_NEAR(2 * ratio[1] - ratio[0], 1, 3e-3);  // in the limit
}

// A wide row of equilateral triangles under tension: Young's modulus times thickness is `stretching`, the contraction a third.
TEST(ImplicitEnergy, SheetUnderTensionHasItsModulus) {
  const int nx = 61, ny = 13;
  const double edge = 0.1, ks = 40, strain = 1e-4;
  const TriangleMesh m = equilateral(nx, ny, edge);
  const auto model = implicit::sheetModel(m.x, m.triangles, {ks, 0, 0});
  NodalSolid<3> s(model, m.x, implicit::sheetMass(m.x, m.triangles, 1));
  // a homogeneous state: stretched along x, contracted by a third along y. Nodes inside must then be in balance.
  VectorXd x = m.x, g = VectorXd::Zero(x.size());
  for (int i = 0; i < nx * ny; ++i) {
    x[3 * i] *= 1 + strain;
    x[3 * i + 1] *= 1 - strain / 3;
  }
  model->addGradient(x, g);
  double force = 0, across = 0;
  for (int i = 0; i < nx * ny; ++i) {
    if (i % nx > nx / 2) force += g[3 * i];
    if (i / nx > ny / 2) across += g[3 * i + 1];
  }
  const double width = (ny - 1) * edge * std::sqrt(0.75);
  EXPECT_NEAR(force / (ks * strain * width), 1, 0.01);  // what the half to the right pulls with
  EXPECT_LT(std::fabs(across), 0.01 * ks * strain * nx * edge);
}

}  // namespace
}  // namespace meniscus::testing
