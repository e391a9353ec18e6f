// Flows that closed regions can not take, and the impulses that belong to them.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/coupling/water_boxes.h"

namespace meniscus::testing {
namespace {

// Two regions with a border of their own, and faces of the shell that no region has.
std::vector<ClosedRegion> regions(double outflow) {
  return {{outflow, {0, 1, 2, 3, 4}, {1, -1, 1, 1, 1}}, {0, {3, 4, 5, 6}, {-1, -1, 1, -1}}};
}

std::vector<double> column(const MatrixXd& m, int k) { return {m.col(k).data(), m.col(k).data() + m.rows()}; }

double dot(const std::vector<double>& a, const std::vector<double>& b) { return vectorOf(a).dot(vectorOf(b)); }

TEST(CompatibleImpulse, IsTheTransposeOfTheChangeOfVelocities) {
  const MatrixXd random = scattered(8, 2, 3);
  std::vector<double> u = column(random, 0), j = column(random, 1);
  const std::vector<double> u0 = u, j0 = j;
  makeCompatible(regions(0), 0.1, u);
  takeOffConstants(regions(0), {1, 1}, j);
  EXPECT_NEAR(dot(u, j0), dot(u0, j), 1e-14);
  EXPECT_GT(std::fabs(dot(u, j0) - dot(u0, j0)), 0.01);
  EXPECT_EQ(u[7], u0[7]);
  EXPECT_EQ(j[7], j0[7]);
  // only what the marked one changed
  std::vector<double> one = j0;
  takeOffConstants(regions(0), {1, 0}, one);
  EXPECT_EQ(one[5], j0[5]);
  EXPECT_NE(one[3], j0[3]);
}

TEST(CompatibleImpulse, NoRegionLosesVolume) {
  std::vector<double> u = column(scattered(8, 1, 4), 0);
  makeCompatible(regions(0.3), 0.1, u);
  for (const ClosedRegion& region : regions(0.3)) {
    double out = region.outflow;
    for (std::size_t k = 0; k < region.shellFace.size(); ++k) out += 0.1 * region.sign[k] * u[std::size_t(region.shellFace[k])];
    EXPECT_NEAR(out, 0, 1e-15);
  }
}

// A square in a tank that is full of water, turned: each of its turns is a flow out of the region around it. dJ/dv is symmetric,
// since J is the derivative of the energy that the projection leaves.
TEST(CompatibleImpulse, OfATurnedBodyInAFullTankIsADerivative) {
  Exec exec(1);
  ShellMesh<2> square;
  square.nodes = 4;
  square.elements = {{0, 1}, {1, 2}, {2, 3}, {3, 0}};
  std::vector<double> x;
  for (const double turn : {0.3, 1.9, 3.5, 5.0}) {
    x.push_back(0.52 + 0.2 * std::cos(turn));
    x.push_back(0.47 + 0.2 * std::sin(turn));
  }
  coupling::WaterFluidOptions options;
  options.filled.assign(4, 1);
  WaterFluidBox<2> water(exec, waterTank<2>(10, {0, -9.81}), square, options);
  water.setConstants([](const VectorXd&) { return false; });
  water.setBoundary(standing(x));
  water.fill([](const Point<2>& p) { return std::hypot(p[0] - 0.52, p[1] - 0.47) < 0.1 ? 1.0 : -1.0; });
  constexpr double kDt = 0.01, kSpeed = 0.1;
  water.setBoundary(standing(x));
  water.save();
  const auto load = [&](const VectorXd& v) {
    const VectorXd y = vectorOf(water.solve({doubles(vectorOf(x) + kDt * v), doubles(v)}, kDt).value);
    water.restore();
    return y;
  };
  const VectorXd rest = load(VectorXd::Zero(8));
  ASSERT_FALSE(water.enclosed().empty());
  water.holdFaces();
  MatrixXd derivative(8, 8);
  for (int k = 0; k < 8; ++k) derivative.col(k) = (load(kSpeed * VectorXd::Unit(8, k)) - rest) / kSpeed;
  const double most = derivative.cwiseAbs().maxCoeff();
  EXPECT_LT((derivative - derivative.transpose()).cwiseAbs().maxCoeff(), 1e-9 * most);
  // and no velocity is pushed on
  EXPECT_LT(Eigen::SelfAdjointEigenSolver<MatrixXd>((derivative + derivative.transpose()) / 2).eigenvalues().maxCoeff(),
            1e-9 * most);
}

}  // namespace
}  // namespace meniscus::testing
