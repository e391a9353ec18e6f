// Rigid bodies slide over the flat top of a solid that has nodes in their way.
#include <gtest/gtest.h>

#include "tests/coupling/contact_solids.h"

namespace meniscus::testing {
namespace {

using implicit::Freedom;

constexpr double kG = 9.81, kDt = 0.01, kSpeed = 1.6, kThickness = 0.05 * kCell;

// A body that starts at the thickness above the top, at z = 0, of a given slab. No step starts with its nodes
// exactly over those of the slab.
ContactWorld overSlab(const BodyMesh& mesh, const Vector3d& size, double friction, std::shared_ptr<RigidBodies<3>>& body) {
  ContactWorld w;
  const Vector3d slab(1.2, 0.6, 0.2), g(0, 0, -kG);
  RigidBodyDef def = brickOf(mesh, size, 2, {-0.313, 0.017, size[2] / 2 + kThickness});
  def.velocity = {kSpeed, 0, 0};
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
