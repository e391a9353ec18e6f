// The command `compare`: one scene of a grid by several methods.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

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

// XPM and the monolithic method solve the same step: a cloth in a jet is where either puts it, to the tolerance.
TEST(CliCompare, MethodsThatSolveTheSameStepAgree) {
  TemporaryFolder folder;
  writeText(folder / "room.json", testing::planeRoom(testing::planeCloth(), R"(, "coupling": {"tolerance": 1e-5})"));
  const Outcome o =
      meniscus("compare " + (folder / "room.json") + " --methods xpm,monolithic --steps 4 --quiet --out " + (folder / "out"));
  ASSERT_EQ(o.status, 0) << o.text;
  const auto rows = rowsOf(readText(folder / "out/compare.csv"));
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0][8], "distance_from_first_cells");
  for (std::size_t k = 1; k < 3; ++k) {
    EXPECT_EQ(rows[k][0], k == 1 ? "xpm" : "monolithic");
    EXPECT_EQ(rows[k][1], "4");  // steps
    EXPECT_EQ(rows[k][4], "0");  // of them unconverged
    EXPECT_NE(o.text.find(rows[k][0]), std::string::npos);
    EXPECT_LT(std::atof(rows[k][8].c_str()), 1e-5);
  }
  EXPECT_GT(std::atof(rows[1][2].c_str()), 1);  // XPM takes passes
  EXPECT_EQ(std::atof(rows[2][2].c_str()), 1);
  EXPECT_NE(rows[1][9], rows[2][9]);  // not the same bits: two methods ran
  EXPECT_NE(readText(folder / "out/heights.csv").find("monolithic: cloth"), std::string::npos);
  EXPECT_NE(readText(folder / "out/solves.csv").find("xpm"), std::string::npos);
}

struct InPlane {
  const char *name, *scene;  // "": a tank
  int steps;
};

class CliCompareInPlane : public ::testing::TestWithParam<InPlane> {};

// In the plane four couplings put press, balloon and what is in water in one place, with one pressure and one volume, and keep the
// momentum where nothing is held.
TEST_P(CliCompareInPlane, MethodsAgree) {
  TemporaryFolder folder;
  std::string scene = std::string(MENISCUS_SOURCE_DIR) + "/assets/scenes/" + GetParam().scene + ".json";
  if (*GetParam().scene == 0) {
    scene = folder / "tank.json";
    writeText(scene, testing::planeTank(testing::planeBall(400), R"(, "coupling": {"tolerance": 1e-3, "max_iterations": 60})"));
  }
  const Outcome o =
      meniscus("compare " + scene + " --quiet --steps " + std::to_string(GetParam().steps) + " --out " + (folder / "out"));
  ASSERT_EQ(o.status, 0) << o.text;
  const auto rows = rowsOf(readText(folder / "out/compare.csv"));
  ASSERT_EQ(rows.size(), 5u) << o.text;
  const auto number = [&](std::size_t row, const std::string& name) {
    const std::size_t k = std::size_t(std::find(rows[0].begin(), rows[0].end(), name) - rows[0].begin());
    return k < rows[row].size() ? std::atof(rows[row][k].c_str()) : std::nan("");
  };
  const bool held = std::string(GetParam().name) != "water", balloon = std::string(GetParam().name) == "balloon";
  for (std::size_t k = 1; k < 5; ++k) {
    EXPECT_EQ(rows[k][4], "0") << rows[k][0] << ": unconverged";
    EXPECT_LT(std::atof(rows[k][8].c_str()), 0.03) << rows[k][0] << ": cells from the first";
    EXPECT_EQ(rows[k][5] == "-", held) << rows[k][0];
    if (!held) { EXPECT_LT(std::atof(rows[k][5].c_str()), 1e-12) << rows[k][0]; }
    if (held) { EXPECT_NEAR(number(k, "enclosed_pressure_pa") / number(1, "enclosed_pressure_pa"), 1, 0.03) << rows[k][0]; }
    if (balloon) { EXPECT_NEAR(number(k, "volume_m3 balloon") / number(1, "volume_m3 balloon"), 1, 1e-3) << rows[k][0]; }
  }
}

INSTANTIATE_TEST_SUITE_P(All, CliCompareInPlane,
                         ::testing::Values(InPlane{"press", "grid-press-2d", 10}, InPlane{"balloon", "grid-balloon-2d", 10},
                                           InPlane{"water", "", 10}),
                         [](const auto& c) { return std::string(c.param.name); });

