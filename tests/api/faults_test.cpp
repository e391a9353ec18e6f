// Memory that runs out at any allocation: the call fails with its own result, the scene is as it was, and nothing is lost.
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "tests/api/api_fixture.h"

namespace {

// Gives memory until the counter reaches zero, then one null, then memory again.
struct Meter {
  std::atomic<std::int64_t> untilFailure{-1};  // negative: never
  std::atomic<std::int64_t> blocks{0};

  static void* allocate(void* user, std::size_t bytes, std::size_t alignment) {
    Meter& m = *static_cast<Meter*>(user);
    if (m.untilFailure.load() >= 0 && m.untilFailure.fetch_sub(1) == 0) return nullptr;
    void* p = nullptr;
    if (posix_memalign(&p, alignment < sizeof(void*) ? sizeof(void*) : alignment, bytes) != 0) return nullptr;
    m.blocks.fetch_add(1);
    return p;
  }
  static void release(void* user, void* p) {
    static_cast<Meter*>(user)->blocks.fetch_sub(1);
    std::free(p);
  }
};

class Faults : public ::testing::Test {
 protected:
  void SetUp() override {
    const mnsAllocator a{&meter, &Meter::allocate, &Meter::release};
    ASSERT_OK(mnsSetAllocator(&a));
  }
  void TearDown() override {
    meter.untilFailure = -1;
    EXPECT_OK(mnsSetAllocator(nullptr));
  }
  mnsContext* makeContext(int threads = 1) {
    mnsContextDef def = mnsDefaultContextDef();
    def.device = MNS_DEVICE_CPU;
    def.threads = threads;
    mnsContext* context = nullptr;
    EXPECT_OK(mnsCreateContext(MNS_VERSION, &def, &context));
    return context;
  }
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
    ball.kind = MNS_BODY_RIGID;
    ball.shape = &sphere;
    ball.position = {0.06, 0.06, 0.09};
    mnsBodyId id{};
    if (const mnsResult r = mnsCreateBody(*scene, &ball, &id)) return r;
    mnsMaterial skin = mnsDefaultMaterial();
    skin.arealDensity = 0.3;
    mnsBodyDef cloth = mnsDefaultBodyDef();
    cloth.kind = MNS_BODY_CLOTH;
    cloth.shape = &sheet;
    cloth.material = &skin;
    cloth.position = {0.06, 0.06, 0.14};
    return mnsCreateBody(*scene, &cloth, &id);
  }

  void stepAtEveryAllocation(int threads);

  static Meter meter;
};
Meter Faults::meter;

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
