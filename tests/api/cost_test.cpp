// What a call costs that does no work: in processor time of the thread, so that other programs beside it do not count; the least of
// some rounds.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

#include "tests/api/api_fixture.h"
#include "tests/api/grid_texts.h"

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kChecked = true;
#elif defined(__has_feature)
constexpr bool kChecked = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
constexpr bool kChecked = false;
#endif

double processorSeconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

// Nanoseconds of one call.
double costOf(int calls, const std::function<void()>& call) {
  double least = 1e9;
  for (int round = 0; round < 7; ++round) {
    const double begin = processorSeconds();
    for (int k = 0; k < calls; ++k) call();
    least = std::min(least, (processorSeconds() - begin) / calls);
  }
  return 1e9 * least;
}

class Cost : public ApiTest {
 protected:
  void SetUp() override {
    ApiTest::SetUp();
    if (kChecked) GTEST_SKIP() << "sanitizers have their own cost";
  }
  void expectCheap(const char* what, const std::function<void()>& call) {
    const double ns = costOf(20000, call);
    EXPECT_LT(ns, 200) << what;
    std::printf("%-24s %6.1f ns\n", what, ns);
  }
};

TEST_F(Cost, CallsTakeLessThanTwoHundredNanoseconds) {
  mnsScene* scene = emptyTank();
  addWater(scene);
  const mnsBodyId ball = addBall(scene);
  ASSERT_OK(mnsScene_Step(scene, 0.002));
  mnsVec3 v{};
  mnsView view{};
  mnsStatistics s{};
  s.structSize = sizeof s;
  double value = 0;
  std::int32_t count = 0;
  expectCheap("mnsBody_IsValid", [&] { mnsBody_IsValid(scene, ball); });
  expectCheap("mnsBody_GetVelocity", [&] { mnsBody_GetVelocity(scene, ball, &v, nullptr); });
  expectCheap("mnsBody_ApplyImpulse", [&] { mnsBody_ApplyImpulse(scene, ball, {0, 0, 0}, nullptr); });
  expectCheap("mnsScene_GetParticles", [&] { mnsScene_GetParticles(scene, MNS_PARTICLE_POSITION, &view); });
  expectCheap("mnsBody_GetArray", [&] { mnsBody_GetArray(scene, ball, MNS_SURFACE_POSITION, &view); });
  expectCheap("mnsScene_GetValue", [&] { mnsScene_GetValue(scene, "gravity.z", &value); });
  expectCheap("mnsScene_GetEvents", [&] { mnsScene_GetEvents(scene, nullptr, sizeof(mnsEvent), 0, &count); });
  expectCheap("mnsGetMemoryUse", [&] { mnsGetMemoryUse(); });
}

TEST_F(Cost, CallsOnAGridTakeLessThanTwoHundredNanoseconds) {
  const std::string text = smokeText();
  mnsScene* scene = nullptr;
  ASSERT_OK(mnsLoadSceneText(context, text.data(), text.size(), nullptr, &scene));
  ASSERT_OK(mnsScene_Step(scene, 0.02));
  mnsBodyId cloth{};
  ASSERT_OK(mnsScene_FindBody(scene, "cloth", &cloth));
  mnsView view{};
  mnsGrid grid{};
  grid.structSize = sizeof grid;
  std::int32_t count = 0;
  double value = 0;
  expectCheap("mnsScene_GetGrid", [&] { mnsScene_GetGrid(scene, &grid); });
  expectCheap("mnsScene_GetGridFieldCount", [&] { mnsScene_GetGridFieldCount(scene, &count); });
  expectCheap("mnsScene_GetGridArray", [&] { mnsScene_GetGridArray(scene, "velocity", &view); });
  expectCheap("mnsBody_GetArray", [&] { mnsBody_GetArray(scene, cloth, MNS_SURFACE_POSITION, &view); });
  expectCheap("mnsScene_GetValue", [&] { mnsScene_GetValue(scene, "fluids.air.inflows.0.speed", &value); });
}

// 100,000 positions: asking for the view and reading it where it is, against a copy of as many bytes.
TEST_F(Cost, ReadingThroughAViewIsNotSlowerThanACopy) {
  mnsSceneDef def = tankDef();
  def.domain.max = {0.5, 0.5, 0.5};
  def.maxParticles = 110000;
  def.settle = false;
  mnsScene* scene = nullptr;
  ASSERT_OK(mnsCreateScene(context, &def, &scene));
  const mnsShape box = mnsBoxShape(0.5, 0.5, 0.4);
  mnsFluidDef water = mnsDefaultFluidDef();
  water.shape = &box;
  water.position = {0.25, 0.25, 0.2};
  mnsFluidId fluid{};
  ASSERT_OK(mnsCreateFluid(scene, &water, &fluid));
  ASSERT_OK(mnsScene_Start(scene));
  mnsView view{};
  ASSERT_OK(mnsScene_GetParticles(scene, MNS_PARTICLE_POSITION, &view));
  ASSERT_EQ(view.count, 100000);
  std::vector<float> copy(std::size_t(4 * view.count));
  float sum = 0;
  const double read = costOf(20, [&] {
    mnsScene_GetParticles(scene, MNS_PARTICLE_POSITION, &view);
    const auto* x = static_cast<const float*>(view.data);
    std::uint32_t bits = 0;
    for (std::int64_t k = 0; k < 4 * view.count; ++k) {
      std::uint32_t b;
      std::memcpy(&b, x + k, sizeof b);
      bits ^= b;
    }
    sum += float(bits & 1);
  });
  const double copied = costOf(20, [&] {
    std::memcpy(copy.data(), view.data, copy.size() * sizeof(float));
    sum += copy[std::size_t(view.count)];
  });
  std::printf("read %.0f us, copied %.0f us\n", 1e-3 * read, 1e-3 * copied);
  EXPECT_LT(read, copied + 5e3) << sum;  // within 5 us
}

}  // namespace
