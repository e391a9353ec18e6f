// Emitters and drains that come, go and change while the scene runs.
#include <cmath>
#include <string>
#include <vector>

#include "tests/api/api_fixture.h"

namespace {

constexpr double kVolume = 1e-6;  // m^3 of a particle

class Openings : public ApiTest {
 protected:
  void SetUp() override {
    ApiTest::SetUp();
    scene = emptyTank();
    water = addWater(scene, 0.03);
  }
  // A square of 3 x 3 particles in the middle of the tank, .15 m up, that points down.
  mnsEmitterDef tap(double speed) const {
    mnsEmitterDef def = mnsDefaultEmitterDef();
    def.name = "tap";
    def.fluid = water;
    def.kind = MNS_OPENING_RECTANGLE;
    def.sizeX = def.sizeY = 0.03;
    def.position = {0.1, 0.05, 0.15};
    def.rotation = {1, 0, 0, 0};
    def.speed = speed;
    return def;
  }
  mnsDrainDef sink() const {
    mnsDrainDef def = mnsDefaultDrainDef();
    def.name = "sink";
    def.radius = 0.03;
    def.position = {0.1, 0.05, 0.01};
    def.depth = 0.01;
    return def;
  }
  void steps(int n) {
    for (int k = 0; k < n; ++k) ASSERT_OK(mnsScene_Step(scene, 0.004));
  }
  double volume(mnsEmitterId e) {
    double v = -1;
    EXPECT_OK(mnsEmitter_GetVolume(scene, e, &v));
    return v;
  }
  std::uint64_t taken(mnsDrainId d) {
    std::uint64_t n = 0;
    EXPECT_OK(mnsDrain_GetCount(scene, d, &n));
    return n;
  }
  std::int64_t particles() {
    mnsView v{};
    EXPECT_OK(mnsScene_GetParticles(scene, MNS_PARTICLE_ID, &v));
    return v.count;
  }
  std::string refusal(mnsResult result, mnsResult expected) {
    EXPECT_EQ(result, expected);
    return mnsGetLastError();
  }

