// Cloth that touches bodies, walls and itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine/solid/triangle_tree.h"
#include "tests/coupling/contact_solids.h"

namespace meniscus::testing {
namespace {

using implicit::Freedom;
using implicit::NodalSolid;

constexpr double kG = 9.81, kThickness = 0.05 * kCell, kTolerance = 1e-3 * kCell;
constexpr double kDensity = 0.5;  // kg/m^2

// A sheet about the z axis.
TriangleMesh sheetAt(double z, int n, double edge) {
  TriangleMesh m = equilateral(n, n, edge);
  Vector3d middle = Vector3d::Zero();
  for (Eigen::Index i = 0; i < m.x.size(); i += 3) middle += m.x.segment<3>(i) * 3 / double(m.x.size());
  for (Eigen::Index i = 0; i < m.x.size(); i += 3) m.x.segment<3>(i) += Vector3d(0, 0, z) - middle;
  return m;
}

std::shared_ptr<NodalSolid<3>> clothOf(const TriangleMesh& m, double stretching, double bending) {
  const auto model = implicit::sheetModel(m.x, m.triangles, {stretching, bending, 0.02 * stretching});
  auto cloth = std::make_shared<NodalSolid<3>>(model, m.x, implicit::sheetMass(m.x, m.triangles, kDensity));
  cloth->setGravity({0, 0, -kG});
  return cloth;
}

RigidBodyDef ballOf(const BodyMesh& mesh, double radius, double mass, const Vector3d& center) {
  RigidBodyDef d = brickOf(mesh, Vector3d::Ones(), mass, center);
  d.inertia = 0.4 * mass * radius * radius * Eigen::Matrix3d::Identity();
  return d;
}

// Least signed distance of the nodes of a cloth to a body.
double leastDistance(const VectorXd& cloth, const BodyMesh& mesh, const Vector3d& center) {
  std::vector<Vec3d> x;
  std::vector<Index> tri;
  for (const Vector3d& p : mesh.x) x.push_back({p[0] + center[0], p[1] + center[1], p[2] + center[2]});
  for (const auto& t : mesh.triangles) tri.insert(tri.end(), t.begin(), t.end());
  const TriangleTree tree(x.data(), tri, true);
  double least = 1e300;
  TriangleTree::Hit hit{};
  for (Eigen::Index i = 0; i < cloth.size(); i += 3)
    if (tree.closest({cloth[i], cloth[i + 1], cloth[i + 2]}, 10, hit)) least = std::min(least, hit.distance);
  return least;
}

TEST(ClothContact, AClothDrapesOverABall) {
  const TriangleMesh m = sheetAt(0.32, 11, 0.095);
  const BodyMesh ball = ballMesh(0.3, 0.08);
  const auto cloth = clothOf(m, 50, 1e-4);
  ContactWorld w;
  w.add(cloth, m.triangles).friction = 0.3;
  RigidBodyDef def = ballOf(ball, 0.3, 1, {0, 0, 0});
  def.freedom = Freedom::none;
  w.addBrick(ball, def, {0, 0, 0});
  w.finish();
  double weight = 0, held = 0;
  for (Eigen::Index i = 0; i < cloth->mass().size(); i += 3) weight += kG * cloth->mass()[i];
  for (int k = 0; k < 70; ++k) {
    w.step(0.01);
    ASSERT_TRUE(w.contacts->report().converged) << k << ' ' << w.contacts->report().error;
    ASSERT_GT(leastDistance(cloth->position(), ball, {0, 0, 0}), kThickness - 5 * kTolerance) << k;
    if (k >= 40) held += w.impulseOn(0)[2] / (30 * 0.01);
  }
  double lowest = 1;
  for (Eigen::Index i = 2; i < cloth->size(); i += 3) lowest = std::min(lowest, cloth->position()[i]);
  EXPECT_LT(lowest, 0.05);                  // its corners hang down
  EXPECT_NEAR(held, weight, 0.1 * weight);  // and the ball carries it
}

// The cloth gives way, and the ball rests where its weight is carried.
TEST(ClothContact, ABallRestsOnAStretchedCloth) {
  const TriangleMesh m = sheetAt(0, 13, 0.08);
  const BodyMesh ball = ballMesh(0.2, 0.08);
  const auto cloth = clothOf(m, 400, 1e-3);
  ContactWorld w;
  w.add(cloth, m.triangles);
  for (int i = 0; i < 169; ++i)
    if (i % 13 == 0 || i % 13 == 12 || i < 13 || i >= 156) {
      cloth->prescribe(i, {0, 0, 0});
      w.scene.given[std::size_t(i)] = 1;
    }
  const double mass = 1;
  const auto body = w.addBrick(ball, ballOf(ball, 0.2, mass, {0.01, 0.02, 0.21}), {0, 0, -kG});
  w.finish();
  double force = 0;
  for (int k = 0; k < 150; ++k) {
    w.step(0.01);
    ASSERT_TRUE(w.contacts->report().converged) << k << ' ' << w.contacts->report().error;
    ASSERT_GT(leastDistance(cloth->position(), ball, body->pose(0).center), 0) << k;
    EXPECT_LT((w.impulseOn(0) + w.impulseOn(1)).norm(), 1e-12 * (1 + w.impulseOn(1).norm())) << k;
    if (k >= 100) force += w.impulseOn(1)[2] / (50 * 0.01);
  }
  EXPECT_NEAR(force, mass * kG, 0.02 * mass * kG);
  EXPECT_LT(body->pose(0).center[2], 0.2);
  EXPECT_GT(body->pose(0).center[2], 0);
}

// A strip lies on the floor, its other half in an arc over it; it falls onto the lower one and stays above it.
TEST(ClothContact, AFoldedChainDoesNotPassItself) {
  const int n = 41;
  VectorXd x(2 * n);
  const double edge = 0.05, radius = 0.15;
  double s = 0;
  for (int i = 0; i < n; ++i, s += edge) {  // 0.8 m along the floor, half a turn, and back
    const double flat = 0.75, arc = radius * std::acos(-1.0), z = 2 * kThickness;
    if (s <= flat) {
      x.segment<2>(2 * i) = Eigen::Vector2d(s, z);
    } else if (s <= flat + arc) {
      const double a = (s - flat) / radius;
      x.segment<2>(2 * i) = Eigen::Vector2d(flat + radius * std::sin(a), z + radius * (1 - std::cos(a)));
    } else {
      x.segment<2>(2 * i) = Eigen::Vector2d(flat - (s - flat - arc), z + 2 * radius);
    }
  }
  const auto model = implicit::chainModel(x, false, {200, 1e-4, 4});
  const auto chain = std::make_shared<NodalSolid<2>>(model, x, implicit::chainMass(*model, kDensity));
  chain->setGravity({0, -kG});
  ContactWorld w(2);
  std::vector<std::array<int, 3>> edges;
  for (int i = 0; i + 1 < n; ++i) edges.push_back({i, i + 1, i + 1});
  w.add(chain, edges).friction = 0.3;
  w.scene.walls.push_back({1, 0.0, 1.0});
  w.finish();
  const auto heightOver = [&](double at, int begin, int end) {  // of the part of the chain above `at`
    const VectorXd p = chain->position();
    for (int i = begin; i < end; ++i) {
      const double a = p[2 * i], b = p[2 * i + 2];
      if ((a <= at) == (b <= at)) continue;
      return p[2 * i + 1] + (at - a) / (b - a) * (p[2 * i + 3] - p[2 * i + 1]);
    }
    return -1.0;
  };
  for (int k = 0; k < 100; ++k) {
    w.step(0.01);
    ASSERT_TRUE(w.contacts->report().converged) << k << ' ' << w.contacts->report().error;
    for (const double at : {0.2, 0.35, 0.5, 0.65}) {
      const double low = heightOver(at, 0, 15), high = heightOver(at, 26, n - 1);
      if (high < 0) continue;  // the end has slid off
      EXPECT_GT(low, kThickness - 5 * kTolerance) << k << ' ' << at;
      EXPECT_GT(high - low, 0.9 * kThickness - 5 * kTolerance) << k << ' ' << at;
    }
  }
  EXPECT_LT(heightOver(0.5, 26, n - 1), 3 * kThickness);  // it has come down
}

}  // namespace
}  // namespace meniscus::testing
