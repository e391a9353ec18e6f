// Files that end too early, disks that are full, processes that are killed: nothing is lost but what was not written.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <iterator>
#include <string>

#include "tests/api/api_fixture.h"
#include "tests/api/grid_texts.h"
#include "tests/shared/temporary_folder.h"

namespace {

using meniscus::testing::readText;
using meniscus::testing::TemporaryFolder;

// A pool of 18 particles with a ball.
mnsScene* pool(mnsContext* context) {
  mnsSceneDef def = mnsDefaultSceneDef();
  def.domain.max = {0.06, 0.06, 0.12};
  def.spacing = 0.02;
  mnsScene* scene = nullptr;
  EXPECT_OK(mnsCreateScene(context, &def, &scene));
  const mnsShape box = mnsBoxShape(0.06, 0.06, 0.04), sphere = mnsSphereShape(0.01);
  mnsFluidDef water = mnsDefaultFluidDef();
  water.shape = &box;
  water.position = {0.03, 0.03, 0.02};
  mnsFluidId fluid{};
  EXPECT_OK(mnsCreateFluid(scene, &water, &fluid));
  mnsBodyDef ball = mnsDefaultBodyDef();
  ball.kind = MNS_BODY_RIGID;
  ball.shape = &sphere;
  ball.position = {0.03, 0.03, 0.08};
  mnsBodyId id{};
  EXPECT_OK(mnsCreateBody(scene, &ball, &id));
  EXPECT_OK(mnsScene_Step(scene, 0.004));
  return scene;
}

// Smoke on a grid that blows at a cloth.
mnsScene* room(mnsContext* context) {
  const std::string text = smokeText();
  mnsScene* scene = nullptr;
  EXPECT_OK(mnsLoadSceneText(context, text.data(), text.size(), nullptr, &scene));
  EXPECT_OK(mnsScene_Step(scene, 0.004));
  return scene;
}

using MakeScene = mnsScene*(mnsContext*);

std::uint64_t hashOf(mnsScene* scene) {
  std::uint64_t hash = 0;
  EXPECT_OK(mnsScene_GetHash(scene, &hash));
  return hash;
}

class Files : public ApiTest {
 protected:
  void snapshotsCutAtEveryLength(mnsScene* scene);
  void aFileThatMayNotGrow(mnsScene* scene);
};

void Files::snapshotsCutAtEveryLength(mnsScene* scene) {
  std::size_t size = 0;
  ASSERT_OK(mnsScene_Snapshot(scene, nullptr, 0, &size));
  std::string bytes(size, 0);
  ASSERT_OK(mnsScene_Snapshot(scene, bytes.data(), size, &size));
  ASSERT_OK(mnsScene_Step(scene, 0.004));
  const std::uint64_t now = hashOf(scene);
  for (std::size_t n = 0; n < size; ++n) {
    const std::string cut = bytes.substr(0, n);  // ends where its memory ends
    ASSERT_EQ(mnsScene_Restore(scene, cut.data(), n), MNS_ERROR_SNAPSHOT) << n << " of " << size << " bytes";
  }
  EXPECT_EQ(hashOf(scene), now);
  ASSERT_OK(mnsScene_Restore(scene, bytes.data(), size));
  EXPECT_NE(hashOf(scene), now);
}

TEST_F(Files, SnapshotsCutAtEveryLength) { snapshotsCutAtEveryLength(pool(context)); }
TEST_F(Files, SnapshotsOfAGridCutAtEveryLength) { snapshotsCutAtEveryLength(room(context)); }

TEST_F(Files, ScenesCutAtEveryLength) {
  const std::string text = R"({"meniscus": 1, "domain": {"min": [0, 0, 0], "max": [0.12, 0.12, 0.2]}, // a tank
    "fluids": [{"name": "water", "spacing": 0.02, "shapes": [{"box": {"min": [0, 0, 0], "max": [0.12, 0.12, 0.06]}}]}]})";
  mnsScene* scene = nullptr;
  for (std::size_t n = 0; n < text.size(); ++n) {
    const std::string cut = text.substr(0, n);
    ASSERT_EQ(mnsLoadSceneText(context, cut.data(), n, nullptr, &scene), MNS_ERROR_SCENE) << n;
    ASSERT_NE(std::string(mnsGetLastError()), "") << n;
  }
  EXPECT_OK(mnsLoadSceneText(context, text.data(), text.size(), nullptr, &scene));
}

