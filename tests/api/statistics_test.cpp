// Figures of a step, where its time went, and what was mended.
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "tests/api/api_fixture.h"

namespace {

class Statistics : public ApiTest {
 protected:
  static mnsStatistics of(mnsScene* scene) {
    mnsStatistics s{};
    s.structSize = sizeof s;
    EXPECT_OK(mnsScene_GetStatistics(scene, &s));
    return s;
  }
};

TEST_F(Statistics, AreZeroBeforeTheStart) {
  const mnsStatistics s = of(tankWithBall());
  EXPECT_EQ(s.structSize, sizeof s);
  EXPECT_EQ(s.particles, 0);
  EXPECT_EQ(s.particleCapacity, 0);
  EXPECT_EQ(s.memoryBytes, 0u);
  EXPECT_EQ(s.time, 0);
}

TEST_F(Statistics, TellOfTheLastStep) {
  mnsScene* scene = tankWithBall();
  for (int k = 0; k < 3; ++k) ASSERT_OK(mnsScene_Step(scene, 0.004));
  const mnsStatistics s = of(scene);
  EXPECT_DOUBLE_EQ(s.time, 0.012);
  EXPECT_EQ(s.steps, 3u);
  EXPECT_EQ(s.particles, 1200);  // .2 x .1 x .06 m in cells of (10 mm)^3
  EXPECT_EQ(s.peakParticles, 1200);
  EXPECT_EQ(s.particleCapacity, 2000);  // tankDef
  EXPECT_EQ(s.nodes, 0);                // the ball is a primitive
  EXPECT_EQ(s.constraints, 0);
  EXPECT_GE(s.substeps, 1);
  EXPECT_GE(s.pressureSolves, s.substeps);
  EXPECT_GT(s.milliseconds, 0);
  EXPECT_TRUE(s.converged);
  EXPECT_LT(s.densityErrorMax, 0.1);
  EXPECT_EQ(s.leaked, 0);
  // of the water, which is at rest; the ball above it falls
  EXPECT_GT(s.maxSpeed, 0);
  EXPECT_LT(s.maxSpeed, 0.01);
  EXPECT_GT(s.memoryBytes, 1200u * 100);
  EXPECT_LT(s.memoryBytes, 64u << 20);
  const char* text = nullptr;
  EXPECT_OK(mnsScene_GetStatusText(scene, &text));
  EXPECT_STREQ(text, "");
}

TEST_F(Statistics, GiveNoMoreThanTheCallerKnows) {
  mnsScene* scene = tankWithBall();
  ASSERT_OK(mnsScene_Start(scene));
  mnsStatistics s;
  std::memset(&s, 0x55, sizeof s);
  s.structSize = offsetof(mnsStatistics, particles);  // as a header would have it that ends there
  EXPECT_OK(mnsScene_GetStatistics(scene, &s));
  EXPECT_EQ(s.steps, 0u);
  EXPECT_EQ(s.particles, 0x5555555555555555);
}

TEST_F(Statistics, WhyAStepDidNotConverge) {
  mnsSceneDef def = tankDef();
  def.tolerance = 1e-7;
  def.maxIterations = 1;  // not enough for any pressure
  mnsScene* scene = nullptr;
  ASSERT_OK(mnsCreateScene(context, &def, &scene));
  addWater(scene);
  addBall(scene, 500, {0.1, 0.05, 0.09});
  ASSERT_OK(mnsScene_Step(scene, 0.004));
  EXPECT_FALSE(of(scene).converged);
  const char* text = nullptr;
  EXPECT_OK(mnsScene_GetStatusText(scene, &text));
  EXPECT_STRNE(text, "");
}

TEST_F(Statistics, NotesSayWhatWasMended) {
  // a tetrahedron with a vertex given twice: it is welded
  const float vertices[] = {0, 0, 0, .04f, 0, 0, 0, .04f, 0, 0, 0, .04f, 0, 0, 0};
  const int triangles[] = {0, 2, 1, 0, 1, 3, 4, 3, 2, 1, 2, 3};
  mnsShape shape = mnsDefaultShape();
  shape.kind = MNS_SHAPE_MESH;
  shape.vertices = vertices;
  shape.vertexCount = 5;
  shape.triangles = triangles;
  shape.triangleCount = 4;
  mnsBodyDef body = mnsDefaultBodyDef();
  body.name = "wedge";
  body.kind = MNS_BODY_STATIC;
  body.shape = &shape;
  body.position = {0.1, 0.05, 0.1};
  mnsScene* scene = emptyTank();
  addWater(scene);
  mnsBodyId id{};
  ASSERT_OK(mnsCreateBody(scene, &body, &id));
  const char* notes = nullptr;
  EXPECT_OK(mnsScene_GetNotes(scene, &notes));
  EXPECT_STREQ(notes, "");  // nothing is made yet
  ASSERT_OK(mnsScene_Start(scene));
  EXPECT_OK(mnsScene_GetNotes(scene, &notes));
  EXPECT_NE(std::string(notes).find("wedge"), std::string::npos) << notes;
}

TEST_F(Statistics, StagesAddUpToTheSteps) {
  mnsScene* scene = tankWithBall();
  std::int32_t count = -1;
  EXPECT_OK(mnsScene_GetStages(scene, nullptr, 0, &count));
  EXPECT_EQ(count, 0);
  EXPECT_OK(mnsScene_ResetStages(scene));
  double milliseconds = 0;
  for (int k = 0; k < 3; ++k) {
    ASSERT_OK(mnsScene_Step(scene, 0.004));
    milliseconds += of(scene).milliseconds;
  }
  std::vector<mnsStage> stages(64);
  ASSERT_OK(mnsScene_GetStages(scene, stages.data(), 64, &count));
  ASSERT_GT(count, 5);
  ASSERT_LE(count, 64);
  double sum = 0;
  for (std::int32_t k = 0; k < count; ++k) {
    EXPECT_STRNE(stages[std::size_t(k)].name, "");
    EXPECT_GE(stages[std::size_t(k)].seconds, 0);
    sum += stages[std::size_t(k)].seconds;
  }
  EXPECT_LE(1e3 * sum, milliseconds);
  EXPECT_GE(1e3 * sum, 0.3 * milliseconds);  // the rest is the copy to go back to, and choosing the sub-step
  stages[1].name = "untouched";
  EXPECT_OK(mnsScene_GetStages(scene, stages.data(), 1, &count));
  EXPECT_STREQ(stages[1].name, "untouched");
  EXPECT_OK(mnsScene_ResetStages(scene));
  EXPECT_OK(mnsScene_GetStages(scene, nullptr, 0, &count));
  EXPECT_EQ(count, 0);
}

TEST_F(Statistics, RefuseWhatTheyCannotWrite) {
  mnsScene* scene = tankWithBall();
  mnsStatistics s{};
  EXPECT_EQ(mnsScene_GetStatistics(scene, &s), MNS_ERROR_INVALID_ARGUMENT);  // structSize 0
  EXPECT_EQ(mnsScene_GetStatistics(scene, nullptr), MNS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(mnsScene_GetStatusText(scene, nullptr), MNS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(mnsScene_GetNotes(scene, nullptr), MNS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(mnsScene_GetStages(scene, nullptr, 0, nullptr), MNS_ERROR_INVALID_ARGUMENT);
  std::int32_t count = 0;
  EXPECT_EQ(mnsScene_GetStages(scene, nullptr, -1, &count), MNS_ERROR_INVALID_ARGUMENT);
  s.structSize = sizeof s;
  const char* text = nullptr;
  EXPECT_EQ(mnsScene_GetStatistics(nullptr, &s), MNS_ERROR_INVALID_HANDLE);
  EXPECT_EQ(mnsScene_GetStatusText(nullptr, &text), MNS_ERROR_INVALID_HANDLE);
  EXPECT_EQ(mnsScene_GetNotes(nullptr, &text), MNS_ERROR_INVALID_HANDLE);
  EXPECT_EQ(mnsScene_GetStages(nullptr, nullptr, 0, &count), MNS_ERROR_INVALID_HANDLE);
  EXPECT_EQ(mnsScene_ResetStages(nullptr), MNS_ERROR_INVALID_HANDLE);
}

}  // namespace
