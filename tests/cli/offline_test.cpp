// `meniscus run` on scenes of smoke on a grid: files, summary, interrupts, and which commands refuse them.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>

#include "engine/output/series_index.h"
#include "engine/output/vtk_file.h"
#include "tests/cli/command.h"
#include "tests/offline/scenes.h"
#include "tests/shared/temporary_folder.h"

namespace meniscus {
namespace {

using testing::meniscus;
using testing::Outcome;
using testing::readText;
using testing::rowsOf;
using testing::TemporaryFolder;
using testing::writeText;
using Json = nlohmann::json;

class CliOffline : public ::testing::Test {
 protected:
  void SetUp() override { writeText(scene, testing::planeRoom(testing::planeCloth())); }
  Json summaryOf(const std::string& options) {
    const Outcome o = meniscus("run " + scene + " --quiet --summary " + (folder / "s.json") + " " + options);
    EXPECT_EQ(o.status, 0) << o.text;
    EXPECT_EQ(o.text, "");
    return Json::parse(readText(folder / "s.json"));
  }
  TemporaryFolder folder;
  const std::string scene = folder / "scene.json";
};

TEST_F(CliOffline, WritesFramesAndStepsThatCanBeReadBack) {
  const Json summary = summaryOf("--steps 6 --every 0.05 --out " + (folder / "out"));
  EXPECT_EQ(summary["method"], "xpm");
  EXPECT_EQ(summary["steps"], 6);
  EXPECT_EQ(summary["solid_nodes"], 41);
  EXPECT_TRUE(summary["particles"].is_null() && summary["leaked_particles"].is_null() && summary["momentum_error"].is_null());
  EXPECT_GE(summary["coupling_iterations"]["max"], summary["coupling_iterations"]["mean"]);

  SeriesIndex index{FrameKind::grid, {}};
  ASSERT_TRUE(index.parse(readText(folder / "out/grid.pvd")));
  ASSERT_EQ(index.entries.size(), 7u);
  const VtkFile grid(folder / ("out/" + index.entries.back().file));
  EXPECT_EQ(grid.cells(), 20u * 30u);
  EXPECT_NEAR(grid.time(), summary["simulated_seconds"], 1e-12);
  const std::vector<float> velocity = grid.array<float>("velocity", 3, grid.cells());
  const std::vector<float> smoke = grid.array<float>("smoke", 1, grid.cells());
  EXPECT_NEAR(velocity[3 * 10 + 2], 0.5, 0.1);  // in the jet, at the ground
  EXPECT_NEAR(smoke[10], 1, 0.1);
  EXPECT_EQ(grid.array<float>("pressure", 1, grid.cells()).size(), smoke.size());
  const VtkFile solids(folder / "out/frames/solids-00006.vtp");
  EXPECT_EQ(solids.points(), 41u);
  EXPECT_EQ(solids.array<std::int32_t>("connectivity", 1, 80).back(), 40);

  const auto rows = rowsOf(readText(folder / "out/steps.csv"));
  ASSERT_EQ(rows.size(), 7u);
  ASSERT_EQ(rows[0][3], "iterations");
  ASSERT_EQ(rows[0][7], "stop");
  double solves = 0;
  for (std::size_t k = 1; k < rows.size(); ++k) {
    ASSERT_EQ(rows[k].size(), rows[0].size());
    EXPECT_EQ(rows[k][7], "converged");
    EXPECT_LE(std::stod(rows[k][5]), std::stod(rows[k][6]));
    solves += std::stod(rows[k][3]);
  }
  EXPECT_NEAR(solves / 6, summary["coupling_iterations"]["mean"], 1e-12);
}

TEST_F(CliOffline, TheSameBitsOnOneThreadOrTwoAndAfterAResume) {
  const std::string whole = summaryOf("--threads 1")["state_hash"];
  EXPECT_EQ(summaryOf("--threads 2")["state_hash"], whole);
  for (const char* steps : {"1", "4"}) {
    summaryOf(std::string("--checkpoint 1e-9 --every 0.1 --steps ") + steps + " --out " + (folder / "out"));
    const Json resumed = summaryOf("--every 0.1 --out " + (folder / "out") + " --resume " + (folder / "out/checkpoint.snapshot"));
    EXPECT_EQ(resumed["state_hash"], whole) << steps;
    const auto rows = rowsOf(readText(folder / "out/steps.csv"));
    EXPECT_EQ(rows.size(), 1 + resumed["steps"].get<std::size_t>());
    SeriesIndex index{FrameKind::grid, {}};
    ASSERT_TRUE(index.parse(readText(folder / "out/grid.pvd")));
    EXPECT_EQ(index.entries.size(), 6u);
  }
}

TEST_F(CliOffline, InterruptedItSaysHowToGoOn) {
  const std::string whole = summaryOf("--duration 2")["state_hash"];
  const Outcome o =
      testing::interruptedAt(folder / "out/frames/grid-00002.vti",
                             "'" + testing::program() + "' run " + scene + " --duration 2 --every 0.05 --out " + (folder / "out"));
  EXPECT_EQ(o.status, 0) << o.text;
  ASSERT_NE(o.text.find("interrupted after step "), std::string::npos) << o.text;
  std::smatch command;
  ASSERT_TRUE(std::regex_search(o.text, command, std::regex("\n  meniscus (run .*--resume \\S+)")));
  const Outcome rest = meniscus(command[1].str());
  EXPECT_EQ(rest.status, 0) << rest.text;
  EXPECT_NE(rest.text.find("state hash " + whole), std::string::npos) << rest.text;
}

TEST_F(CliOffline, StepsThatDoNotConvergeAreCountedAndAnErrorWhereStrict) {
  writeText(scene, testing::planeRoom(testing::planeCloth(), R"(, "coupling": {"tolerance": 1e-6, "max_iterations": 2})"));
  const Json summary = summaryOf("--steps 3 --out " + (folder / "out"));
  EXPECT_EQ(summary["unconverged_steps"], 3);
  const std::string reason = summary["unconverged_reason"];
  EXPECT_EQ(reason.find("step 1, t = 0.05 s: not converged after 2 fluid"), 0u) << reason;
  EXPECT_EQ(rowsOf(readText(folder / "out/steps.csv"))[1][7], "not converged");
  const Outcome strict = meniscus("run " + scene + " --strict --steps 3");
  EXPECT_EQ(strict.status, 3);
  EXPECT_NE(strict.text.find("3 of 3 steps did not converge; the first: step 1"), std::string::npos) << strict.text;
}

// Passes that drift apart throw the ball out of the tank: that is what is said, counted and written.
TEST_F(CliOffline, PassesThatDivergeAreToldAsSuch) {
  std::string text = testing::planeTank(testing::planeBall(20), R"(, "coupling": {"relaxation": 1, "aitken": false})");
  text.replace(text.find("xpm"), 3, "partitioned");
  writeText(scene, text);
  const std::string run = "run " + scene + " --quiet --summary " + (folder / "s.json") + " --out " + (folder / "out");
  for (const char* strict : {"", " --strict"}) {
    const Outcome o = meniscus(run + strict);
    EXPECT_EQ(o.status, 3) << o.text;
    EXPECT_NE(o.text.find("fluid and solids did not agree ("), std::string::npos) << o.text;
    EXPECT_NE(o.text.find("a smaller --dt or \"relaxation\""), std::string::npos) << o.text;
    const Json summary = Json::parse(readText(folder / "s.json"));
    const auto rows = rowsOf(readText(folder / "out/steps.csv"));
    ASSERT_GE(rows.size(), 2u);
    EXPECT_NE(rows.back()[7], "converged");
    std::size_t unconverged = 0;
    for (std::size_t k = 1; k < rows.size(); ++k) {
      EXPECT_EQ(rows[k][0], std::to_string(k));
      unconverged += rows[k][7] != "converged";
    }
    EXPECT_EQ(summary["unconverged_steps"], unconverged);
    EXPECT_EQ(std::string(summary["unconverged_reason"]).find("step "), 0u);
  }
}

TEST_F(CliOffline, TheCommandLineNamesAnotherMethod) {
  for (const char* method : {"partitioned", "iqn-ils"}) {
    const Json summary = summaryOf(std::string("--steps 3 --method ") + method);
    EXPECT_EQ(summary["method"], method);
  }
  const Outcome particles = meniscus("run " + scene + " --method isph-pbd");
  EXPECT_EQ(particles.status, 2);
  EXPECT_NE(particles.text.find("the scene is for the method \"xpm\", with a grid"), std::string::npos) << particles.text;
  const Outcome none = meniscus("run " + scene + " --method monolithc");
  EXPECT_EQ(none.status, 2);
  EXPECT_NE(none.text.find("this version has: isph-pbd, partitioned, iqn-ils, xpm"), std::string::npos) << none.text;
  writeText(folder / "tank.json", testing::tankScene());
  const Outcome tank = meniscus("run " + (folder / "tank.json") + " --method monolithic");
  EXPECT_EQ(tank.status, 2);
  EXPECT_NE(tank.text.find("the method \"monolithic\" needs a \"grid\""), std::string::npos) << tank.text;
}

TEST_F(CliOffline, ChecksAndRefusals) {
  const Outcome check = meniscus("check " + scene);
  EXPECT_EQ(check.status, 0);
  EXPECT_NE(check.text.find("no mistakes; 20 x 30 cells, 41 solid nodes"), std::string::npos) << check.text;
  EXPECT_NE(meniscus("info").text.find("methods: isph-pbd, partitioned, iqn-ils, xpm"), std::string::npos);
  const Outcome bench = meniscus("bench --repeat 1 --steps 1 --warm-up 0 " + scene);
  EXPECT_EQ(bench.status, 2);
  EXPECT_NE(bench.text.find("the method \"xpm\" works offline on a grid: run the scene with `meniscus run`"), std::string::npos)
      << bench.text;
  const Outcome ply = meniscus("run " + scene + " --format ply");
  EXPECT_EQ(ply.status, 2);
  EXPECT_NE(ply.text.find("the format \"ply\" is not available for grid methods; they write: vtk, vdb"), std::string::npos)
      << ply.text;
}

}  // namespace
}  // namespace meniscus
