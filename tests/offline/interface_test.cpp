// The C interface steps a scene on a grid as the program does: the same numbers, the same snapshots.
#include <vector>

#include "engine/offline/snapshot.h"
#include "meniscus/meniscus.h"
#include "tests/offline/scenes.h"
#include "tests/shared/temporary_folder.h"

namespace meniscus {
namespace {

class OfflineInterface : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    mnsContextDef def = mnsDefaultContextDef();
    def.device = MNS_DEVICE_CPU;
    def.threads = 2;
    ASSERT_EQ(mnsCreateContext(MNS_VERSION, &def, &context), MNS_OK);
  }
  void TearDown() override { EXPECT_EQ(mnsDestroyContext(context), MNS_OK); }
  mnsScene* load(const std::string& name) {
    mnsScene* scene = nullptr;
    const std::string path = std::string(MENISCUS_SOURCE_DIR) + "/assets/scenes/" + name + ".json";
    EXPECT_EQ(mnsLoadScene(context, path.c_str(), &scene), MNS_OK) << mnsGetLastError();
    EXPECT_EQ(mnsScene_Start(scene), MNS_OK) << mnsGetLastError();
    return scene;
  }
  // A step of the length that a run would take.
  static void step(mnsScene* scene) {
    mnsCoupling c{};
    c.structSize = sizeof c;
    ASSERT_EQ(mnsScene_GetCoupling(scene, &c), MNS_OK) << mnsGetLastError();
    ASSERT_EQ(mnsScene_Step(scene, c.nextStep), MNS_OK) << mnsGetLastError();
  }
  static std::uint64_t hashOf(mnsScene* scene) {
    std::uint64_t hash = 0;
    EXPECT_EQ(mnsScene_GetHash(scene, &hash), MNS_OK) << mnsGetLastError();
    return hash;
  }
  mnsContext* context = nullptr;
};

TEST_P(OfflineInterface, HasTheBitsOfARun) {
  Exec exec(1);
  const auto run = testing::started(testing::assetScene(GetParam()), exec);
  mnsScene* scene = load(GetParam());
  EXPECT_EQ(hashOf(scene), run->hash());
  for (int k = 0; k < 3; ++k) {
    run->step(run->timeStep());
    step(scene);
    EXPECT_EQ(hashOf(scene), run->hash()) << "after step " << k + 1;
    mnsCoupling c{};
    c.structSize = sizeof c;
    ASSERT_EQ(mnsScene_GetCoupling(scene, &c), MNS_OK) << mnsGetLastError();
    const Vec3d owed = run->owedMomentum(), solid = run->solidMomentum();
    EXPECT_EQ(c.owedMomentum.x, owed.x);
    EXPECT_EQ(c.owedMomentum.z, owed.z);
    EXPECT_EQ(c.solidMomentum.z, solid.z);
  }
}

TEST_P(OfflineInterface, SnapshotsAreTheSameFiles) {
  const testing::TemporaryFolder folder;
  Exec exec(2);
  const auto run = testing::started(testing::assetScene(GetParam()), exec);
  mnsScene* scene = load(GetParam());
  step(scene);
  ASSERT_EQ(mnsScene_SaveSnapshot(scene, (folder / "a").c_str()), MNS_OK) << mnsGetLastError();
  offline::loadSnapshot(*run, folder / "a");
  EXPECT_EQ(run->hash(), hashOf(scene));
  run->step(run->timeStep());
  offline::saveSnapshot(*run, folder / "b");
  ASSERT_EQ(mnsScene_LoadSnapshot(scene, (folder / "b").c_str()), MNS_OK) << mnsGetLastError();
  EXPECT_EQ(hashOf(scene), run->hash());
}

INSTANTIATE_TEST_SUITE_P(Scenes, OfflineInterface, ::testing::Values("grid-jet-2d", "grid-plank"),
                         [](const auto& scene) { return std::string(scene.param) == "grid-plank" ? "plank" : "jet"; });

}  // namespace
}  // namespace meniscus
