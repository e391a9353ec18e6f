// Rigid bodies slide over the flat top of a solid that has nodes in their way.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/coupling/contact_solids.h"

namespace meniscus::testing {
namespace {

using implicit::Freedom;

constexpr double kG = 9.81, kDt = 0.01, kSpeed = 1.6, kThickness = 0.05 * kCell;

// A body that starts at the thickness above the top, at z = 0, of a given slab with nodes at every cell.
ContactWorld overSlab(const BodyMesh& mesh, const Vector3d& size, double friction, std::shared_ptr<RigidBodies<3>>& body,
                      const Eigen::Vector2d& at = {-0.313, 0.017}, double speed = kSpeed) {
  ContactWorld w;
  const Vector3d slab(1.2, 0.6, 0.2), g(0, 0, -kG);
  RigidBodyDef def = brickOf(mesh, size, 2, {at[0], at[1], size[2] / 2 + kThickness});
  def.velocity = {speed, 0, 0};
  body = w.addBrick(mesh, def, g, friction);
  const BodyMesh fine = boxMesh(slab, kCell);
  RigidBodyDef fixed = brickOf(fine, slab, 1, {0, 0, -0.1});
  fixed.freedom = Freedom::none;
  w.addBrick(fine, fixed, g);
  w.finish();
  return w;
}

TEST(SolidContact, ABrickSlidesOverNodesOfAFlatTop) {
  const Vector3d size(0.2, 0.2, 0.2);
  for (const double friction : {0.0, 0.3}) {
    std::shared_ptr<RigidBodies<3>> body;
    ContactWorld w = overSlab(boxMesh(size, kCell), size, friction, body);
    for (int k = 1; k <= 30; ++k) {
      w.step(kDt);
      ASSERT_TRUE(w.contacts->report().converged) << k << ' ' << w.contacts->report().error;
      const double lost = kSpeed - body->pose(0).velocity[0], expected = friction * kG * k * kDt;
      EXPECT_NEAR(lost, expected, friction > 0 ? 0.01 * expected : 1e-6 * kSpeed) << friction << ' ' << k;
      EXPECT_NEAR(body->pose(0).center[2], 0.1 + kThickness, 1e-3 * kCell) << friction << ' ' << k;
    }
  }
}

// The nodes start, and come in every fourth step, exactly over those of the slab, or beside them by round-off and more. Sweeps end
// at 1e-6 cells, which in a step are 1e-5 m/s.
TEST(SolidContact, ABrickSlidesWithItsNodesOverThoseOfAFlatTop) {
  const Vector3d size(0.2, 0.2, 0.2);
  for (const double off : {0.0, 1e-16, -1e-14, 1e-12, -1e-10, 3e-10, 1e-9, -1e-8, 1e-6, 1e-4})
    for (const double speed : {0.0, 2.5}) {
      std::shared_ptr<RigidBodies<3>> body;
      ContactWorld w = overSlab(boxMesh(size, kCell), size, 0, body, {-0.4 + off * kCell, -0.7 * off * kCell}, speed);
      for (int k = 1; k <= 24; ++k) {
        w.step(kDt);
        ASSERT_TRUE(w.contacts->report().converged) << off << ' ' << k << ' ' << w.contacts->report().error;
        EXPECT_NEAR(body->pose(0).velocity[0], speed, 1e-6 * kSpeed) << off << ' ' << k;
        EXPECT_NEAR(body->pose(0).center[2], 0.1 + kThickness, 1e-4 * kCell) << off << ' ' << k;
        EXPECT_LT(body->angularVelocity(0).norm(), 1e-5) << off << ' ' << k;
      }
    }
}

// In the plane: a square on a slab, both with nodes at every cell.
TEST(SolidContact, ASquareSlidesWithItsNodesOverThoseOfAFlatTop) {
  const auto rectangle = [](const Eigen::Vector2d& at, const Eigen::Vector2d& size) {
    std::vector<Eigen::Vector2d> x;
    const Eigen::Vector2d corner[4] = {{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}};
    for (int k = 0; k < 4; ++k) {
      const Eigen::Vector2d a = corner[k].cwiseProduct(size), b = corner[(k + 1) % 4].cwiseProduct(size);
      const int n = int(std::lround((b - a).norm() / kCell));
      for (int i = 0; i < n; ++i) x.emplace_back(at + a + (b - a) * (double(i) / n));
    }
    return x;
  };
  const auto add = [](ContactWorld& w, const std::vector<Eigen::Vector2d>& x, RigidBodyDef def) {
    std::vector<std::array<int, 3>> elements;
    def.points.resize(2 * Eigen::Index(x.size()));
    for (int i = 0; i < int(x.size()); ++i) {
      def.points.segment<2>(2 * i) = x[std::size_t(i)];
      elements.push_back({i, (i + 1) % int(x.size()), (i + 1) % int(x.size())});
    }
    auto body = std::make_shared<RigidBodies<2>>(std::vector<RigidBodyDef>{def}, Vector3d(0, -kG, 0));
    ContactSurface& s = w.add(body, elements);
    s.filled = s.rigid = true;
    if (def.freedom == Freedom::none) std::fill(w.scene.given.begin() + s.begin, w.scene.given.end(), 1);
    return body;
  };
  for (const double off : {0.0, 1e-16, -1e-14, 1e-12, -1e-10, 3e-10, 1e-9, -1e-8, 1e-6, 1e-4})
    for (const double speed : {0.0, 2.5}) {
      ContactWorld w(2);
      RigidBodyDef def;
      def.mass = 2;
      def.inertia(2, 2) = 2 * 0.08 / 12;
      def.center = {-0.4 + off * kCell, 0.1 + kThickness, 0};
      def.velocity = {speed, 0, 0};
      const auto body = add(w, rectangle(def.center.head<2>(), {0.2, 0.2}), def);
      RigidBodyDef slab;
      slab.mass = slab.inertia(2, 2) = 1;
      slab.center = {0, -0.1, 0};
      slab.freedom = Freedom::none;
      add(w, rectangle({0, -0.1}, {1.2, 0.2}), slab);
      w.finish();
      for (int k = 1; k <= 24; ++k) {
        w.step(kDt);
        ASSERT_TRUE(w.contacts->report().converged) << off << ' ' << k << ' ' << w.contacts->report().error;
        EXPECT_NEAR(body->pose(0).velocity[0], speed, 1e-6 * kSpeed) << off << ' ' << k;
        EXPECT_NEAR(body->pose(0).center[1], 0.1 + kThickness, 1e-4 * kCell) << off << ' ' << k;
        EXPECT_LT(std::fabs(body->angularVelocity(0)[2]), 1e-5) << off << ' ' << k;
      }
    }
}

TEST(SolidContact, ABallSlidesOverNodesOfAFlatTop) {
  std::shared_ptr<RigidBodies<3>> body;
  ContactWorld w = overSlab(ballMesh(0.1, kCell), {0.2, 0.2, 0.2}, 0, body);
  for (int k = 1; k <= 30; ++k) {
    w.step(kDt);
    ASSERT_TRUE(w.contacts->report().converged) << k << ' ' << w.contacts->report().error;
    EXPECT_NEAR(body->pose(0).velocity[0], kSpeed, 1e-6 * kSpeed) << k;
  }
}

}  // namespace
}  // namespace meniscus::testing
