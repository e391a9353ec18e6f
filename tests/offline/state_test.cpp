// A run that goes on from a snapshot is bit by bit the one that was never interrupted, on any number of threads.
#include <fstream>

#include "engine/offline/snapshot.h"
#include "engine/world/hash.h"
#include "tests/offline/scenes.h"
#include "tests/shared/error_of.h"
#include "tests/shared/temporary_folder.h"

namespace meniscus {
namespace {

struct Case {
  const char *name, *method, *coupling, *solids;
};

SceneDef sceneOf(const Case& c) {
  const std::string solids = std::string(c.solids) == "cloth"  ? testing::planeCloth()
                             : std::string(c.solids) == "ball" ? testing::planeBall()
                                                               : "[]";
  SceneDef scene = std::string(c.solids) == "balloon"
                       ? testing::assetScene("grid-balloon-2d")
                       : testing::offlineScene(testing::planeRoom(solids, std::string(", \"coupling\": ") + c.coupling));
  scene.solver.method = c.method;
  return scene;
}

class OfflineState : public ::testing::TestWithParam<Case> {};

TEST_P(OfflineState, GoesOnInTheSameBits) {
  const testing::TemporaryFolder folder;
  const SceneDef scene = sceneOf(GetParam());
  Exec one(1), two(2);
  const auto whole = testing::started(scene, one);
  for (int k = 0; k < 4; ++k) whole->step(0.02);
  offline::saveSnapshot(*whole, folder / "s", "a record");
  for (int k = 0; k < 4; ++k) whole->step(0.02);
  const auto resumed = testing::started(scene, two);
  resumed->step(0.03);  // what it has done before is forgotten
  std::string record;
  offline::loadSnapshot(*resumed, folder / "s", &record);
  EXPECT_EQ(record, "a record");
  EXPECT_EQ(resumed->steps(), 4u);
  for (int k = 0; k < 4; ++k) resumed->step(0.02);
  EXPECT_EQ(hexHash(resumed->hash()), hexHash(whole->hash()));
  EXPECT_EQ(resumed->momentumError(), whole->momentumError());
  EXPECT_EQ(resumed->volumeError(), whole->volumeError());
}

INSTANTIATE_TEST_SUITE_P(All, OfflineState,
                         ::testing::Values(Case{"xpm", "xpm", "{\"reuse\": 2}", "cloth"},
                                           Case{"iqn", "iqn-ils", "{\"reuse\": 1}", "cloth"},
                                           Case{"aitken", "partitioned", "{\"aitken\": true}", "cloth"},
                                           Case{"force", "xpm", "{\"load\": \"force\"}", "cloth"},
                                           Case{"ball", "xpm", "{}", "ball"}, Case{"smoke", "xpm", "{}", "none"},
                                           Case{"balloon", "xpm", "{}", "balloon"}),
                         [](const auto& c) { return std::string(c.param.name); });

TEST(OfflineSnapshot, ADamagedOrForeignOneChangesNothing) {
  const testing::TemporaryFolder folder;
  Exec exec(1);
  const auto run = testing::started(testing::offlineScene(testing::planeRoom(testing::planeCloth())), exec);
  run->step(0.02);
  offline::saveSnapshot(*run, folder / "s");
  const std::uint64_t before = run->hash();
  std::string bytes = testing::readText(folder / "s");
  bytes[bytes.size() / 2] = char(bytes[bytes.size() / 2] ^ 1);
  testing::writeText(folder / "broken", bytes);
  EXPECT_NE(testing::errorOf([&] { offline::loadSnapshot(*run, folder / "broken"); }).find("is damaged"), std::string::npos);
  testing::writeText(folder / "short", bytes.substr(0, 1000));
  EXPECT_NE(testing::errorOf([&] { offline::loadSnapshot(*run, folder / "short"); }).find("bytes instead of"), std::string::npos);
  const auto other = testing::started(testing::offlineScene(testing::planeRoom(testing::planeBall())), exec);
  EXPECT_NE(testing::errorOf([&] { offline::loadSnapshot(*other, folder / "s"); }).find("is of another scene"), std::string::npos);
  EXPECT_EQ(run->hash(), before);
}

}  // namespace
}  // namespace meniscus
