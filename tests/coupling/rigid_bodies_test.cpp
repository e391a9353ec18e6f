// Rigid bodies as the solid of a coupling: responses to impulses, free rotation, springs, pistons, purity.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "engine/coupling/implicit_solids_box.h"
#include "engine/solid/implicit/rigid_bodies.h"
#include "tests/coupling/boxes.h"
#include "tests/coupling/implicit_meshes.h"

namespace meniscus::testing {
namespace {

using Eigen::Vector3d;
using implicit::Freedom;
using implicit::RigidBodies;
using implicit::RigidBodyDef;

// A brick with points at its eight corners, turned about a slanted axis.
RigidBodyDef brick(double mass) {
  RigidBodyDef d;
  const Vector3d size(0.4, 0.2, 0.6), s2 = size.cwiseProduct(size);
  const Eigen::Matrix3d r = Eigen::AngleAxisd(0.7, Vector3d(1, 1, 2).normalized()).toRotationMatrix();
  const Vector3d moments = mass / 12 * Vector3d(s2[1] + s2[2], s2[0] + s2[2], s2[0] + s2[1]);
  d.mass = mass;
  d.inertia = r * moments.asDiagonal() * r.transpose();
  d.center = {1, 2, 3};
  d.points.resize(24);
  for (int i = 0; i < 8; ++i) {
    const Vector3d corner((i & 1) != 0 ? 0.5 : -0.5, (i & 2) != 0 ? 0.5 : -0.5, (i & 4) != 0 ? 0.5 : -0.5);
    d.points.segment<3>(3 * i) = d.center + r * corner.cwiseProduct(size);
  }
  return d;
}

TEST(RigidBodiesBox, ImpulseAnswersByMassAndInertia) {
  const RigidBodyDef d = brick(3);
  RigidBodies<3> s({d}, {0, 0, 0});
  EXPECT_LT((s.position() - d.points).norm(), 1e-14);
  VectorXd j = VectorXd::Zero(24);
  const Vector3d impulse(0.3, -0.2, 0.5), r = d.points.segment<3>(15) - d.center;
  j.segment<3>(15) = impulse;
  ASSERT_TRUE(s.step(j, 1e-9));  // so short that nothing turns
  // the velocity of the point itself: (1/m + [r]^T I^-1 [r]) J
  const Vector3d omega = d.inertia.inverse() * r.cross(impulse);
  const Vector3d expected = impulse / d.mass + omega.cross(r);
  EXPECT_LT((s.velocity().segment<3>(15) - expected).norm(), 1e-8);
  EXPECT_LT((s.angularVelocity(0) - omega).norm(), 1e-8);
}

TEST(RigidBodiesBox, FreeRotationKeepsAngularMomentum) {
  RigidBodyDef d = brick(3);
  d.angularVelocity = {3, 0.1, -2};
  RigidBodies<3> s({d}, {0, 0, 0});
  const Vector3d l = d.inertia * d.angularVelocity;
  const double energy = 0.5 * l.dot(d.angularVelocity);
  double most = 0;
  for (int i = 0; i < 2000; ++i) {
    ASSERT_TRUE(s.step(VectorXd::Zero(24), 0.005));
    most = std::max(most, std::fabs(0.5 * l.dot(s.angularVelocity(0)) / energy - 1));
  }
  EXPECT_LT((s.pose(0).angularMomentum - l).norm(), 1e-11 * l.norm());
  EXPECT_LT(most, 1e-3);                                              // the energy only oscillates
  EXPECT_GT((s.angularVelocity(0) - d.angularVelocity).norm(), 0.1);  // it does tumble
  const VectorXd x = s.position();
  for (int i = 1; i < 8; ++i)  // and stays rigid
    EXPECT_NEAR((x.segment<3>(3 * i) - x.segment<3>(0)).norm(), (d.points.segment<3>(3 * i) - d.points.segment<3>(0)).norm(),
                1e-12);
}

TEST(RigidBodiesBox, MomentumIsTheSumOfImpulses) {
  RigidBodies<3> s({brick(3), brick(0.5)}, {0, 0, 0});
  Vector3d p[2] = {Vector3d::Zero(), Vector3d::Zero()}, l[2] = {p[0], p[0]};
  for (int step = 0; step < 50; ++step) {
    const VectorXd j = 0.05 * scattered(48, 1, unsigned(step)), x = s.position();
    for (int i = 0; i < 16; ++i) {
      p[i / 8] += j.segment<3>(3 * i);
      l[i / 8] += (x.segment<3>(3 * i) - s.pose(i / 8).center).cross(j.segment<3>(3 * i));
    }
    ASSERT_TRUE(s.step(j, 0.01));
  }
  const double mass[2] = {3, 0.5};
  for (int b = 0; b < 2; ++b) {
    EXPECT_LT((mass[b] * s.pose(b).velocity - p[b]).norm(), 1e-13);
    EXPECT_LT((s.pose(b).angularMomentum - l[b]).norm(), 1e-13);
  }
}

// The press: a piston of given weight on a spring and a damper comes to rest where the spring carries it, by backward Euler's own
// path.
TEST(RigidBodiesBox, PistonOnASpring) {
  RigidBodyDef d;
  d.mass = 0.1;
  d.freedom = Freedom::slide;
  d.axis = {0, 2, 0};
  d.points = VectorXd(4);
  d.points << -0.1, 0, 0.3, 0;  // not balanced about the centre: a moment that the guide takes
  d.springs.push_back({{0, 0, 0}, {0, 0, 0}, 15, 4});
  RigidBodies<2> s({d}, {0, -1, 0});
  const double dt = 0.02;
  VectorXd j(4);
  j << 0.5, 0.002, -0.1, 0.001;
  double y = 0, v = 0;
  for (int i = 0; i < 400; ++i) {
    ASSERT_TRUE(s.step(j, dt));
    v = (d.mass * v + 0.003 - dt * d.mass - dt * 15 * y) / (d.mass + dt * 4 + dt * dt * 15);
    y += dt * v;
    ASSERT_NEAR(s.pose(0).center[1], y, 1e-13);
  }
  EXPECT_NEAR(y, (0.003 / dt - d.mass) / 15, 1e-6);
  EXPECT_EQ(s.pose(0).center[0], 0);
  EXPECT_NEAR(s.position()[2], 0.3, 1e-15);
}

TEST(RigidBodiesBox, PlaneHasThreeFreedoms) {
  RigidBodyDef d;
  d.mass = 2;
  d.inertia(2, 2) = 0.5;
  d.points = VectorXd(4);
  d.points << 1, 0, -1, 0;
  RigidBodies<2> s({d}, {0, 0, 0});
  EXPECT_EQ(s.linearised(0.1).mass.rows(), 3);
  VectorXd j(4);
  j << 0, 0.1, 0, -0.1;
  for (int i = 0; i < 10; ++i) {
    ASSERT_TRUE(s.step(i == 0 ? j : VectorXd::Zero(4), 0.1));
    const double angle = 0.2 / 0.5 * 0.1 * (i + 1);
    EXPECT_NEAR(s.position()[0], std::cos(angle), 1e-13);
    EXPECT_NEAR(s.position()[1], std::sin(angle), 1e-13);
  }
}

TEST(RigidBodiesBox, GivenMotionIsKept) {
  RigidBodyDef d = brick(1);
  d.freedom = Freedom::none;
  d.velocity = {1, 0, 0};
  RigidBodies<3> s({d}, {0, 0, -9.81});
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(s.step(VectorXd::Ones(24), 0.1));
  for (int i = 0; i < 8; ++i)
    EXPECT_LT((s.position().segment<3>(3 * i) - d.points.segment<3>(3 * i) - Vector3d(0.5, 0, 0)).norm(), 1e-14);
}

// Shell and bodies in one vector: each answers as it does alone, the same bits after each restore; and the linearised equations
// give the velocities of a small step.
TEST(ImplicitSolidsBox, ConcatenatesAndIsPure) {
  RigidBodyDef d = brick(3);
  d.springs.push_back({d.points.segment<3>(0), {0, 0, 0}, 20, 3});
  d.angularVelocity = {1, 2, 3};
  const auto bodies = std::make_shared<RigidBodies<3>>(std::vector<RigidBodyDef>{d}, Vector3d(0, 0, -9.81));
  const TriangleMesh m = equilateral(5, 4, 0.2);
  const auto model = implicit::sheetModel(m.x, m.triangles, {30, 0.02, 0.1});
  const auto sheet = std::make_shared<implicit::NodalSolid<3>>(model, m.x, implicit::sheetMass(m.x, m.triangles, 1));
  sheet->prescribe(0, {0, 0, 0.1});
  sheet->setGravity({0, 0, -9.81});
  coupling::ImplicitSolidsBox box({sheet, bodies});
  const Load load{LoadKind::impulse, doubles(0.01 * scattered(84, 1, 7))};
  for (int i = 0; i < 3; ++i) box.solve(load, 0.01);
  box.save();
  const VectorXd before = vectorOf(box.motion().position);
  const Motion first = box.solve(load, 0.01);
  box.solve(load, 0.02);
  box.restore();
  EXPECT_EQ(doubles(before), box.motion().position);
  const Motion again = box.solve(load, 0.01);
  EXPECT_EQ(first.position, again.position);
  EXPECT_EQ(first.velocity, again.velocity);
  box.restore();
  const auto apart = [&](implicit::ImplicitSolid& s, int at) {
    EXPECT_TRUE(s.step(vectorOf(load.value).segment(at, s.size()), 0.01));
    EXPECT_EQ(vectorOf(first.position).segment(at, s.size()), s.position());
  };
  apart(*sheet, 0);
  apart(*bodies, 60);
  box.restore();

  const double dt = 1e-4;
  const auto lin = coupling::operatorsOf<coupling::SolidOperators>(box, "test", "solid").linearised(dt);
  VectorXd right = lin.mass * lin.predicted + lin.nodes.transpose() * vectorOf(load.value);
  SparseMatrix full = lin.mass + dt * lin.damping + dt * dt * lin.stiffness;
  VectorXd given = VectorXd::Zero(right.size());
  for (Eigen::Index i = 0; i < right.size(); ++i)
    if (lin.given[size_t(i)]) given[i] = lin.predicted[i];
  right -= full * given;
  for (Eigen::Index i = 0; i < right.size(); ++i)
    if (lin.given[size_t(i)]) right[i] = given[i];
  const Eigen::SimplicialLLT<SparseMatrix> factor(lin.system(dt));
  ASSERT_EQ(factor.info(), Eigen::Success);
  const VectorXd v = lin.nodes * factor.solve(right), exact = vectorOf(box.solve(load, dt).velocity);
  EXPECT_LT((v - exact).norm(), 2e-3 * exact.norm());
}

TEST(RigidBodiesBox, FailsAndRefusesAsTheBoxSays) {
  RigidBodies<3> s({brick(1)}, {0, 0, 0});
  VectorXd j = VectorXd::Zero(24);
  j[5] = std::numeric_limits<double>::quiet_NaN();
  const VectorXd before = s.position();
  EXPECT_FALSE(s.step(j, 0.1));
  EXPECT_EQ(before, s.position());
  const auto refused = [](const RigidBodyDef& d, const std::string& word) {
    try {
      RigidBodies<3>({brick(1), d}, {0, 0, 0});
      ADD_FAILURE() << word << " was taken";
    } catch (const Error& e) {
      EXPECT_EQ(e.kind, ErrorKind::input);
      EXPECT_NE(std::string(e.what()).find("rigid body 1: " + word), std::string::npos) << e.what();
    }
  };
  refused(brick(0), "mass");
  RigidBodyDef d = brick(1);
  d.inertia.setZero();
  refused(d, "principal moment");
  d = brick(1);
  d.springs.push_back({{0, 0, 0}, {0, 0, 0}, -1, 0});
  refused(d, "stiffness");
  d = brick(1);
  d.freedom = Freedom::slide;
  d.axis.setZero();
  refused(d, "length of the axis");
  d = brick(1);
  d.points[3] = std::nan("");
  refused(d, "points");
}

}  // namespace
}  // namespace meniscus::testing
