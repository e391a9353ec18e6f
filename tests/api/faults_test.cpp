// Memory that runs out at any allocation: the call fails with its own result, the scene is as it was, and nothing is lost.
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "tests/api/faults_fixture.h"

namespace {

class Faults : public MemoryFaults {
 protected:
  // A small pool with a ball and a cloth.
  static mnsResult make(mnsContext* context, mnsScene** scene) {
    mnsSceneDef def = mnsDefaultSceneDef();
    def.domain.max = {0.12, 0.12, 0.2};
    def.spacing = 0.02;
    def.maxParticles = 200;
    if (const mnsResult r = mnsCreateScene(context, &def, scene)) return r;
    const mnsShape box = mnsBoxShape(0.12, 0.12, 0.06), sphere = mnsSphereShape(0.02), sheet = mnsSheetShape(0.08, 0.08);
    mnsFluidDef water = mnsDefaultFluidDef();
    water.shape = &box;
    water.position = {0.06, 0.06, 0.03};
    mnsFluidId fluid{};
    if (const mnsResult r = mnsCreateFluid(*scene, &water, &fluid)) return r;
    mnsBodyDef ball = mnsDefaultBodyDef();
    ball.name = "ball";
    ball.kind = MNS_BODY_RIGID;
    ball.shape = &sphere;
    ball.position = {0.06, 0.06, 0.09};
    mnsBodyId id{};
    if (const mnsResult r = mnsCreateBody(*scene, &ball, &id)) return r;
    mnsMaterial skin = mnsDefaultMaterial();
    skin.arealDensity = 0.3;
    mnsBodyDef cloth = mnsDefaultBodyDef();
    cloth.name = "cloth";
    cloth.kind = MNS_BODY_CLOTH;
    cloth.shape = &sheet;
    cloth.material = &skin;
    cloth.position = {0.06, 0.06, 0.14};
    return mnsCreateBody(*scene, &cloth, &id);
  }

  void stepAtEveryAllocation(int threads);
};

TEST_F(Faults, MakingASceneAtEveryAllocation) {
  mnsContext* context = makeContext();
  std::int64_t failures = 0;
  for (std::int64_t n = 0;; ++n) {
    mnsScene* scene = nullptr;
    meter.untilFailure = n;
    mnsResult r = make(context, &scene);
    if (r == MNS_OK) r = mnsScene_Start(scene);
    const bool failed = meter.untilFailure.exchange(-1) < 0;
    if (!failed) {
      EXPECT_OK(r);
      EXPECT_OK(mnsDestroyScene(scene));
      break;
    }
    ++failures;
    ASSERT_TRUE(r == MNS_ERROR_OUT_OF_MEMORY || r == MNS_OK)
        << "allocation " << n << ": " << mnsResult_ToString(r) << ", " << mnsGetLastError();
    if (scene) {  // what is there can be used and destroyed
      EXPECT_OK(mnsDestroyScene(scene));
    }
  }
  EXPECT_GT(failures, 100);
  EXPECT_OK(mnsDestroyContext(context));
}

// What is left of a host's memory is not its library's to get round: a scene is not made elsewhere in secret.
TEST_F(Faults, AnAllocatorThatRefusesEverythingGetsNoScene) {
  mnsContext* context = makeContext();
  const std::string text =
      R"({"meniscus": 1, "domain": {"min": [0, 0, 0], "max": [0.1, 0.1, 0.1]}, "fluids": [{"name": "water", "spacing": 0.01,
    "shapes": [{"box": {"min": [0, 0, 0], "max": [0.1, 0.1, 0.05]}}]}]})";
  mnsScene* scene = nullptr;
  meter.refuseAll = true;
  const mnsResult r = mnsLoadSceneText(context, text.data(), text.size(), nullptr, &scene);
  meter.refuseAll = false;
  EXPECT_EQ(r, MNS_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(scene, nullptr);
  EXPECT_OK(mnsLoadSceneText(context, text.data(), text.size(), nullptr, &scene));
  EXPECT_OK(mnsDestroyContext(context));
}

// A step that fails for want of memory is not half done: tried again, it ends in the state that it would have ended in.
void Faults::stepAtEveryAllocation(int threads) {
  mnsContext* context = makeContext(threads);
  mnsScene *plain = nullptr, *faulty = nullptr;
  ASSERT_OK(make(context, &plain));
  ASSERT_OK(make(context, &faulty));
  ASSERT_OK(mnsScene_Start(plain));
  ASSERT_OK(mnsScene_Start(faulty));
  std::int64_t failures = 0;
  for (int step = 0; step < 4; ++step) {
    ASSERT_OK(mnsScene_Step(plain, 0.004));
    for (std::int64_t n = 0;; ++n) {
      meter.untilFailure = n;
      const mnsResult r = mnsScene_Step(faulty, 0.004);
      const bool failed = meter.untilFailure.exchange(-1) < 0;
      if (r == MNS_OK) break;
      ASSERT_TRUE(failed) << mnsGetLastError();
      ASSERT_EQ(r, MNS_ERROR_OUT_OF_MEMORY) << mnsGetLastError();
      ++failures;
    }
    std::uint64_t a = 0, b = 1;
    ASSERT_OK(mnsScene_GetHash(plain, &a));
    ASSERT_OK(mnsScene_GetHash(faulty, &b));
    ASSERT_EQ(a, b) << "after step " << step + 1;
  }
  EXPECT_GT(failures, 20);
  EXPECT_OK(mnsDestroyContext(context));
}

