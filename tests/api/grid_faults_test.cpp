// Memory that runs out in a scene on a grid, at any allocation from the host's heap: the call fails with its own result, the scene
// is as it was, and the next call finds nothing half done.
#include <cstring>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "tests/api/faults_fixture.h"
#include "tests/api/grid_texts.h"

namespace {

class GridFaults : public MemoryFaults {
 protected:
  static mnsResult load(mnsContext* context, const std::string& text, mnsScene** scene) {
    return mnsLoadSceneText(context, text.c_str(), text.size(), nullptr, scene);
  }
  static mnsScene* loaded(mnsContext* context, const std::string& text) {
    mnsScene* scene = nullptr;
    EXPECT_OK(load(context, text, &scene));
    return scene;
  }
  static std::uint64_t hashOf(mnsScene* scene) {
    std::uint64_t hash = 0;
    EXPECT_OK(mnsScene_GetHash(scene, &hash));
    return hash;
  }
  static std::vector<char> snapshotOf(mnsScene* scene) {
    std::size_t size = 0;
    EXPECT_OK(mnsScene_Snapshot(scene, nullptr, 0, &size));
    std::vector<char> bytes(size);
    EXPECT_OK(mnsScene_Snapshot(scene, bytes.data(), size, &size));
    return bytes;
  }
  // Every allocation at first, later some: there are thousands.
  static std::int64_t next(std::int64_t n) { return n + 1 + n / 40; }

