// Scenes that come and go, and one that lives long: the process's own figures do not grow.
#include <dirent.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <string>

#include "tests/api/api_fixture.h"
#include "tests/api/grid_texts.h"

namespace {

// By how much the process may have grown. The address sanitizer keeps what was freed, up to 256 MiB of it.
#if defined(__SANITIZE_ADDRESS__)
constexpr long kSlackKiB = 300 * 1024;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
constexpr long kSlackKiB = 300 * 1024;
#else
constexpr long kSlackKiB = 1024;
#endif
#else
constexpr long kSlackKiB = 1024;
#endif

struct Figures {
  long residentKiB = 0;
  int handles = 0, threads = 0;
};

int entriesOf(const char* folder) {
  DIR* d = opendir(folder);
  int n = 0;
  if (d) {
    while (readdir(d)) ++n;
    closedir(d);
  }
  return n;
}

// A thread that was waited for may stand in the system's list for a moment yet: the fewest of some looks.
int threadsNow() {
  int least = entriesOf("/proc/self/task");
  for (int k = 0; k < 20; ++k) {
    usleep(5000);
    least = std::min(least, entriesOf("/proc/self/task"));
  }
  return least;
}

Figures figures() {
  Figures f;
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.compare(0, 6, "VmRSS:") == 0) f.residentKiB = std::stol(line.substr(6));
  f.handles = entriesOf("/proc/self/fd");
  f.threads = threadsNow();
  return f;
}

class EnduranceSlow : public ApiTest {
 protected:
  // Eight particles and a ball.
  mnsScene* tiny() {
    mnsSceneDef def = mnsDefaultSceneDef();
    def.domain.max = {0.06, 0.06, 0.12};
    def.spacing = 0.02;
    def.maxParticles = 40;
    mnsScene* scene = nullptr;
    EXPECT_OK(mnsCreateScene(context, &def, &scene));
    const mnsShape box = mnsBoxShape(0.06, 0.06, 0.02);
    mnsFluidDef water = mnsDefaultFluidDef();
    water.shape = &box;
    water.position = {0.03, 0.03, 0.01};
    mnsFluidId fluid{};
    EXPECT_OK(mnsCreateFluid(scene, &water, &fluid));
    addBall(scene, 500, {0.03, 0.03, 0.08});
    return scene;
  }
  mnsScene* onGrid(const std::string& text) {
    mnsScene* scene = nullptr;
    EXPECT_OK(mnsLoadSceneText(context, text.data(), text.size(), nullptr, &scene));
    return scene;
  }
  template <class Make>
  void manyScenes(const Make& make);
};

template <class Make>
void EnduranceSlow::manyScenes(const Make& make) {
  Figures warm;
  for (int k = 0; k < 1000; ++k) {
    mnsScene* scene = make(k);
    mnsTicket ticket{};
    ASSERT_OK(mnsScene_StepAsync(scene, 0.004, &ticket));
    ASSERT_OK(mnsScene_Wait(scene, ticket, -1));
    ASSERT_OK(mnsDestroyScene(scene));
    if (k == 100) warm = figures();
  }
  const Figures end = figures();
  EXPECT_LE(end.residentKiB, warm.residentKiB + kSlackKiB);
  EXPECT_EQ(end.handles, warm.handles);
  EXPECT_EQ(end.threads, warm.threads);
}

TEST_F(EnduranceSlow, AThousandScenes) {
  manyScenes([&](int) { return tiny(); });
}
TEST_F(EnduranceSlow, AThousandScenesOnAGrid) {
  const std::string texts[] = {smokeText(), waterText(), monolithicText()};
  manyScenes([&](int k) { return onGrid(texts[k % 3]); });
}

// A state that ends is put back, as a game does it: what a step or a restore leaves behind would add up.
TEST_F(EnduranceSlow, ManyStepsOnAGrid) {
  mnsScene* scene = onGrid(smokeText());
  ASSERT_OK(mnsScene_Start(scene));
  std::size_t size = 0;
  ASSERT_OK(mnsScene_Snapshot(scene, nullptr, 0, &size));
  std::string start(size, 0);
  ASSERT_OK(mnsScene_Snapshot(scene, start.data(), size, &size));
  const auto steps = [&](int n) {
    for (int k = 0; k < n; ++k) {
      if (k % 100 == 0) { ASSERT_OK(mnsScene_Restore(scene, start.data(), start.size())); }
      ASSERT_OK(mnsScene_Step(scene, 0.02));
      mnsView view{};
      ASSERT_OK(mnsScene_GetGridArray(scene, "velocity", &view));
    }
  };
  steps(300);
  const Figures warm = figures();
  const std::uint64_t bytes = mnsGetMemoryUse().bytes;
  steps(3000);
  const Figures end = figures();
  EXPECT_LE(mnsGetMemoryUse().bytes, bytes + 4096);
  EXPECT_LE(end.residentKiB, warm.residentKiB + kSlackKiB);
  EXPECT_EQ(end.handles, warm.handles);
  EXPECT_EQ(end.threads, warm.threads);
}

TEST_F(EnduranceSlow, AHundredThousandSteps) {
  mnsScene* scene = tiny();
  for (int k = 0; k < 1000; ++k) ASSERT_OK(mnsScene_Step(scene, 0.004));
  const Figures warm = figures();
  const std::uint64_t bytes = mnsGetMemoryUse().bytes;
  for (int k = 0; k < 99000; ++k) ASSERT_OK(mnsScene_Step(scene, 0.004));
  const Figures end = figures();
  EXPECT_LE(mnsGetMemoryUse().bytes, bytes + 4096);
  EXPECT_LE(end.residentKiB, warm.residentKiB + kSlackKiB);
  EXPECT_EQ(end.handles, warm.handles);
  EXPECT_EQ(end.threads, warm.threads);
  mnsStatistics s{};
  s.structSize = sizeof s;
  ASSERT_OK(mnsScene_GetStatistics(scene, &s));
  EXPECT_EQ(s.steps, 100000u);
  EXPECT_NEAR(s.time, 400, 1e-6);
  EXPECT_EQ(s.leaked, 0);
}

}  // namespace