TEST_F(Files, AFullDisk) {
  for (mnsScene* scene : {pool(context), room(context)}) {
    EXPECT_EQ(mnsScene_SaveSnapshot(scene, "/dev/full"), MNS_ERROR_FILE);
    EXPECT_NE(std::string(mnsGetLastError()).find("the disk is full"), std::string::npos) << mnsGetLastError();
    EXPECT_EQ(mnsScene_Save(scene, "/dev/full"), MNS_ERROR_FILE);
  }
}

// A limit on the size of files: the old snapshot stays, nothing lies beside it, and the signal does not end the host.
void Files::aFileThatMayNotGrow(mnsScene* scene) {
  const TemporaryFolder folder;
  const std::string path = folder / "state.snapshot";
  ASSERT_OK(mnsScene_SaveSnapshot(scene, path.c_str()));
  const std::string old = readText(path);
  ASSERT_OK(mnsScene_Step(scene, 0.004));
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit little = before;
  little.rlim_cur = 1000;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &little), 0);
  const mnsResult result = mnsScene_SaveSnapshot(scene, path.c_str());
  const std::string said = mnsGetLastError();
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_EQ(result, MNS_ERROR_FILE);
  EXPECT_NE(said.find("larger than files may be here"), std::string::npos) << said;
  EXPECT_EQ(readText(path), old);
  const std::filesystem::directory_iterator entries(folder.path());
  EXPECT_EQ(std::distance(begin(entries), end(entries)), 1);
  EXPECT_OK(mnsScene_SaveSnapshot(scene, path.c_str()));
}

TEST_F(Files, AFileThatMayNotGrow) { aFileThatMayNotGrow(pool(context)); }
TEST_F(Files, AFileOfAGridThatMayNotGrow) { aFileThatMayNotGrow(room(context)); }

// kill -9 at any moment of saving leaves the last whole snapshot.
void killedWhileSaving(MakeScene* make) {
  const TemporaryFolder folder;
  const std::string path = folder / "state.snapshot";
  int loaded = 0;
  for (int round = 0; round < 12; ++round) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      mnsContextDef def = mnsDefaultContextDef();
      def.device = MNS_DEVICE_CPU;
      def.threads = 1;
      mnsContext* context = nullptr;
      if (mnsCreateContext(MNS_VERSION, &def, &context) != MNS_OK) _exit(1);
      mnsScene* scene = make(context);
      for (;;) {
        if (mnsScene_Step(scene, 0.001) != MNS_OK) _exit(2);
        if (mnsScene_SaveSnapshot(scene, path.c_str()) != MNS_OK) _exit(3);
      }
    }
    usleep(useconds_t(20000 + 7000 * round));
    kill(child, SIGKILL);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status)) << "the child ended by itself, with " << WEXITSTATUS(status);
    mnsContext* context = nullptr;
    ASSERT_OK(mnsCreateContext(MNS_VERSION, nullptr, &context));
    mnsScene* scene = make(context);
    if (access(path.c_str(), F_OK) == 0) {
      EXPECT_OK(mnsScene_LoadSnapshot(scene, path.c_str()));
      ++loaded;
    }
    EXPECT_OK(mnsDestroyContext(context));
  }
  EXPECT_GE(loaded, 6);
}

TEST(FilesOfTheKilled, LoadAsTheyWereLastWhole) { killedWhileSaving(pool); }
TEST(FilesOfTheKilled, LoadOnAGridAsTheyWereLastWhole) { killedWhileSaving(room); }

}  // namespace
