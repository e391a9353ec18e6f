// A run that goes on from a snapshot is bit by bit the one that was never interrupted, on any number of threads.
#include <fstream>
#include <functional>

#include "engine/base/stop.h"
#include "engine/offline/snapshot.h"
#include "engine/world/hash.h"
#include "engine/world/snapshot_file.h"
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
  SceneDef scene = std::string(c.solids) == "water"    ? testing::offlineScene(testing::planeTank(testing::planeBall(600)))
                   : std::string(c.solids) == "paddle" ? testing::offlineScene(testing::planeTank(testing::planePaddle()))
                   : std::string(c.solids) == "balloon"
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
                                           Case{"aitken", "partitioned", "{}", "cloth"},
                                           Case{"force", "xpm", "{\"load\": \"force\"}", "cloth"},
                                           Case{"ball", "xpm", "{}", "ball"}, Case{"smoke", "xpm", "{}", "none"},
                                           Case{"balloon", "xpm", "{}", "balloon"}, Case{"water", "xpm", "{}", "water"},
                                           Case{"paddle", "partitioned", "{}", "paddle"}),
                         [](const auto& c) { return std::string(c.param.name); });

// What a step leaves of the fluid's impulse for the next one is of the state.
TEST(OfflineSnapshot, WhatIsOwedToTheSolidsIsKept) {
  const testing::TemporaryFolder folder;
  const SceneDef scene = testing::offlineScene(testing::planeRoom(testing::planeCloth("", "0.01")));
  Exec one(1), two(2);
  const auto whole = testing::started(scene, one), resumed = testing::started(scene, two);
  while (norm(whole->owedMomentum()) == 0 && whole->steps() < 20) whole->step(0.02);
  ASSERT_GT(norm(whole->owedMomentum()), 0);
  offline::saveSnapshot(*whole, folder / "s");
  offline::loadSnapshot(*resumed, folder / "s");
  EXPECT_EQ(norm(resumed->owedMomentum() - whole->owedMomentum()), 0);
  for (int k = 0; k < 3; ++k) whole->step(0.02), resumed->step(0.02);
  EXPECT_EQ(hexHash(resumed->hash()), hexHash(whole->hash()));
  EXPECT_EQ(resumed->momentumError(), whole->momentumError());
  EXPECT_LT(resumed->momentumError(), 1e-12);
}

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

// Of the same scene, but of a program that keeps other data: that is said, by name, and not that the scene is another.
TEST(OfflineSnapshot, OfAnotherVersionNamesWhatItKeeps) {
  Exec exec(1);
  const auto run = testing::started(testing::offlineScene(testing::planeRoom(testing::planeCloth())), exec);
  run->step(0.02);
  const std::uint64_t before = run->hash();
  const auto refusal = [&](const std::string& left, const std::string& more) {
    SnapshotWriter file;
    for (const auto& [name, value] : run->state())
      if (name != left) file.append(name.c_str(), "double", -1, sizeof(double), value.size(), value.data());
    if (!more.empty()) file.append(more.c_str(), "double", -1, sizeof(double), 1, &before);
    const std::string bytes = file.finish(run->modelHash());
    return testing::errorOf([&] { offline::unpackSnapshot(*run, run->modelHash(), bytes, "s", nullptr); });
  };
  const std::string version = "s: the snapshot is of another version of the program, which ",
                    advice = "; begin the run anew, or go on with that version; nothing was changed";
  EXPECT_EQ(refusal("", ""), "");
  EXPECT_EQ(refusal("coupling.owed", ""), version + "did not keep \"coupling.owed\"" + advice);
  EXPECT_EQ(refusal("", "spin"), version + "kept \"spin\" too" + advice);
  EXPECT_EQ(refusal("balance", "spin"), version + "did not keep \"balance\" and kept \"spin\" too" + advice);
  EXPECT_EQ(run->hash(), before);
}

