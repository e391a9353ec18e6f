// Rotations between key frames go by the angles that the scene gives, however large.
#include <cmath>

#include "engine/solid/motion.h"
#include "engine/solid/solid.h"
#include "tests/scene/build_scene.h"

namespace meniscus {
namespace {

using namespace build_scene;

std::string paddle(const std::string& motion) {
  return kWater + R"(, "solids": [{"name": "p", "kind": "kinematic", "shape": {"box": {"size": [0.2, 0.2, 0.05]}},
    "position": [0.5, 0.5, 0.8], "motion": [)" +
         motion + "]}]";
}

std::string about(const char* axis, double degrees) {
  return std::string("\"rotation\": {\"axis\": ") + axis + ", \"degrees\": " + std::to_string(degrees) + "}";
}

std::vector<KeyFrame> motionOf(const std::string& motion, std::string* mistakes = nullptr) {
  SceneDef s;
  const Diagnostics d = checkSceneText(
      "{\"meniscus\": 1, \"domain\": {\"min\": [0, 0, 0], \"max\": [1, 1, 1]},\n" + paddle(motion) + "}", folder() / "s.json", &s);
  if (mistakes)
    *mistakes = formatAll(d);
  else
    EXPECT_EQ(formatAll(d), "");
  if (s.solids.empty()) return {};
  sortKeyFrames(s.solids[0].motion);
  return s.solids[0].motion;
}

// A point's way, so that a sign of the quaternion means nothing.
void expectTurn(const Quatd& q, const Vec3d& axis, double degrees, const std::string& what) {
  const Quatd wanted = Quatd::axisAngle(axis, degrees * M_PI / 180);
  for (const Vec3d& x : {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}})
    EXPECT_LT(norm(q.rotate(x) - wanted.rotate(x)), 1e-12) << what << " to " << degrees;
}

TEST(KeyTurn, TheAngleIsLinearInTime) {
  for (const double degrees : {90., 179., 180., 181., 270., 350., 360., 720., -270., -360., 3600.}) {
    const std::vector<KeyFrame> m =
        motionOf("{\"time\": 0}, {\"time\": 0.5, \"displacement\": [0, 0, 0.1], " + about("[0, 2, 0]", degrees) + "}");
    for (int k = 0; k <= 20; ++k) {
      const Pose p = poseAt(m, 0.5 * k / 20);
      expectTurn(p.q, {0, 1, 0}, degrees * k / 20, std::to_string(degrees));
      EXPECT_NEAR(p.x.z, 0.1 * k / 20, 1e-15);
    }
    EXPECT_NEAR(greatestSpeed(m, 0.2, 0, 1), 0.1 / 0.5 + 0.2 * std::abs(degrees) * M_PI / 180 / 0.5, 1e-9);
  }
}

// The axis may be turned round, an angle go back, and another axis follow whole turns.
TEST(KeyTurn, FromAngleToAngle) {
  std::vector<KeyFrame> m = motionOf("{\"time\": 0, " + about("[0, 1, 0]", 90) + "}, {\"time\": 1, " + about("[0, -1, 0]", 300) +
                                     "}, {\"time\": 2, " + about("[0, 1, 0]", 0) + "}");
  expectTurn(poseAt(m, 0.5).q, {0, 1, 0}, -105, "90 to -300");
  expectTurn(poseAt(m, 1.5).q, {0, 1, 0}, -150, "-300 to 0");
  m = motionOf("{\"time\": 0}, {\"time\": 1, " + about("[0, 1, 0]", 720) + "}, {\"time\": 2, " + about("[1, 0, 0]", 270) + "}");
  expectTurn(poseAt(m, 0.25).q, {0, 1, 0}, 180, "0 to 720");
  expectTurn(poseAt(m, 1.5).q, {1, 0, 0}, 135, "0 to 270 about x");
}

// Between different axes, and quaternions, it is the shorter way, as far as that is what the angles say.
TEST(KeyTurn, BetweenAxesTheShorterWay) {
  std::vector<KeyFrame> m =
      motionOf("{\"time\": 0, " + about("[0, 1, 0]", 90) + "}, {\"time\": 1, " + about("[1, 0, 0]", 90) + "}");
  ASSERT_EQ(m.size(), 2u);
  const double whole = greatestSpeed(m, 1, 0, 1);
  EXPECT_NEAR(whole, 2 * M_PI / 3, 1e-12);
  m = motionOf(R"({"time": 0}, {"time": 1, "rotation": {"quaternion": [-0.6, 0, 0.8, 0]}})");
  EXPECT_NEAR(greatestSpeed(m, 1, 0, 1), 2 * std::acos(0.6), 1e-12);
  std::string mistakes;
  motionOf("{\"time\": 0, " + about("[0, 1, 0]", 90) + "},\n{\"time\": 1, " + about("[1, 0, 0]", 270) + "}", &mistakes);
  EXPECT_NE(
      mistakes.find("s.json:4:1: solid \"p\": its rotation of 1 s, 270 degrees about (1, 0, 0), follows that of 0 s, 90 degrees "
                    "about (0, 1, 0): between different axes"),
      std::string::npos)
      << mistakes;
  motionOf("{\"time\": 0},\n{\"time\": 1, " + about("[1, 0, 0]", 1e9) + "}", &mistakes);
  EXPECT_NE(mistakes.find("would turn 2.77778e+06 times between two key frames"), std::string::npos) << mistakes;
}

// Whoever loads what was saved sees the same way.
TEST(KeyTurn, IsSaved) {
  SceneDef first, second;
  const std::string text = "{\"meniscus\": 1, \"domain\": {\"min\": [0, 0, 0], \"max\": [1, 1, 1]},\n" +
                           paddle("{\"time\": 0}, {\"time\": 1, " + about("[1, 2, 2]", 800) + "}") + "}";
  ASSERT_EQ(formatAll(checkSceneText(text, folder() / "s.json", &first)), "");
  ASSERT_EQ(formatAll(checkSceneText(saveScene(first), folder() / "s.json", &second)), "");
  sortKeyFrames(second.solids[0].motion);
  for (int k = 0; k <= 10; ++k) expectTurn(poseAt(second.solids[0].motion, 0.1 * k).q, {1, 2, 2}, 80. * k, "saved");
}

// What stands in water turns so, with the speed that goes with it.
TEST(KeyTurn, MovesABodyOfParticles) {
  World w = build(paddle("{\"time\": 0}, {\"time\": 0.5, " + about("[0, 1, 0]", 360) + "}"));
  Exec exec(1);
  for (int k = 0; k < 10; ++k) {
    predictSolids(exec, w.solid, {}, 0.05 * k, 0.05);
    EXPECT_NEAR(w.solid.rigid[0].omega.y, 4 * M_PI, 1e-9) << k;
    expectTurn(w.solid.rigid[0].q, {0, 1, 0}, 36. * (k + 1), "paddle");
  }
}

}  // namespace
}  // namespace meniscus
