// A step of solids that touch is given up wherever it is asked for, and is then as if it had not begun.
#include <gtest/gtest.h>

#include "engine/base/stop.h"
#include "tests/coupling/contact_solids.h"

namespace meniscus {
namespace {

using testing::ContactWorld;
using testing::Vector3d;

// Sweeps that never agree are the longest loop of a step that diverges.
TEST(SolidContactStop, EverySweepLooks) {
  implicit::FrictionalContact p;
  p.dimension = 2;
  p.response = Eigen::MatrixXd::Identity(4, 4);
  p.response(0, 2) = p.response(2, 0) = 0.999;
  p.free = Eigen::VectorXd::Constant(4, -1);
  p.target = Eigen::VectorXd::Zero(2);
  p.target[1] = 1e-3;
  p.friction = Eigen::VectorXd::Zero(2);
  p.findAnswers();
  Eigen::VectorXd lambda = Eigen::VectorXd::Zero(4);
  int looks = 0;
  const StopScope scope([&] { return ++looks > 5; });
  EXPECT_THROW(implicit::solveFrictionalContact(p, 0, 1000, lambda), Stopped);
}

// Rigid bodies alone: everything that looks is the contacts'. Stopped at each look in turn, the step has not happened; between two
// looks is never more than one node's search, one sweep or one solve of the solids.
TEST(SolidContactStop, AStepIsGivenUpAtEachLook) {
  const Vector3d size(0.2, 0.2, 0.2), g(0, 0, -9.81);
  ContactWorld w;
  const testing::BodyMesh mesh = testing::boxMesh(size, 0.1);
  w.addBrick(mesh, testing::brickOf(mesh, size, 16, {0, 0, 0.1}), g, 0.4);
  w.addBrick(mesh, testing::brickOf(mesh, size, 16, {0.03, 0.02, 0.301}), g, 0.4);
  w.scene.walls.push_back({2, 0.0, 1.0});
  w.finish();
  int all = 0;
  {
    const StopScope scope([&] { return ++all < 0; });
    w.step(0.01);
  }
  w.box->restore();
  const Eigen::VectorXd start = testing::vectorOf(w.box->motion().position);
  EXPECT_GE(all, int(start.size()) / 3);
  for (int after = 0; after < all; after += 1 + all / 40) {
    int looks = 0;
    const StopScope scope([&] { return ++looks > after; });
    EXPECT_THROW(w.step(0.01), Stopped) << after;
    w.box->restore();
    EXPECT_EQ(testing::vectorOf(w.box->motion().position), start) << after;
  }
}

}  // namespace
}  // namespace meniscus