// A method that fails leaves the others their rows.
TEST(CliCompare, AFailureIsSaidBesideTheOthers) {
  TemporaryFolder folder;
  std::string text = testing::planeRoom(testing::planeBall());
  const std::string still = "\"gravity\": [0, 0, 0]";
  text.replace(text.find(still), still.size(), "\"gravity\": [0, 0, 40]");
  writeText(folder / "room.json", text);
  const Outcome o = meniscus("compare " + (folder / "room.json") + " --methods xpm,iqn-ils --quiet");
  EXPECT_EQ(o.status, 0) << o.text;
  EXPECT_NE(o.text.find("xpm ended early: "), std::string::npos) << o.text;  // the ball leaves through the open top
  EXPECT_NE(o.text.find("iqn-ils ended early: "), std::string::npos) << o.text;
}

// One scene, both engines: five couplings, each with its fluid and where it puts the ball. What a released ball gains in 0.02 s is
// g (1 - d) / (d + 1/2) of it, where d = 1/2 is its density over the water's, less what walls and surface take.
TEST(CliCompare, FiveCouplingsOfBothEnginesInOneTable) {
  TemporaryFolder folder;
  const Outcome o = meniscus("compare " + std::string(MENISCUS_SOURCE_DIR) +
                             "/assets/scenes/ball-both-engines.json --steps 5 --quiet --out " + (folder / "out"));
  ASSERT_EQ(o.status, 0) << o.text;
  const auto rows = rowsOf(readText(folder / "out/compare.csv"));
  const char* expected[][2] = {
      {"isph-pbd", "particles"}, {"partitioned", "grid"}, {"iqn-ils", "grid"}, {"xpm", "grid"}, {"monolithic", "grid"}};
  ASSERT_EQ(rows.size(), 6u) << o.text;
  EXPECT_EQ(rows[0][8], "distance_from_first_spacings");
  const auto column = [&](const std::string& name) {
    return std::size_t(std::find(rows[0].begin(), rows[0].end(), name) - rows[0].begin());
  };
  const std::size_t z = column("z_m ball"), vz = column("vz_m_s ball");
  ASSERT_LT(vz, rows[0].size());
  const double free = 9.81 * 0.5 * 0.02;
  for (std::size_t k = 0; k < 5; ++k) {
    const auto& row = rows[k + 1];
    ASSERT_EQ(row.size(), rows[0].size());
    EXPECT_EQ(row[0], expected[k][0]);
    EXPECT_EQ(row[column("fluid")], expected[k][1]);
    EXPECT_EQ(row[1], "5");
    EXPECT_EQ(row[4], "0") << row[0] << ": unconverged";
    EXPECT_LT(std::atof(row[5].c_str()), 0.05) << row[0] << ": momentum";
    EXPECT_GT(std::atof(row[column("seconds")].c_str()), 0);
    EXPECT_NEAR(std::atof(row[vz].c_str()), free, 0.35 * free) << row[0];
    EXPECT_NEAR(std::atof(row[z].c_str()), 0.22 + 0.5 * free * 0.02, 0.001) << row[0];
    EXPECT_NE(o.text.find(row[0]), std::string::npos);
  }
  EXPECT_LT(std::atof(rows[5][8].c_str()) - std::atof(rows[4][8].c_str()), 0.05);  // XPM and the one system put it in one place
}

TEST(CliCompare, Mistakes) {
  TemporaryFolder folder;
  writeText(folder / "room.json", testing::planeRoom("[]"));
  const std::string scene = folder / "room.json";
  const struct {
    std::string arguments, expected;
  } cases[] = {{scene + " --steps 0", "--steps is 0: methods are compared by what they do in steps; give 1 or more"},
               {scene + " --methods xpm,xpm", "the method \"xpm\" is named twice in --methods"},
               {scene + " --methods xmp", "the method \"xmp\" is not available; this version has: isph-pbd, partitioned"},
               {scene + " --methods isph-pbd", "the scene is for the method \"xpm\", with a grid; \"isph-pbd\" cannot run it"},
               {(folder / "none.json"), "none.json"}};
  for (const auto& c : cases) {
    const Outcome o = meniscus("compare " + c.arguments + " --out " + (folder / "out"));
    EXPECT_EQ(o.status, 2) << o.text;
    EXPECT_NE(o.text.find(c.expected), std::string::npos) << o.text;
  }
  writeText(folder / "tank.json", testing::tankScene());
  const Outcome tank = meniscus("compare " + (folder / "tank.json") + " --methods isph-pbd,monolithic");
  EXPECT_EQ(tank.status, 2);
  EXPECT_NE(tank.text.find("the method \"monolithic\" needs a \"grid\""), std::string::npos) << tank.text;
}

}  // namespace
}  // namespace meniscus