  void stepAtEveryAllocation(const std::string& text, int threads);
};

TEST_F(GridFaults, MakingASceneAtEveryAllocation) {
  for (const std::string& text : {smokeText(), waterText(), monolithicText()}) {
    mnsContext* context = makeContext();
    mnsScene* first = loaded(context, text);  // after it there is room for a scene, and the thread has its working memory
    ASSERT_OK(mnsScene_Start(first));
    EXPECT_OK(mnsDestroyScene(first));
    const std::int64_t blocks = meter.blocks;
    std::int64_t failures = 0;
    for (std::int64_t n = 0;; n = next(n)) {
      mnsScene* scene = nullptr;
      meter.untilFailure = n;
      mnsResult r = load(context, text, &scene);
      const mnsResult made = r;
      if (r == MNS_OK) r = mnsScene_Start(scene);
      const bool failed = meter.untilFailure.exchange(-1) < 0;
      ASSERT_TRUE(r == MNS_OK || (failed && r == MNS_ERROR_OUT_OF_MEMORY))
          << "allocation " << n << ": " << mnsResult_ToString(r) << ", " << mnsGetLastError();
      ASSERT_EQ(scene != nullptr, made == MNS_OK);
      if (scene) {  // what is there can be started and destroyed
        if (r != MNS_OK) { ASSERT_OK(mnsScene_Start(scene)) << "allocation " << n; }
        ASSERT_OK(mnsDestroyScene(scene));
      }
      ASSERT_EQ(meter.blocks, blocks) << "allocation " << n;
      if (!failed) break;
      ++failures;
    }
    EXPECT_GT(failures, 100);
    EXPECT_OK(mnsDestroyContext(context));
  }
}

// The first time too: what stays until the process ends is not the host's. Working memory of a thread goes with the thread.
TEST_F(GridFaults, EverythingIsGivenBack) {
  const std::int64_t before = meter.blocks;
  for (const std::string& text : {smokeText(), waterText(), monolithicText()}) {
    std::thread([&] {
      mnsContext* context = makeContext();
      mnsScene* scene = loaded(context, text);
      for (int k = 0; k < 3; ++k) ASSERT_OK(mnsScene_Step(scene, 0.02));
      mnsView view{};
      ASSERT_OK(mnsScene_GetGridArray(scene, "velocity", &view));
      ASSERT_OK(mnsDestroyContext(context));
    }).join();
    EXPECT_EQ(meter.blocks, before);
  }
}

// A step that fails for want of memory is not half done: the state is that before it, and tried again it ends in the state that
// it would have ended in.
void GridFaults::stepAtEveryAllocation(const std::string& text, int threads) {
  mnsContext* context = makeContext(threads);
  mnsScene *plain = loaded(context, text), *faulty = loaded(context, text);
  ASSERT_OK(mnsScene_Start(plain));
  ASSERT_OK(mnsScene_Start(faulty));
  std::int64_t failures = 0;
  for (int step = 0; step < 2; ++step) {
    const std::uint64_t before = hashOf(plain);
    ASSERT_OK(mnsScene_Step(plain, 0.02));
    for (std::int64_t n = 0;; n = next(n)) {
      meter.untilFailure = n;
      const mnsResult r = mnsScene_Step(faulty, 0.02);
      const bool failed = meter.untilFailure.exchange(-1) < 0;
      if (r == MNS_OK) break;
      ASSERT_TRUE(failed) << mnsGetLastError();
      ASSERT_EQ(r, MNS_ERROR_OUT_OF_MEMORY) << "allocation " << n << ": " << mnsGetLastError();
      ASSERT_EQ(hashOf(faulty), before) << "allocation " << n;
      ++failures;
    }
    ASSERT_EQ(hashOf(plain), hashOf(faulty)) << "after step " << step + 1;
  }
  EXPECT_GT(failures, 50);
  EXPECT_OK(mnsDestroyContext(context));
}

TEST_F(GridFaults, AStepOfSmokeAtEveryAllocation) { stepAtEveryAllocation(smokeText(), 1); }
TEST_F(GridFaults, AStepOfWaterAtEveryAllocation) { stepAtEveryAllocation(waterText(), 1); }
TEST_F(GridFaults, AMonolithicStepAtEveryAllocation) { stepAtEveryAllocation(monolithicText(), 1); }
TEST_F(GridFaults, AStepOfThreeThreadsAtEveryAllocation) { stepAtEveryAllocation(smokeText(), 3); }

// Taking a snapshot's state, and changing a parameter, which builds the run anew.
TEST_F(GridFaults, RestoringAndSettingAtEveryAllocation) {
  mnsContext* context = makeContext();
  mnsScene* scene = loaded(context, smokeText());
  ASSERT_OK(mnsScene_Step(scene, 0.02));
  const std::vector<char> bytes = snapshotOf(scene);
  const std::uint64_t first = hashOf(scene);
  ASSERT_OK(mnsScene_Step(scene, 0.02));
  const std::uint64_t second = hashOf(scene);
  const auto failing = [&](const std::function<mnsResult()>& call) {
    std::int64_t failures = 0;
    for (std::int64_t n = 0;; n = next(n), ++failures) {
      meter.untilFailure = n;
      const mnsResult r = call();
      const bool failed = meter.untilFailure.exchange(-1) < 0;
      if (r == MNS_OK) break;
      ASSERT_TRUE(failed && r == MNS_ERROR_OUT_OF_MEMORY) << "allocation " << n << ": " << mnsGetLastError();
      ASSERT_EQ(hashOf(scene), second) << "allocation " << n;
    }
    EXPECT_GT(failures, 10);
  };
  failing([&] { return mnsScene_SetValue(scene, "solver.coupling.tolerance", 1e-6); });
  EXPECT_EQ(hashOf(scene), second);
  failing([&] { return mnsScene_Restore(scene, bytes.data(), bytes.size()); });
  EXPECT_EQ(hashOf(scene), first);
  EXPECT_OK(mnsDestroyContext(context));
}

// An array for which there was no memory, or that a body does not have, is not taken for one that has been made.
TEST_F(GridFaults, ReadingArraysAtEveryAllocation) {
  mnsContext* context = makeContext();
  mnsScene* plain = loaded(context, smokeText());
  ASSERT_OK(mnsScene_Start(plain));
  const auto read = [](mnsScene* scene, int kind, mnsView* view) {
    static const char* const fields[] = {"smoke", "velocity", "pressure"};
    if (kind < 3) return mnsScene_GetGridArray(scene, fields[kind], view);
    mnsBodyId cloth{};
    const mnsResult r = mnsScene_FindBody(scene, "cloth", &cloth);
    return r ? r : mnsBody_GetArray(scene, cloth, mnsBodyField(kind - 3), view);
  };
  std::int64_t failures = 0, refused = 0;
  for (int kind = 0; kind < 14; ++kind) {
    mnsView expected{}, view{};
    const mnsResult right = read(plain, kind, &expected);
    ASSERT_TRUE(right == MNS_OK || right == MNS_ERROR_WRONG_KIND) << kind << ": " << mnsGetLastError();
    ASSERT_EQ(read(plain, kind, &expected), right) << kind;
    refused += right != MNS_OK;
    for (std::int64_t n = 0;; ++n, ++failures) {
      mnsScene* scene = loaded(context, smokeText());
      ASSERT_OK(mnsScene_Start(scene));
      meter.untilFailure = n;
      const mnsResult r = read(scene, kind, &view);
      const bool failed = meter.untilFailure.exchange(-1) < 0;
      ASSERT_EQ(r, failed ? MNS_ERROR_OUT_OF_MEMORY : right) << kind << ": " << mnsGetLastError();
      ASSERT_EQ(read(scene, kind, &view), right) << kind;
      if (right == MNS_OK) {
        ASSERT_EQ(view.count, expected.count) << kind;
        const std::size_t size = std::size_t(view.count * view.stride);
        ASSERT_TRUE(size == 0 || std::memcmp(view.data, expected.data, size) == 0) << kind;
      }
      ASSERT_OK(mnsDestroyScene(scene));
      if (!failed) break;
    }
  }
  EXPECT_GT(failures, 30);
  EXPECT_EQ(refused, 4);  // normals of nodes in a plane; tetrahedra, constraints and their colours
  EXPECT_OK(mnsDestroyContext(context));
}

}  // namespace
