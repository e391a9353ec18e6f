// Solids that meet with their edges: no node of either is before a face of the other.
#include <gtest/gtest.h>

#include <cmath>

#include "kernels/contact/edge_pair.h"
#include "tests/coupling/contact_solids.h"
#include "tests/coupling/implicit_meshes.h"

namespace meniscus::testing {
namespace {

using implicit::Freedom;
using implicit::NodalSolid;

constexpr double kG = 9.81, kDt = 0.01, kThickness = 0.05 * kCell;

TEST(EdgePair, CrossingByHand) {
  EdgeCrossing c;
  ASSERT_TRUE(crossEdges({-1, 0, 2}, {3, 0, 2}, {0, -1, 0.5}, {0, 1, 0.5}, 1e-3, c));
  EXPECT_NEAR(c.s, 0.25, 1e-15);
  EXPECT_NEAR(c.t, 0.5, 1e-15);
  EXPECT_NEAR(c.distance, 1.5, 1e-15);
  EXPECT_NEAR(c.n.z, 1, 1e-15);
  ASSERT_TRUE(crossEdges({0, -1, 0.5}, {0, 1, 0.5}, {-1, 0, 2}, {3, 0, 2}, 1e-3, c));
  EXPECT_NEAR(c.n.z, -1, 1e-15);
  EXPECT_FALSE(crossEdges({0.1, 0, 2}, {3, 0, 2}, {0, -1, 0.5}, {0, 1, 0.5}, 1e-3, c));  // nearest at an end
  // over 2 m these part sideways by 0.01 m
  EXPECT_FALSE(crossEdges({-1, -0.005, 1}, {1, 0.005, 1}, {-1, 0, 0}, {1, 0, 0}, 0.011, c));
  EXPECT_TRUE(crossEdges({-1, -0.005, 1}, {1, 0.005, 1}, {-1, 0, 0}, {1, 0, 0}, 0.009, c));
  EXPECT_FALSE(crossEdges({-1, 0, 1}, {1, 0, 1}, {-1, 0, 0}, {1, 0, 0}, 0, c));
}

TEST(EdgePair, DistanceIsThatOfAllPointsOfBoth) {
  std::uint32_t state = 1;
  const auto number = [&state] { return double((state = state * 1664525u + 1013904223u) >> 8) / double(1 << 24); };
  for (int k = 0; k < 200; ++k) {
    Vec3d x[4];
    for (Vec3d& p : x) p = {number(), number(), number() * (k % 3)};
    double least = 1e300;
    constexpr int kParts = 200;
    for (int i = 0; i <= kParts; ++i)
      for (int j = 0; j <= kParts; ++j)
        least = std::min(least, norm(x[0] + (x[1] - x[0]) * (double(i) / kParts) - x[2] - (x[3] - x[2]) * (double(j) / kParts)));
    const double d = edgeDistance(x[0], x[1], x[2], x[3]);
    EXPECT_LE(d, least + 1e-12) << k;
    EXPECT_GE(d, least - 0.01) << k;
  }
}

TEST(EdgePair, SidesSayWhatSticksOut) {
  EdgeSides roof, rim, flat, valley;
  roof.add({0, 0, 0}, {0, 1, 0}, {1, 0.3, -1});
  roof.add({0, 0, 0}, {0, 1, 0}, {-1, 2, -1});
  EXPECT_NEAR(roof.into[0].x, std::sqrt(0.5), 1e-15);
  EXPECT_TRUE(roof.sticksOut({0, 0, -1}, 0.05, 0.02));  // to what is above it
  EXPECT_FALSE(roof.sticksOut({0, 0, 1}, 0.05, 0.02));
  EXPECT_FALSE(roof.sticksOut({0.9, 0, -0.436}, 0.05, 0.02));  // one side leads nearer
  rim.add({0, 0, 0}, {0, 1, 0}, {1, 0, 0});
  EXPECT_TRUE(rim.sticksOut({0, 0, 1}, 0.05, 0.02));
  EXPECT_TRUE(rim.sticksOut({0.6, 0, 0.8}, 0.05, 0.02));
  EXPECT_FALSE(rim.sticksOut({-0.6, 0, 0.8}, 0.05, 0.02));
  flat.add({0, 0, 0}, {0, 1, 0}, {1, 0, 0});
  flat.add({0, 0, 0}, {0, 1, 0}, {-1, 0, 0.01});
  EXPECT_FALSE(flat.sticksOut({0, 0, 1}, 0.05, 0.02));
  valley.add({0, 0, 0}, {0, 1, 0}, {1, 0, 1});
  valley.add({0, 0, 0}, {0, 1, 0}, {-1, 0, 1});
  EXPECT_FALSE(valley.sticksOut({0, 0, -1}, 0.05, 0.02));
}

// Bars with nodes at their corners only, each across the one below it; the lowest lies on the floor.
TEST(EdgeContact, BarsThatCrossRestOnOneAnother) {
  const Vector3d g(0, 0, -kG), size(1, 0.1, 0.1);
  const BodyMesh mesh = boxMesh(size, 2);
  ASSERT_EQ(mesh.x.size(), 8u);
  for (const double askew : {0.0, 0.4}) {
    ContactWorld w;
    std::vector<std::shared_ptr<RigidBodies<3>>> bar;
    for (int k = 0; k < 3; ++k) {
      const double turn = k * (std::acos(0.0) - askew);
      const Vector3d at(0.01 * k, -0.015 * k, 0.05 + 0.1 * k + (k + 1) * kThickness);
      bar.push_back(
          w.addBrick(mesh, brickOf(mesh, size, 1 + k, at, Eigen::AngleAxisd(turn, Vector3d::UnitZ()).toRotationMatrix()), g, 0.3));
    }
    w.scene.walls.push_back({2, 0.0, 1.0});
    w.finish();
    for (int k = 0; k < 100; ++k) {
      w.step(kDt);
      ASSERT_TRUE(w.contacts->report().converged) << askew << ' ' << k << ' ' << w.contacts->report().error;
    }
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(bar[std::size_t(k)]->pose(0).center[2], 0.05 + 0.1 * k + (k + 1) * kThickness, 2e-3 * kCell) << askew << ' ' << k;
      EXPECT_NEAR(bar[std::size_t(k)]->pose(0).center[0], 0.01 * k, 2e-3 * kCell) << askew << ' ' << k;
    }
    EXPECT_NEAR(w.impulseOn(2)[2] / kDt, 3 * kG, 3e-3 * kG) << askew;
    EXPECT_NEAR((w.impulseOn(0) + w.impulseOn(1) + w.impulseOn(2))[2] / kDt, 6 * kG, 6e-3 * kG) << askew;
  }
}

BodyMesh tetrahedron(double edge) {
  BodyMesh m;
  const double h = edge / std::sqrt(2.0);  // two opposite edges, along x and y
  m.x = {{-edge / 2, 0, -h / 2}, {edge / 2, 0, -h / 2}, {0, -edge / 2, h / 2}, {0, edge / 2, h / 2}};
  m.triangles = {{0, 1, 3}, {1, 0, 2}, {2, 3, 1}, {3, 2, 0}};
  return m;
}
RigidBodyDef tetrahedronOf(const BodyMesh& mesh, double edge, double mass, const Vector3d& center, double turn) {
  RigidBodyDef d = brickOf(mesh, Vector3d::Ones(), mass, center, Eigen::AngleAxisd(turn, Vector3d::UnitZ()).toRotationMatrix());
  d.inertia = mass * edge * edge / 20 * Eigen::Matrix3d::Identity();
  return d;
}

// One falls with its lowest edge on the upper edge of another, which is given and turned: it stays above, and gains no energy.
TEST(EdgeContact, ATetrahedronFallsOnAnEdge) {
  for (const double turn : {0.0, 0.7, 1.2}) {
    const double edge = 0.4, mass = 2;
    const BodyMesh mesh = tetrahedron(edge);
    ContactWorld w;
    const auto body = w.addBrick(mesh, tetrahedronOf(mesh, edge, mass, {0.01, 0.02, 0.3}, turn), {0, 0, -kG}, 0.3);
    RigidBodyDef below = tetrahedronOf(mesh, edge, 1, {0, 0, 0}, 0);
    below.freedom = Freedom::none;
    w.addBrick(mesh, below, {0, 0, 0}, 0.3);
    w.finish();
    double before = mass * kG * 0.3;
    int touched = 0;
    for (int k = 0; k < 40; ++k) {
      const VectorXd x = w.step(kDt);
      ASSERT_TRUE(w.contacts->report().converged) << turn << ' ' << k << ' ' << w.contacts->report().error;
      touched += w.contacts->report().contacts > 0;
      const auto& p = body->pose(0);
      const double energy =
          mass * kG * p.center[2] + 0.5 * mass * p.velocity.squaredNorm() + 0.5 * p.angularMomentum.dot(body->angularVelocity(0));
      EXPECT_LT(energy, before + 1e-3 * mass * kG * kCell) << turn << ' ' << k;
      before = energy;
      const auto at = [&](int i) { return Vec3d{x[3 * i], x[3 * i + 1], x[3 * i + 2]}; };
      if (k < 14) { EXPECT_GT(edgeDistance(at(0), at(1), at(6), at(7)), kThickness - 2e-3 * kCell) << turn << ' ' << k; }
      const Vec3d lowest = at(0) + (at(1) - at(0)) * 0.5;
      if (k < 14) { EXPECT_GT(lowest.z, edge / std::sqrt(8.0)) << turn << ' ' << k; }
    }
    EXPECT_GT(touched, 3) << turn;
  }
}

// Two free ones meet edge to edge, askew and with friction: momentum is kept to round-off, energy does not grow.
TEST(EdgeContact, AnImpactKeepsMomentum) {
  const double edge = 0.4;
  const BodyMesh mesh = tetrahedron(edge);
  ContactWorld w;
  RigidBodyDef one = tetrahedronOf(mesh, edge, 2, {0.02, 0.01, 0.35}, 0.6), two = tetrahedronOf(mesh, edge, 0.7, {0, 0, 0}, 0);
  one.velocity = {0.3, 0.1, -2};
  one.angularVelocity = {0.2, 0, 1};
  two.velocity = {0, 0, 0.5};
  const auto a = w.addBrick(mesh, one, {0, 0, 0}, 0.4), b = w.addBrick(mesh, two, {0, 0, 0}, 0.4);
  w.finish();
  const auto energy = [&] {
    double sum = 0;
    for (const auto& body : {a, b})
      sum += 0.5 * body->pose(0).angularMomentum.dot(body->angularVelocity(0)) +
             0.5 * (body == a ? 2 : 0.7) * body->pose(0).velocity.squaredNorm();
    return sum;
  };
  const Vector3d before = 2 * one.velocity + 0.7 * two.velocity;
  double least = energy(), pushed = 0;
  for (int k = 0; k < 40; ++k) {
    w.step(0.005);
    ASSERT_TRUE(w.contacts->report().converged) << k << ' ' << w.contacts->report().error;
    for (const implicit::ContactPoint& c : w.contacts->points()) pushed += c.edges;
    EXPECT_LT((2 * a->pose(0).velocity + 0.7 * b->pose(0).velocity - before).norm(), 1e-12 * before.norm()) << k;
    EXPECT_LT(energy(), least * (1 + 1e-9)) << k;
    least = std::min(least, energy());
  }
  EXPECT_GT(pushed, 0);
  EXPECT_GT((a->pose(0).velocity - one.velocity).norm(), 0.3);
}

// A strip of cloth without a node over the bar that it falls on.
TEST(EdgeContact, AStripOfClothHangsOverABar) {
  const Vector3d size(0.05, 1, 0.05);
  const BodyMesh mesh = boxMesh(size, 2);
  TriangleMesh strip;
  constexpr int kAlong = 8;  // nodes: the middle of the strip is between two of them
  strip.x.resize(3 * 2 * kAlong);
  for (int i = 0; i < kAlong; ++i)
    for (int j = 0; j < 2; ++j)
      strip.x.segment<3>(3 * (2 * i + j)) = Vector3d((i - 0.5 * (kAlong - 1)) * 0.1, 0.1 * j - 0.05, 0.04);
  for (int i = 0; i + 1 < kAlong; ++i) {
    strip.triangles.push_back({2 * i, 2 * i + 2, 2 * i + 1});
    strip.triangles.push_back({2 * i + 1, 2 * i + 2, 2 * i + 3});
  }
  const auto model = implicit::sheetModel(strip.x, strip.triangles, {100, 1e-4, 2});
  const auto cloth = std::make_shared<NodalSolid<3>>(model, strip.x, implicit::sheetMass(strip.x, strip.triangles, 0.5));
  cloth->setGravity({0, 0, -kG});
  ContactWorld w;
  w.add(cloth, strip.triangles).friction = 0.5;
  RigidBodyDef bar = brickOf(mesh, size, 1, {0, 0, 0});
  bar.freedom = Freedom::none;
  w.addBrick(mesh, bar, {0, 0, 0}, 0.5);
  w.finish();
  double held = 0, weight = kG * cloth->mass().sum() / 3;
  for (int k = 0; k < 80; ++k) {
    w.step(kDt);
    ASSERT_TRUE(w.contacts->report().converged) << k << ' ' << w.contacts->report().error;
    if (k >= 50) held += w.impulseOn(0)[2] / (30 * kDt);
  }
  EXPECT_NEAR(held, weight, 0.1 * weight);
  EXPECT_LT(cloth->position()[2], -0.1);            // its ends hang down
  EXPECT_GT(cloth->position()[3 * kAlong + 2], 0);  // the middle does not
}

}  // namespace
}  // namespace meniscus::testing