TEST_F(Faults, AStepAtEveryAllocation) { stepAtEveryAllocation(1); }
TEST_F(Faults, AStepOfThreeThreadsAtEveryAllocation) { stepAtEveryAllocation(3); }

// An array for which there was no memory is not taken for one that has been made: the next call gives it whole.
TEST_F(Faults, ReadingArraysAtEveryAllocation) {
  mnsContext* context = makeContext();
  mnsScene* plain = nullptr;
  ASSERT_OK(make(context, &plain));
  ASSERT_OK(mnsScene_Step(plain, 0.004));
  const auto read = [](mnsScene* scene, int kind, mnsView* view) {
    if (kind < 9) return mnsScene_GetParticles(scene, mnsParticleField(kind), view);
    mnsBodyId cloth{};
    const mnsResult r = mnsScene_FindBody(scene, kind < 20 ? "cloth" : "ball", &cloth);
    return r ? r : mnsBody_GetArray(scene, cloth, mnsBodyField((kind - 9) % 11), view);
  };
  std::int64_t failures = 0;
  for (int kind = 0; kind < 31; ++kind) {
    mnsView expected{}, view{};
    ASSERT_OK(read(plain, kind, &expected));
    for (std::int64_t n = 0;; n += 1 + n / 8) {
      mnsScene* scene = nullptr;  // another one each time: the room of an array stays
      ASSERT_OK(make(context, &scene));
      ASSERT_OK(mnsScene_Step(scene, 0.004));
      meter.untilFailure = n;
      const mnsResult r = read(scene, kind, &view);
      const bool failed = meter.untilFailure.exchange(-1) < 0;
      ASSERT_EQ(r, failed ? MNS_ERROR_OUT_OF_MEMORY : MNS_OK) << kind << ": " << mnsGetLastError();
      ASSERT_OK(read(scene, kind, &view));
      ASSERT_EQ(view.count, expected.count) << kind;
      ASSERT_EQ(view.stride, expected.stride) << kind;
      if (view.count > 0) { ASSERT_EQ(std::memcmp(view.data, expected.data, std::size_t(view.count * view.stride)), 0) << kind; }
      ASSERT_OK(mnsDestroyScene(scene));
      if (!failed) break;
      ++failures;
    }
  }
  EXPECT_GT(failures, 30);
  EXPECT_OK(mnsDestroyContext(context));
}

TEST_F(Faults, LoadingASceneAtEveryAllocation) {
  const std::string text = R"({"meniscus": 1, "domain": {"min": [0, 0, 0], "max": [0.12, 0.12, 0.2]},
    "fluids": [{"name": "water", "spacing": 0.02, "shapes": [{"box": {"min": [0, 0, 0], "max": [0.12, 0.12, 0.06]}}]}],
    "solids": [{"name": "ball", "kind": "rigid", "shape": {"sphere": {"radius": 0.02}}, "position": [0.06, 0.06, 0.1]}]})";
  mnsContext* context = makeContext();
  mnsScene* first = nullptr;  // after it the context has room for a scene
  ASSERT_OK(mnsLoadSceneText(context, text.c_str(), text.size(), nullptr, &first));
  EXPECT_OK(mnsDestroyScene(first));
  const std::int64_t blocks = meter.blocks;
  std::int64_t failures = 0;
  for (std::int64_t n = 0;; ++n) {
    mnsScene* scene = nullptr;
    meter.untilFailure = n;
    const mnsResult r = mnsLoadSceneText(context, text.c_str(), text.size(), nullptr, &scene);
    const bool failed = meter.untilFailure.exchange(-1) < 0;
    ASSERT_TRUE(r == MNS_OK || (failed && r == MNS_ERROR_OUT_OF_MEMORY))
        << "allocation " << n << ": " << mnsResult_ToString(r) << ", " << mnsGetLastError();
    ASSERT_EQ(scene != nullptr, r == MNS_OK);
    if (r == MNS_OK) { EXPECT_OK(mnsDestroyScene(scene)); }
    ASSERT_EQ(meter.blocks, blocks) << "allocation " << n;
    if (!failed) break;
    ++failures;
  }
  EXPECT_GT(failures, 20);
  EXPECT_OK(mnsDestroyContext(context));
}

// The first time too: tables that stay until the process ends are not the host's. Working memory of a thread goes with the thread.
TEST_F(Faults, EverythingIsGivenBack) {
  const std::int64_t before = meter.blocks;
  for (int round = 0; round < 3; ++round) {
    std::thread([&] {
      mnsContext* context = makeContext();
      mnsScene* scene = nullptr;
      ASSERT_OK(make(context, &scene));
      for (int k = 0; k < 3; ++k) ASSERT_OK(mnsScene_Step(scene, 0.004));
      ASSERT_OK(mnsDestroyContext(context));
    }).join();
    EXPECT_EQ(meter.blocks, before);
  }
}

}  // namespace
