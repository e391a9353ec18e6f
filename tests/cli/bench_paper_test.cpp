// The benches that hold the engine against the ISPH-PBD paper.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>

#include "tests/cli/command.h"
#include "tests/shared/temporary_folder.h"

namespace meniscus {
namespace {

using testing::Outcome;
using testing::TemporaryFolder;

// Of the figure of this name; NaN where there is none.
double valueOf(const std::string& csv, const std::string& name) {
  const std::size_t at = csv.find("," + name + ",");
  return at == std::string::npos ? std::nan("") : std::stod(csv.substr(at + name.size() + 2));
}

TEST(BenchPressureModes, RefusesASceneWithoutFluid) {
  const TemporaryFolder folder;
  testing::writeText(folder / "dry.json", R"({"meniscus": 1, "domain": {"min": [0, 0, 0], "max": [1, 1, 1]},
    "solids": [{"name": "ball", "kind": "rigid", "shape": {"sphere": {"radius": 0.1}}, "position": [0.5, 0.5, 0.5]}]})");
  const Outcome o = testing::meniscus("bench pressure-modes " + (folder / "dry.json"));
  EXPECT_EQ(o.status, 2) << o.text;
  EXPECT_NE(o.text.find("dry.json: the scene has no fluid"), std::string::npos) << o.text;
}

// A tank that rests: the error to meet is small, and both other modes are searched for it.
TEST(BenchPressureModes, SearchesForEqualErrors) {
  const TemporaryFolder folder;
  testing::writeText(folder / "tank.json", testing::tankScene());
  const Outcome o = testing::meniscus("bench pressure-modes --equal-error --steps 10 " + (folder / "tank.json") + " --csv " +
                                      (folder / "table.csv"));
  ASSERT_EQ(o.status, 0) << o.text;
  EXPECT_NE(o.text.find("density_variation"), std::string::npos) << o.text;
  EXPECT_NE(o.text.find("density_iterations"), std::string::npos) << o.text;
  const std::string csv = testing::readText(folder / "table.csv");
  const double target = valueOf(csv, "\"tank, compatible: mean density error\"");
  EXPECT_GT(target, 0);
  for (const std::string mode : {"weakly-compressible", "position-based"}) {
    EXPECT_GT(valueOf(csv, "\"tank, " + mode + ": time over that of compatible\""), 0) << csv;
    const double error = valueOf(csv, "\"tank, " + mode + ": mean density error\"");
    if (valueOf(csv, "\"tank, " + mode + ": reached the error\"") == 1) { EXPECT_NEAR(error, target, 0.1001 * target) << mode; }
  }
}

TEST(BenchPaperTable1, ShowsThePaperAndOurs) {
  const std::string folder = std::string(MENISCUS_SOURCE_DIR) + "/assets/scenes";
  const Outcome o = testing::meniscus("bench paper-table1 water-balloon --steps 1 --quiet --folder '" + folder + "'");
  ASSERT_EQ(o.status, 0) << o.text;
  EXPECT_NE(o.text.find("#ISPH  22024"), std::string::npos) << o.text;
  EXPECT_NE(o.text.find("#S   8670"), std::string::npos) << o.text;
  EXPECT_NE(o.text.find("32.5 ms a step"), std::string::npos) << o.text;
}

// Figure 6: closed sums over a lattice. Every kernel's estimate gets better with its support; at the paper's S = 3 all are within a
// per cent.
TEST(BenchPaperFigures, GradientsOfKernels) {
  const TemporaryFolder folder;
  const Outcome o = testing::meniscus("bench paper-figures 6 --quiet --out '" + folder.path() + "'");
  ASSERT_EQ(o.status, 0) << o.text;
  std::istringstream lines(testing::readText(folder / "figure-06.csv"));
  std::string line;
  std::getline(lines, line);
  double first = 0, last = 0;
  int points = 0;
  while (std::getline(lines, line)) {
    if (line.rfind("\"Wendland C2\",", 0) != 0) continue;
    const double value = std::stod(line.substr(line.rfind(',') + 1));
    if (points++ == 0) first = value;
    last = value;
  }
  EXPECT_GT(points, 100);
  EXPECT_GT(first, -1.5);
  EXPECT_LT(last, -3);
}

// A balloon's water keeps its volume, and loses some of it to a pressure that needs compression. The picture is drawn where gnuplot
// is.
TEST(BenchPaperFiguresSlow, VolumeLossOfTheModes) {
  const TemporaryFolder folder;
  const Outcome o = testing::meniscus("bench paper-figures 9 --quiet --out '" + (folder / "new/er") + "'");
  ASSERT_EQ(o.status, 0) << o.text;
  EXPECT_EQ(o.text.find("gnuplot could not"), std::string::npos) << o.text;
  const std::string csv = testing::readText(folder / "new/er/figure-09.csv");
  const auto least = [&](const std::string& curve) {
    double value = 0;
    std::istringstream lines(csv);
    for (std::string line; std::getline(lines, line);)
      if (line.rfind("\"" + curve + "\",", 0) == 0) value = std::min(value, std::stod(line.substr(line.rfind(',') + 1)));
    return value;
  };
  EXPECT_LT(least("weakly compressible"), 3 * least("incompressible")) << csv;
  EXPECT_LT(least("weakly compressible"), -5) << csv;
}

}  // namespace
}  // namespace meniscus