  mnsScene* scene = nullptr;
  mnsFluidId water{};
};

// speed x area x time = 1 m/s x 9e-4 m^2 x .08 s = 72 particles of 1e-6 m^3, in layers of nine.
TEST_F(Openings, FlowIsSpeedTimesArea) {
  mnsEmitterDef def = tap(1);
  mnsEmitterId e{};
  ASSERT_OK(mnsCreateEmitter(scene, &def, &e));
  EXPECT_EQ(volume(e), 0);
  steps(20);
  EXPECT_NEAR(volume(e), 72 * kVolume, 9.1 * kVolume);
  EXPECT_EQ(particles(), 600 + std::lround(volume(e) / kVolume));
}

TEST_F(Openings, MadeInARunningSceneTheyWorkFromThenOn) {
  ASSERT_OK(mnsScene_Start(scene));
  steps(5);
  mnsEmitterDef def = tap(1);
  mnsEmitterId e{}, found{};
  ASSERT_OK(mnsCreateEmitter(scene, &def, &e));
  ASSERT_OK(mnsScene_FindEmitter(scene, "tap", &found));
  EXPECT_TRUE(MNS_SAME_ID(e, found));
  EXPECT_TRUE(mnsEmitter_IsValid(scene, e));
  steps(20);
  EXPECT_NEAR(volume(e), 72 * kVolume, 9.1 * kVolume);
  const std::int64_t before = particles();
  ASSERT_OK(mnsDestroyEmitter(scene, e));
  EXPECT_FALSE(mnsEmitter_IsValid(scene, e));
  steps(5);
  EXPECT_EQ(particles(), before);

  mnsDrainDef hole = sink();
  mnsDrainId d{};
  ASSERT_OK(mnsCreateDrain(scene, &hole, &d));
  EXPECT_EQ(taken(d), 0u);
  steps(10);
  EXPECT_GT(taken(d), 20u);
  EXPECT_EQ(particles(), before - std::int64_t(taken(d)));
  mnsDrainId foundDrain{};
  ASSERT_OK(mnsScene_FindDrain(scene, "sink", &foundDrain));
  EXPECT_TRUE(MNS_SAME_ID(d, foundDrain));
  const std::int64_t left = particles();
  ASSERT_OK(mnsDestroyDrain(scene, d));
  EXPECT_FALSE(mnsDrain_IsValid(scene, d));
  steps(5);
  EXPECT_EQ(particles(), left);
}

// With two of them the second keeps its own state when the first goes.
TEST_F(Openings, StatesGoWithTheirOpenings) {
  mnsEmitterDef a = tap(1), b = tap(0.5);
  a.position.x = 0.04;
  b.position.x = 0.15;
  b.name = "other";
  mnsEmitterId first{}, second{};
  ASSERT_OK(mnsCreateEmitter(scene, &a, &first));
  ASSERT_OK(mnsCreateEmitter(scene, &b, &second));
  steps(10);
  const double v = volume(second);
  EXPECT_LT(v, volume(first));
  ASSERT_OK(mnsDestroyEmitter(scene, first));
  EXPECT_EQ(volume(second), v);
  double out = 0;
  EXPECT_EQ(mnsEmitter_GetVolume(scene, first, &out), MNS_ERROR_INVALID_HANDLE);
  steps(10);
  EXPECT_NEAR(volume(second), 36 * kVolume, 9.1 * kVolume);
}

TEST_F(Openings, SpeedZeroShutsAndAnotherOpensAgain) {
  mnsEmitterDef def = tap(0);
  def.rate = 9e-4;  // of 1 m/s
  mnsEmitterId e{};
  ASSERT_OK(mnsCreateEmitter(scene, &def, &e));
  steps(10);
  const double v = volume(e);
  EXPECT_NEAR(v, 36 * kVolume, 9.1 * kVolume);
  ASSERT_OK(mnsEmitter_SetSpeed(scene, e, 0));
  steps(10);
  EXPECT_EQ(volume(e), v);
  ASSERT_OK(mnsEmitter_SetSpeed(scene, e, 2));
  steps(10);
  EXPECT_NEAR(volume(e) - v, 72 * kVolume, 9.1 * kVolume);
}

TEST_F(Openings, OneThatIsMadeShutWaits) {
  mnsEmitterDef def = tap(0);
  mnsEmitterId e{};
  ASSERT_OK(mnsCreateEmitter(scene, &def, &e));
  steps(3);
  EXPECT_EQ(volume(e), 0);
  ASSERT_OK(mnsEmitter_SetSpeed(scene, e, 1));
  steps(10);
  EXPECT_NEAR(volume(e), 36 * kVolume, 9.1 * kVolume);
}

// Moved to the other end of the tank, what comes next comes out there.
TEST_F(Openings, AMovedEmitterLetsGoWhereItIs) {
  mnsEmitterDef def = tap(1);
  def.position.x = 0.04;
  mnsEmitterId e{};
  ASSERT_OK(mnsCreateEmitter(scene, &def, &e));
  steps(5);
  const std::int64_t before = particles();
  ASSERT_OK(mnsEmitter_SetTransform(scene, e, {0.16, 0.05, 0.15}, {1, 0, 0, 0}));
  steps(5);
  mnsView v{};
  ASSERT_OK(mnsScene_GetParticles(scene, MNS_PARTICLE_POSITION, &v));
  ASSERT_GT(v.count, before);
  for (std::int64_t k = before; k < v.count; ++k) EXPECT_GT(static_cast<const float*>(v.data)[4 * k], 0.14f);
}

TEST_F(Openings, AreCheckedAgainstTheRunningScene) {
  addBall(scene);
  mnsEmitterDef def = tap(1);
  def.position.x = 0.04;
  mnsEmitterId e{}, other{};
  ASSERT_OK(mnsCreateEmitter(scene, &def, &e));
  ASSERT_OK(mnsScene_Start(scene));
  EXPECT_NE(refusal(mnsEmitter_SetTransform(scene, e, {1, 0.05, 0.15}, {1, 0, 0, 0}), MNS_ERROR_SCENE).find("outside the domain"),
            std::string::npos);
  EXPECT_NE(refusal(mnsEmitter_SetTransform(scene, e, {0.1, 0.05, 0.13}, {1, 0, 0, 0}), MNS_ERROR_SCENE).find("\"ball\""),
            std::string::npos);
  EXPECT_EQ(mnsEmitter_SetTransform(scene, e, {NAN, 0, 0}, {1, 0, 0, 0}), MNS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(mnsEmitter_SetTransform(scene, e, {0.1, 0.05, 0.15}, {0, 0, 0, 0}), MNS_ERROR_INVALID_ARGUMENT);
  EXPECT_NE(refusal(mnsEmitter_SetSpeed(scene, e, 100), MNS_ERROR_SCENE).find("crosses the domain"), std::string::npos);
  EXPECT_EQ(mnsEmitter_SetSpeed(scene, e, -1), MNS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(mnsEmitter_SetSpeed(scene, e, HUGE_VAL), MNS_ERROR_INVALID_ARGUMENT);
  def.name = "second";
  def.sizeX = 0.001;
  EXPECT_EQ(mnsCreateEmitter(scene, &def, &other), MNS_ERROR_SCENE);
  EXPECT_TRUE(MNS_IS_NULL(other));
  EXPECT_EQ(mnsScene_FindEmitter(scene, "second", &other), MNS_ERROR_NOT_FOUND);
  mnsDrainDef hole = sink();
  hole.position.z = -1;
  mnsDrainId d{};
  EXPECT_EQ(mnsCreateDrain(scene, &hole, &d), MNS_ERROR_SCENE);
  steps(10);
  EXPECT_NEAR(volume(e), 36 * kVolume, 9.1 * kVolume);  // as it was made
}

TEST_F(Openings, RefuseWhatIsNotThere) {
  mnsEmitterDef def = tap(1);
  mnsEmitterId e{};
  def.fluid = mnsFluidId{};
  EXPECT_EQ(mnsCreateEmitter(scene, &def, &e), MNS_ERROR_INVALID_HANDLE);
  def = tap(1);
  EXPECT_EQ(mnsCreateEmitter(scene, &def, nullptr), MNS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(mnsCreateEmitter(scene, nullptr, &e), MNS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(mnsCreateEmitter(nullptr, &def, &e), MNS_ERROR_INVALID_HANDLE);
  def.cookie = 0;
  EXPECT_EQ(mnsCreateEmitter(scene, &def, &e), MNS_ERROR_INVALID_DEFINITION);
  def = tap(1);
  def.rate = 1;
  EXPECT_EQ(mnsCreateEmitter(scene, &def, &e), MNS_ERROR_INVALID_ARGUMENT);  // one of the two
  def = tap(NAN);
  EXPECT_EQ(mnsCreateEmitter(scene, &def, &e), MNS_ERROR_INVALID_ARGUMENT);
  int mine = 0;
  def = tap(1);
  def.userData = &mine;
  ASSERT_OK(mnsCreateEmitter(scene, &def, &e));
  mnsEmitterId twin{};
  EXPECT_EQ(mnsCreateEmitter(scene, &def, &twin), MNS_ERROR_INVALID_ARGUMENT);  // of the same name
  void* data = nullptr;
  ASSERT_OK(mnsEmitter_GetUserData(scene, e, &data));
  EXPECT_EQ(data, &mine);
  EXPECT_EQ(mnsEmitter_GetUserData(scene, e, nullptr), MNS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(mnsEmitter_GetVolume(scene, e, nullptr), MNS_ERROR_INVALID_ARGUMENT);
  EXPECT_NE(refusal(mnsScene_FindEmitter(scene, "tab", &twin), MNS_ERROR_NOT_FOUND).find("did you mean \"tap\""),
            std::string::npos);
  EXPECT_EQ(mnsScene_FindEmitter(scene, nullptr, &twin), MNS_ERROR_INVALID_ARGUMENT);
  ASSERT_OK(mnsDestroyEmitter(scene, e));
  EXPECT_EQ(mnsDestroyEmitter(scene, e), MNS_ERROR_INVALID_HANDLE);
  EXPECT_EQ(mnsEmitter_SetSpeed(scene, e, 1), MNS_ERROR_INVALID_HANDLE);
  EXPECT_EQ(mnsEmitter_SetTransform(scene, e, {0, 0, 0}, {0, 0, 0, 1}), MNS_ERROR_INVALID_HANDLE);
  mnsDrainDef hole = sink();
  hole.userData = &mine;
  mnsDrainId d{};
  EXPECT_EQ(mnsCreateDrain(scene, &hole, nullptr), MNS_ERROR_INVALID_ARGUMENT);
  ASSERT_OK(mnsCreateDrain(scene, &hole, &d));
  ASSERT_OK(mnsDrain_GetUserData(scene, d, &data));
  EXPECT_EQ(data, &mine);
  EXPECT_EQ(mnsDrain_GetCount(scene, d, nullptr), MNS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(mnsScene_FindDrain(scene, "no", &d), MNS_ERROR_NOT_FOUND);
  ASSERT_OK(mnsDestroyDrain(scene, d));
  EXPECT_EQ(mnsDestroyDrain(scene, d), MNS_ERROR_INVALID_HANDLE);
}

// Room for the start only is what was asked for with 0, but seldom meant: that is said once, whenever the first emitter comes.
TEST_F(Openings, WithoutRoomThereIsAWarning) {
  std::vector<std::string> warnings;
  mnsContextDef loud = mnsDefaultContextDef();
  loud.device = MNS_DEVICE_CPU;
  loud.logLevel = MNS_LOG_WARNING;
  loud.logUser = &warnings;
  loud.log = [](void* user, mnsLogLevel, const char*, const char* message, const char*, std::int32_t) {
    static_cast<std::vector<std::string>*>(user)->push_back(message);
  };
  mnsContext* own = nullptr;
  ASSERT_OK(mnsCreateContext(MNS_VERSION, &loud, &own));
  for (const std::int32_t room : {0, 2000})
    for (const bool later : {false, true}) {
      warnings.clear();
      mnsSceneDef def = tankDef();
      def.maxParticles = room;
      ASSERT_OK(mnsCreateScene(own, &def, &scene));
      water = addWater(scene, 0.03);
      if (later) { ASSERT_OK(mnsScene_Start(scene)); }
      mnsEmitterDef one = tap(1);
      mnsEmitterId id{};
      ASSERT_OK(mnsCreateEmitter(scene, &one, &id));
      ASSERT_OK(mnsScene_Step(scene, 0.004));
      one.name = "second";
      one.position.x = 0.05;
      ASSERT_OK(mnsCreateEmitter(scene, &one, &id));
      const char* notes = nullptr;
      ASSERT_OK(mnsScene_GetNotes(scene, &notes));
      ASSERT_EQ(warnings.size(), room == 0 ? 1u : 0u) << later;
      for (const std::string& warning : warnings) EXPECT_NE(warning.find("maxParticles"), std::string::npos) << warning;
      EXPECT_EQ(std::string(notes).find("maxParticles") != std::string::npos, room == 0) << notes;
    }
  ASSERT_OK(mnsDestroyContext(own));
}

}  // namespace
