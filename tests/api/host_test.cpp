// What hosts do to their own process: other arithmetic in their threads, another working folder, fork, an allocator that refuses.
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <thread>
#include <vector>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#if defined(__SANITIZE_THREAD__)
#define MENISCUS_THREAD_SANITIZER
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define MENISCUS_THREAD_SANITIZER
#endif
#endif

#include "tests/api/api_fixture.h"
#include "tests/shared/temporary_folder.h"

namespace {

namespace fs = std::filesystem;
using meniscus::testing::readText;
using meniscus::testing::TemporaryFolder;
using meniscus::testing::writeText;

const char* const kTetrahedron = "OFF\n4 4 0\n0 0 0\n0.1 0 0\n0 0.1 0\n0 0 0.1\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 0 3 2\n";

class Host : public ApiTest {
 protected:
  // Water that falls on a ball.
  mnsScene* splash(mnsContext* of) {
    mnsSceneDef def = mnsDefaultSceneDef();
    def.domain.max = {0.2, 0.2, 0.2};
    def.spacing = 0.02;
    mnsScene* scene = nullptr;
    EXPECT_OK(mnsCreateScene(of, &def, &scene));
    const mnsShape box = mnsBoxShape(0.16, 0.16, 0.08), sphere = mnsSphereShape(0.03);
    mnsFluidDef water = mnsDefaultFluidDef();
    water.shape = &box;
    water.position = {0.1, 0.1, 0.12};
    mnsFluidId fluid{};
    EXPECT_OK(mnsCreateFluid(scene, &water, &fluid));
    mnsBodyDef ball = mnsDefaultBodyDef();
    ball.kind = MNS_BODY_RIGID;
    ball.shape = &sphere;
    ball.position = {0.1, 0.1, 0.04};
    mnsBodyId id{};
    EXPECT_OK(mnsCreateBody(scene, &ball, &id));
    return scene;
  }
  static std::uint64_t hashAfter(mnsScene* scene, int steps) {
    for (int k = 0; k < steps; ++k) EXPECT_OK(mnsScene_Step(scene, 0.004));
    std::uint64_t hash = 0;
    EXPECT_OK(mnsScene_GetHash(scene, &hash));
    return hash;
  }
};

#if defined(__SSE2__)
constexpr unsigned kFlush = 0x8040, kUpwards = 0x4000, kTraps = 0x1c00;  // of MXCSR: denormals to zero, rounding, no masks

// Each task on a thread whose arithmetic is a game's.
void flushedTasks(void*, std::int32_t count, mnsTask* task, void* context) {
  std::vector<std::thread> threads;
  for (std::int32_t k = 0; k < count; ++k)
    threads.emplace_back([=] {
      const unsigned mine = _mm_getcsr() | kFlush;
      _mm_setcsr(mine);
      task(context, k);
      EXPECT_EQ(_mm_getcsr(), mine);
    });
  for (std::thread& t : threads) t.join();
}

TEST_F(Host, ArithmeticOfItsThreadsChangesNoBit) {
  mnsScene* usual = splash(context);
  const std::uint64_t expected = hashAfter(usual, 40);
  for (const unsigned mode : {kFlush, kUpwards, kFlush | kUpwards}) {
    mnsScene* scene = splash(context);
    const unsigned before = _mm_getcsr();
    _mm_setcsr(before | mode);
    const std::uint64_t hash = hashAfter(scene, 40);
    EXPECT_EQ(_mm_getcsr(), before | mode);
    _mm_setcsr(before);
    EXPECT_EQ(hash, expected) << std::hex << mode;
  }
  mnsContextDef def = mnsDefaultContextDef();
  def.runTasks = flushedTasks;
  def.threads = 2;
  mnsContext* other = nullptr;
  ASSERT_OK(mnsCreateContext(MNS_VERSION, &def, &other));
  EXPECT_EQ(hashAfter(splash(other), 40), expected);
  EXPECT_OK(mnsDestroyContext(other));
}

TEST_F(Host, TrapsOfItsThreadStayItsOwn) {
  mnsScene* scene = splash(context);
  const unsigned before = _mm_getcsr(), trapping = before & ~kTraps;
  _mm_setcsr(trapping);
  const mnsResult stepped = mnsScene_Step(scene, 0.004);
  const unsigned after = _mm_getcsr();
  _mm_setcsr(before);
  EXPECT_EQ(stepped, MNS_OK);
  EXPECT_EQ(after, trapping);
}
#endif

// A mesh file is found again from wherever the process is when the scene starts and is saved.
TEST_F(Host, AnotherWorkingFolderLosesNoMesh) {
  const TemporaryFolder folder;
  const fs::path home = fs::current_path();
  for (const char* name : {"made", "later"}) fs::create_directory(folder / name);
  writeText(folder / "made/t.off", kTetrahedron);
  writeText(folder / "made/scene.json",
            R"({"meniscus": 1, "domain": {"min": [0, 0, 0], "max": [0.4, 0.4, 0.4]}, "solids": [{"name": "t", "kind": "rigid",
            "shape": {"mesh": {"file": "t.off"}}, "position": [0.2, 0.2, 0.2]}]})");
  fs::current_path(folder / "made");
  mnsScene *made = nullptr, *loaded = nullptr, *again = nullptr;
  mnsSceneDef def = mnsDefaultSceneDef();
  def.domain.max = {0.4, 0.4, 0.4};
  mnsShape mesh = mnsDefaultShape();
  mesh.kind = MNS_SHAPE_MESH;
  mesh.file = "t.off";
  mnsBodyDef body = mnsDefaultBodyDef();
  body.kind = MNS_BODY_RIGID;
  body.shape = &mesh;
  body.position = {0.2, 0.2, 0.2};
  mnsBodyId id{};
  EXPECT_OK(mnsCreateScene(context, &def, &made));
  EXPECT_OK(mnsCreateBody(made, &body, &id));
  EXPECT_OK(mnsLoadScene(context, "scene.json", &loaded));
  fs::current_path(folder / "later");
  for (mnsScene* scene : {made, loaded}) {
    EXPECT_OK(mnsScene_Start(scene));
    EXPECT_OK(mnsScene_Save(scene, (folder / "made/saved.json").c_str()));
    EXPECT_NE(readText(folder / "made/saved.json").find("\"t.off\""), std::string::npos);
    EXPECT_OK(mnsLoadScene(context, (folder / "made/saved.json").c_str(), &again));
    EXPECT_OK(mnsScene_Start(again));
  }
  fs::current_path(home);
}

// What the parent made has no threads in the child, which is told so, and makes its own.
TEST_F(Host, AForkedChildIsRefusedWhatIsItsParents) {
#ifdef MENISCUS_THREAD_SANITIZER
  GTEST_SKIP() << "the thread sanitizer starts no threads in a forked child";
#endif
  mnsScene* scene = splash(context);
  mnsTicket ticket{};
  ASSERT_OK(mnsScene_StepAsync(scene, 0.004, &ticket));
  ASSERT_OK(mnsScene_Wait(scene, ticket, -1));
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    const auto refused = [](mnsResult r) { return r == MNS_ERROR_INVALID_HANDLE && std::strstr(mnsGetLastError(), "fork"); };
    bool right = refused(mnsScene_Step(scene, 0.004)) && refused(mnsDestroyScene(scene)) && refused(mnsDestroyContext(context));
    mnsContext* own = nullptr;
    right = right && mnsCreateContext(MNS_VERSION, nullptr, &own) == MNS_OK;
    right = right && mnsScene_Step(splash(own), 0.004) == MNS_OK && mnsDestroyContext(own) == MNS_OK;
    _exit(right ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  EXPECT_OK(mnsScene_Step(scene, 0.004));
}

}  // namespace