// A scene of other physics is another one, whatever of it was changed; tolerances, names and output may be.
TEST(OfflineSnapshot, GoesOnInTheSamePhysicsOnly) {
  const testing::TemporaryFolder folder;
  Exec exec(1);
  const SceneDef scene = testing::offlineScene(testing::planeRoom(testing::planeCloth()));
  const auto run = testing::started(scene, exec);
  run->step(0.02);
  offline::saveSnapshot(*run, folder / "s");
  const auto refusal = [&](const std::function<void(SceneDef&)>& change) {
    SceneDef other = scene;
    change(other);
    const auto next = testing::started(other, exec);
    return testing::errorOf([&] { offline::loadSnapshot(*next, folder / "s"); });
  };
  const std::vector<std::function<void(SceneDef&)>> physics = {
      [](SceneDef& s) { s.gravity.z = -1; }, [](SceneDef& s) { s.fluids[0].density = 2; },
      [](SceneDef& s) { s.solids[0].material.youngsModulus = 31; }, [](SceneDef& s) { s.fluids[0].inflows[0].speed = 0.6; },
      [](SceneDef& s) { s.solver.grid.cells = 40; }};
  for (std::size_t k = 0; k < physics.size(); ++k)
    EXPECT_NE(refusal(physics[k]).find("is of another scene"), std::string::npos) << k;
  EXPECT_EQ(refusal([](SceneDef& s) {
              s.name = "other", s.duration = 9, s.solver.dt = 0.01, s.output.every = 1, s.solver.coupling.tolerance = 0.01;
            }),
            "");
  const std::string method = refusal([](SceneDef& s) { s.solver.method = "iqn-ils"; });
  EXPECT_NE(method.find("it is of the method \"xpm\", the run of \"iqn-ils\"; go on with --method xpm"), std::string::npos)
      << method;
}

// Asked to stop anywhere in a step, it is where it was before, and goes on in the same bits.
TEST(OfflineStop, AStepThatIsGivenUpChangesNothing) {
  for (const Case& c : {Case{"water", "xpm", "{}", "water"}, Case{"cloth", "xpm", "{\"reuse\": 2}", "cloth"},
                        Case{"aitken", "partitioned", "{}", "cloth"}, Case{"monolithic", "monolithic", "{}", "water"}}) {
    const SceneDef scene = sceneOf(c);
    Exec exec(1);
    const auto whole = testing::started(scene, exec), stopped = testing::started(scene, exec);
    for (int k = 0; k < 2; ++k) whole->step(0.02), stopped->step(0.02);
    const auto before = hexHash(stopped->hash());
    int looks = 0, given = 0;
    for (int after = 1; after < 200; after = 2 * after + 1) {
      looks = 0;
      const StopScope scope([&] { return ++looks > after; });
      try {
        stopped->step(0.02);
        break;  // the step has fewer looks
      } catch (const Stopped&) { ++given; }
      EXPECT_EQ(hexHash(stopped->hash()), before) << c.name << " after " << after;
    }
    EXPECT_GT(given, 2) << c.name;
    while (stopped->steps() < 3) stopped->step(0.02);
    whole->step(0.02);
    EXPECT_EQ(hexHash(stopped->hash()), hexHash(whole->hash())) << c.name;
  }
}

// A step that fails leaves the run where it was, with all that the method had learnt.
TEST(OfflineStop, AStepThatFailsChangesNothing) {
  Exec exec(1);
  SceneDef scene = testing::offlineScene(testing::planeRoom(testing::planeCloth("", "0.002")));
  scene.solver.coupling.residual = CouplingResidual::successive;
  scene.solver.coupling.w0 = 1;  // without a cap: the first passes beside twenty times its mass are then many cells long
  scene.solver.coupling.stepCap = 0;
  scene.solver.coupling.reuse = 1;
  scene.solver.grid.pressureIterations = 9;  // enough for the first pass and not for the second
  const auto run = testing::started(scene, exec);
  const auto before = hexHash(run->hash());
  EXPECT_THROW(run->step(0.02), offline::FailedStep);
  EXPECT_EQ(hexHash(run->hash()), before);
}

}  // namespace
}  // namespace meniscus
