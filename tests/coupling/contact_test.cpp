// Rigid bodies that touch one another and walls, held against closed forms; purity of the solve with contacts.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/coupling/contact_solids.h"

namespace meniscus::testing {
namespace {

using implicit::Freedom;

constexpr double kG = 9.81, kDt = 0.01;

// A brick on a slope of a given solid, which starts at rest at the thickness from it. Gravity is turned in place of the slope.
ContactWorld slope(double degrees, double friction, std::shared_ptr<RigidBodies<3>>& brick) {
  const double a = degrees * std::acos(-1.0) / 180;
  const Vector3d g(kG * std::sin(a), 0, -kG * std::cos(a)), size(0.4, 0.3, 0.2), ground(4, 2, 0.4);
  ContactWorld w;
  const BodyMesh one = boxMesh(size, 0.14), two = boxMesh(ground, 1);
  brick = w.addBrick(one, brickOf(one, size, 3, {-1, 0, 0.3 + 0.05 * kCell}), g, friction);
  RigidBodyDef fixed = brickOf(two, ground, 1, {0, 0, 0});
  fixed.freedom = Freedom::none;
  w.addBrick(two, fixed, g);
  w.finish();
  return w;
}

TEST(SolidContact, ABrickSticksBelowTheAngleOfFriction) {
  std::shared_ptr<RigidBodies<3>> brick;
  ContactWorld w = slope(std::atan(0.5) * 180 / std::acos(-1.0) - 0.5, 0.5, brick);
  for (int k = 0; k < 100; ++k) {
    w.step(kDt);
    ASSERT_TRUE(w.contacts->report().converged) << k << ' ' << w.contacts->report().error;
  }
  EXPECT_NEAR(brick->pose(0).center[0], -1, 1e-3 * kCell);
  EXPECT_NEAR(brick->pose(0).center[2], 0.3 + 0.05 * kCell, 1e-3 * kCell);
}

// a = g (sin - mu cos), by the velocity after a second.
TEST(SolidContact, ABrickSlidesAboveTheAngleOfFriction) {
  for (const double friction : {0.0, 0.2, 0.5}) {
    std::shared_ptr<RigidBodies<3>> brick;
    ContactWorld w = slope(30, friction, brick);
    for (int k = 0; k < 50; ++k) {
      w.step(kDt);
      ASSERT_TRUE(w.contacts->report().converged) << k << ' ' << w.contacts->report().error;
    }
    const double expected = kG * (0.5 - friction * std::cos(std::acos(-1.0) / 6));
    EXPECT_NEAR(brick->pose(0).velocity[0] / (50 * kDt), expected, 0.01 * expected) << friction;
    EXPECT_NEAR(brick->pose(0).center[2], 0.3 + 0.05 * kCell, 1e-3 * kCell) << friction;
    EXPECT_LT(brick->angularVelocity(0).norm(), 1e-2) << friction;
  }
}

// Of two bricks on the floor the lower one feels both weights, whichever is the heavier.
TEST(SolidContact, AStackRestsUnderItsWeight) {
  for (const double ratio : {0.1, 1.0, 10.0}) {
    const Vector3d g(0, 0, -kG), size(0.4, 0.4, 0.2);
    const double h = 0.05 * kCell;
    ContactWorld w;
    const BodyMesh mesh = boxMesh(size, 0.14), fine = boxMesh(size, 0.1);
    const auto low = w.addBrick(mesh, brickOf(mesh, size, 2, {0, 0, 0.1 + h}), g, 0.3);
    const auto high = w.addBrick(fine, brickOf(fine, size, 2 * ratio, {0.03, 0.02, 0.3 + 2 * h}), g, 0.3);
    w.scene.walls.push_back({2, 0.0, 1.0});
    w.finish();
    for (int k = 0; k < 100; ++k) {
      w.step(kDt);
      ASSERT_TRUE(w.contacts->report().converged) << k << ' ' << w.contacts->report().error;
    }
    EXPECT_NEAR(high->pose(0).center[2], 0.3 + 2 * h, 2e-3 * kCell) << ratio;
    EXPECT_NEAR(low->pose(0).center[2], 0.1 + h, 1e-3 * kCell) << ratio;
    EXPECT_NEAR(high->pose(0).center[0], 0.03, 1e-3 * kCell) << ratio;
    EXPECT_NEAR(w.impulseOn(1)[2] / kDt, 2 * ratio * kG, 1e-3 * 2 * ratio * kG) << ratio;
    EXPECT_NEAR((w.impulseOn(0) + w.impulseOn(1))[2] / kDt, (2 + 2 * ratio) * kG, 1e-3 * (2 + 2 * ratio) * kG) << ratio;
  }
}

// Boxes of one size face to face without a gap, to round-off: their corners are in one place, and their edges too. The faces
// between them hold the upper one, along no other direction than theirs, until the bodies have their thickness between them and
// after.
TEST(SolidContact, AStackOfBoxesThatStartFaceToFaceStands) {
  for (const double friction : {0.0, 0.4})
    for (const double edge : {0.1, 0.2})
      for (const Vector3d& at : {Vector3d(0, 0, 0), Vector3d(0.5, 0.25, 0)}) {
        const Vector3d size(0.2, 0.2, 0.2), g(0, 0, -kG);
        ContactWorld w;
        const BodyMesh mesh = boxMesh(size, edge);
        const auto low = w.addBrick(mesh, brickOf(mesh, size, 16, at + Vector3d(0, 0, 0.1)), g, friction);
        const auto high = w.addBrick(mesh, brickOf(mesh, size, 16, at + Vector3d(0, 0, 0.3)), g, friction);
        w.scene.walls.push_back({2, 0.0, 1.0});
        w.finish();
        const double h = 0.05 * kCell;
        for (int k = 0; k < 100; ++k) {
          w.step(0.01);
          ASSERT_TRUE(w.contacts->report().converged) << k << ' ' << w.contacts->report().error;
        }
        EXPECT_LT((high->pose(0).center - at - Vector3d(0, 0, 0.3 + 2 * h)).norm(), 1e-2 * h) << friction << ' ' << edge;
        EXPECT_LT((low->pose(0).center - at - Vector3d(0, 0, 0.1 + h)).norm(), 1e-2 * h) << friction << ' ' << edge;
      }
}

// Without restitution a ball of one point, so to say a brick between two walls, stays at the one that it meets; with e it comes
// back at e times its speed.
TEST(SolidContact, ABrickBouncesBetweenWalls) {
  for (const double restitution : {0.0, 0.5, 1.0}) {
    const Vector3d size(0.2, 0.2, 0.2);
    ContactWorld w;
    const BodyMesh mesh = boxMesh(size, 0.1);
    RigidBodyDef def = brickOf(mesh, size, 2, {0.5, 0, 0});
    def.velocity = {1, 0, 0};
    const auto brick = w.addBrick(mesh, def, {0, 0, 0}, 0, restitution);
    w.scene.walls = {{0, 0.0, 1.0}, {0, 1.0, -1.0}};
    w.finish(1e-3);
    int met = 0;
    double speed = 1;
    for (int k = 0; k < 400; ++k) {
      const double before = brick->pose(0).velocity[0];
      w.step(kDt);
      ASSERT_TRUE(w.contacts->report().converged) << k;
      if (w.contacts->report().contacts == 0) continue;
      const double after = brick->pose(0).velocity[0];
      if (std::fabs(after - before) < 1e-9) continue;
      ++met;
      speed *= restitution;
      if (restitution > 0) { EXPECT_NEAR(after, -restitution * before, 1e-3 * std::fabs(before)) << restitution << ' ' << k; }
    }
    EXPECT_NEAR(std::fabs(brick->pose(0).velocity[0]), speed, 1e-2 * speed + 1e-3) << restitution;
    EXPECT_GE(met, restitution > 0.9 ? 4 : 1) << restitution;
    if (restitution == 0) { EXPECT_NEAR(brick->pose(0).center[0], 0.9 - 0.05 * kCell, 1e-3 * kCell); }
  }
}

// Two bricks that meet askew, with friction: momentum is kept to round-off, and angular momentum to the thickness between them.
TEST(SolidContact, AnImpactKeepsMomentum) {
  const Vector3d size(0.4, 0.3, 0.2);
  ContactWorld w;
  const BodyMesh mesh = boxMesh(size, 0.1);
  RigidBodyDef one = brickOf(mesh, size, 2, {0, 0, 0}, Eigen::AngleAxisd(0.4, Vector3d(1, 2, 3).normalized()).toRotationMatrix());
  RigidBodyDef two = brickOf(mesh, size, 0.7, {0.6, 0.05, 0.02});
  one.velocity = {2, 0.3, 0};
  two.velocity = {-1, 0, 0.1};
  const auto a = w.addBrick(mesh, one, {0, 0, 0}, 0.4), b = w.addBrick(mesh, two, {0, 0, 0}, 0.4);
  w.finish();
  const Vector3d before = 2 * one.velocity + 0.7 * two.velocity;
  const Vector3d turn = one.center.cross(2 * one.velocity) + two.center.cross(0.7 * two.velocity);
  int touched = 0;
  for (int k = 0; k < 60; ++k) {
    w.step(0.005);
    ASSERT_TRUE(w.contacts->report().converged) << k << ' ' << w.contacts->report().error;
    touched += w.contacts->report().contacts > 0;
    const auto &p = a->pose(0), &q = b->pose(0);
    EXPECT_LT((2 * p.velocity + 0.7 * q.velocity - before).norm(), 1e-12 * before.norm()) << k;
    const Vector3d now = p.center.cross(2 * p.velocity) + p.angularMomentum + q.center.cross(0.7 * q.velocity) + q.angularMomentum;
    EXPECT_LT((now - turn).norm(), 0.02) << k;
  }
  EXPECT_GT(touched, 0);
  EXPECT_GT((a->pose(0).velocity - one.velocity).norm(), 0.3);
}

// The same bits from the same state and load, whatever was solved between.
TEST(SolidContact, TheSolveIsAFunctionOfTheSavedState) {
  std::shared_ptr<RigidBodies<3>> brick;
  ContactWorld w = slope(30, 0.4, brick);
  for (int k = 0; k < 5; ++k) w.step(kDt);
  const Eigen::Index n = Eigen::Index(w.scene.given.size()) * 3;
  const VectorXd load = 0.002 * scattered(int(n), 1, 3), other = 0.02 * scattered(int(n), 1, 4);
  w.box->save();
  const Motion first = w.box->solve({LoadKind::impulse, doubles(load)}, kDt);
  ASSERT_GT(w.contacts->report().contacts, 0);
  w.box->restore();
  const Motion between = w.box->solve({LoadKind::impulse, doubles(other)}, kDt);
  EXPECT_NE(between.position, first.position);
  w.box->restore();
  const Motion second = w.box->solve({LoadKind::impulse, doubles(load)}, kDt);
  EXPECT_EQ(first.position, second.position);
  EXPECT_EQ(first.velocity, second.velocity);
}

// endSystem foresees how the answer changes with the load, contacts in it: the brick on the floor does not go into it.
TEST(SolidContact, TheTangentHoldsWhatTouches) {
  std::shared_ptr<RigidBodies<3>> brick;
  ContactWorld w = slope(10, 0.5, brick);
  for (int k = 0; k < 3; ++k) w.step(kDt);
  const Eigen::Index n = Eigen::Index(w.scene.given.size()) * 3;
  VectorXd load = VectorXd::Zero(n), more = load;
  w.box->save();
  const VectorXd x = vectorOf(w.box->solve({LoadKind::impulse, doubles(load)}, kDt).position);
  auto* operators = dynamic_cast<coupling::SolidOperators*>(w.box->operators());
  ASSERT_NE(operators, nullptr);
  const SparseMatrix system = operators->endSystem(kDt);
  w.box->restore();
  const SparseMatrix nodes = operators->linearised(kDt).nodes;
  for (int i = 0; i < w.scene.surfaces[0].end; ++i) more.segment<3>(3 * i) = Vector3d(1e-4, 2e-5, -1e-3);
  w.box->restore();
  const VectorXd y = vectorOf(w.box->solve({LoadKind::impulse, doubles(more)}, kDt).position);
  const Eigen::SimplicialLDLT<SparseMatrix> factor(system);
  VectorXd q = nodes.transpose() * more;
  for (Eigen::Index i = 6; i < q.size(); ++i) q[i] = 0;
  const VectorXd foreseen = kDt * (nodes * factor.solve(q));
  const double free = kDt * 1e-3 * double(w.scene.surfaces[0].end) / 3;  // what the brick would move without the slope
  EXPECT_LT((y - x).lpNorm<Eigen::Infinity>(), 1e-3 * free);
  EXPECT_LT(foreseen.lpNorm<Eigen::Infinity>(), 1e-3 * free);
}

// A body that slides along a slanted axis onto the floor: nothing answers to friction across the axis, and the tangent that a
// monolithic step takes stays finite.
TEST(SolidContact, WhatNothingAnswersToIsNotInTheTangent) {
  const Vector3d size(0.2, 0.2, 0.2);
  ContactWorld w;
  const BodyMesh mesh = boxMesh(size, 0.1);
  RigidBodyDef def = brickOf(mesh, size, 2, {0, 0, 0.1 + 0.05 * kCell});
  def.freedom = Freedom::slide;
  def.axis = {0.6, 0, -0.8};
  const auto slider = w.addBrick(mesh, def, {0, 0, -kG}, 0.3);
  w.scene.walls.push_back({2, 0.0, 1.0});
  w.finish();
  w.box->save();
  const VectorXd x = vectorOf(w.box->solve({LoadKind::impulse, std::vector<double>(w.scene.given.size() * 3)}, kDt).position);
  EXPECT_TRUE(x.allFinite());
  EXPECT_GT(w.contacts->report().contacts, 0);
  EXPECT_NEAR(slider->pose(0).center[2], 0.1 + 0.05 * kCell, 1e-3 * kCell);
  const SparseMatrix system = dynamic_cast<coupling::SolidOperators*>(w.box->operators())->endSystem(kDt);
  for (Eigen::Index c = 0; c < system.outerSize(); ++c)
    for (SparseMatrix::InnerIterator it(system, c); it; ++it) EXPECT_TRUE(std::isfinite(it.value()));
}

}  // namespace
}  // namespace meniscus::testing
