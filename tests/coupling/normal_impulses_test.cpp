// Normal impulses of many contacts on few bodies: the conditions hold to round-off, after as many steps as contacts press and let
// go, and what is wedged is told.
#include "engine/solid/implicit/normal_impulses.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/coupling/boxes.h"

namespace meniscus::testing {
namespace {

using implicit::FrictionalContact;
using implicit::NormalImpulses;
using implicit::NormalsEnd;

// Boxes side by side in the plane, of these masses: `nodes` contacts of each with the floor and with its neighbour or the walls.
// The ways of a box: x, z, and the turn times its half width of 1 m.
FrictionalContact row(const std::vector<double>& mass, int nodes, double gap) {
  const int bodies = int(mass.size());
  std::vector<VectorXd> rows;
  std::vector<double> target;
  for (int b = 0; b <= bodies; ++b)
    for (int k = 0; k < nodes; ++k) {
      const double at = nodes > 1 ? 2.0 * k / (nodes - 1) - 1 : 0;
      VectorXd side = VectorXd::Zero(3 * bodies), floor = side;
      if (b > 0) side.segment(3 * (b - 1), 3) << -1, 0, at;
      if (b < bodies) side.segment(3 * b, 3) << 1, 0, -at;
      rows.push_back(side);
      target.push_back(-gap);
      if (b == bodies) continue;
      floor.segment(3 * b, 3) << 0, 1, at;
      rows.push_back(floor);
      target.push_back(-gap);
    }
  MatrixXd directions(Eigen::Index(rows.size()), 3 * bodies);
  for (std::size_t k = 0; k < rows.size(); ++k) directions.row(Eigen::Index(k)) = rows[k].transpose();
  VectorXd inverse(3 * bodies);
  for (int b = 0; b < bodies; ++b)
    inverse.segment(3 * b, 3) << 1 / mass[std::size_t(b)], 1 / mass[std::size_t(b)], 3 / mass[std::size_t(b)];
  FrictionalContact p;
  p.dimension = 1;
  p.response = directions * inverse.asDiagonal() * directions.transpose();
  p.free = directions * (3 * scattered(3 * bodies, 1, 11).col(0) - VectorXd::Constant(3 * bodies, 0.5));
  p.target = vectorOf(target);
  p.friction = VectorXd::Zero(p.target.size());
  p.findAnswers();
  return p;
}

void expectSolved(const FrictionalContact& p, const VectorXd& lambda, double tolerance) {
  const VectorXd r = p.free + p.response * lambda;
  for (Eigen::Index c = 0; c < p.contacts(); ++c) {
    EXPECT_GE(lambda[c], 0) << c;
    EXPECT_GE(r[c], p.target[c] - tolerance) << c;
    if (lambda[c] > 0) { EXPECT_NEAR(r[c], p.target[c], tolerance) << c; }
  }
}

TEST(NormalImpulses, AreThoseOfTheConditions) {
  for (const int nodes : {1, 2, 5, 33})
    for (const std::vector<double>& mass : {std::vector<double>{1}, {1, 1, 1}, {1, 1e4, 1e-3, 1, 50, 1e-2, 1, 1}}) {
      const FrictionalContact p = row(mass, nodes, 1);
      VectorXd lambda = VectorXd::Zero(p.response.rows()), r;
      NormalImpulses normals(p, 1e-12);
      ASSERT_EQ(normals.solve(1e12, lambda, r), NormalsEnd::solved);
      expectSolved(p, lambda, 1e-9);
      EXPECT_LE(normals.steps(), int(p.contacts()) + 3 * int(mass.size()));
    }
}

TEST(NormalImpulses, AWedgeIsTold) {
  const FrictionalContact p = row({1, 1, 1}, 5, -1e-3);  // wider than the room by .004 m
  VectorXd lambda = VectorXd::Zero(p.response.rows()), r;
  EXPECT_EQ(NormalImpulses(p, 1e-12).solve(1e6, lambda, r), NormalsEnd::wedged);
  EXPECT_GE(lambda.minCoeff(), 0);
  EXPECT_GE(lambda.maxCoeff() * p.response.diagonal().maxCoeff(), 1e6);
}

// Sweeps alone, which end where a sweep changes little, took thousands of turns.
TEST(NormalImpulses, EndTheSweepsOverARowOfBodies) {
  for (const double gap : {0.2, 1.0}) {
    const FrictionalContact p = row({1, 1e4, 1e-3, 1, 50, 1e-2, 1, 1}, 5, gap);
    VectorXd lambda = VectorXd::Zero(p.response.rows());
    const implicit::SweepReport report = implicit::solveFrictionalContact(p, 1e-10, 10000, lambda);
    EXPECT_LE(report.sweeps, 400);
    EXPECT_FALSE(report.wedged);
    expectSolved(p, lambda, 1e-8);
  }
}

}  // namespace
}  // namespace meniscus::testing
