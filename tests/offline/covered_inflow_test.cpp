// Inflows and what lies over them: nothing flows through a solid, and a face is one inflow's.
#include <cmath>

#include "tests/offline/scenes.h"
#include "tests/shared/error_of.h"

namespace meniscus {
namespace {

// A tank of 1 x 1 m in the plane, 20 cells each way, with 0.1 m of water; inflows is a list in brackets.
std::string tank(const std::string& solids, const std::string& inflows) {
  const std::string text = testing::planeTank(solids, "", R"([{"box": {"min": [0, -0.5, 0], "max": [1, 0.5, 0.1]}}], "inflows": )");
  const std::size_t at = text.find("\"inflows\": ") + 11;
  return text.substr(0, at) + inflows + text.substr(at);
}

// Through 4 faces of the side -x, 0.2 m together.
const char* const kInflow = R"([{"side": "-x", "box": {"min": [0, -1, 0.4], "max": [0, 1, 0.6]}, "speed": 1}])";

std::string block(const char* kind, const char* size, const char* position, const char* more = "") {
  return std::string(R"([{"name": "block", "kind": ")") + kind + R"(", "shape": {"box": {"size": )" + size + R"(}}, "position": )" +
         position + more + "}]";
}

std::string refusalOf(const std::string& text) {
  return testing::errorOf([&] {
    Exec exec(1);
    testing::started(testing::offlineScene(text), exec);
  });
}

TEST(CoveredInflow, WhollyBehindAStaticSolidIsRefused) {
  const std::string found = refusalOf(tank(block("static", "[0.2, 1, 0.4]", "[0.1, 0, 0.5]"), kInflow));
  EXPECT_NE(found.find("this inflow lies wholly behind the static solid \"block\""), std::string::npos) << found;
  EXPECT_NE(found.find("s.json:5:"), std::string::npos) << found;
  EXPECT_EQ(refusalOf(tank(block("static", "[0.2, 1, 0.4]", "[0.4, 0, 0.5]"), kInflow)), "");
}

// Half of it is behind the block: half flows.
TEST(CoveredInflow, OnlyTheOpenPartFlows) {
  Exec exec(1);
  std::vector<std::string> notes;
  const SceneDef scene = testing::offlineScene(tank(block("static", "[0.2, 1, 0.4]", "[0.1, 0, 0.3]"), kInflow));
  const auto run = offline::OfflineRun::build(scene, exec, &notes);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find("the solid \"block\" lies over 2 of this inflow's 4 faces"), std::string::npos) << notes[0];
  const double before = run->water().expected;
  for (int k = 0; k < 10; ++k) run->step(0.01);
  EXPECT_NEAR(run->water().expected - before, 0.1 * 0.1, 1e-12);
}

// A slide that shuts it within 0.1 s, and opens it again.
TEST(CoveredInflow, FlowsWhileASolidIsNotOverIt) {
  Exec exec(1);
  const char* motion = R"(, "motion": [{"time": 0}, {"time": 0.1, "displacement": [0, 0, -0.35]},
    {"time": 0.15, "displacement": [0, 0, -0.35]}, {"time": 0.25}])";
  const auto run = testing::started(
      testing::offlineScene(tank(block("kinematic", "[0.16, 1, 0.26]", "[0.08, 0, 0.85]", motion), kInflow)), exec);
  std::vector<double> flow;
  for (int k = 0; k < 30; ++k) {
    const double before = run->water().expected;
    run->step(0.01);
    flow.push_back((run->water().expected - before) / 0.01);
  }
  EXPECT_NEAR(flow[0], 0.2, 1e-12);
  for (int k = 11; k < 15; ++k) EXPECT_EQ(flow[std::size_t(k)], 0) << k;
  EXPECT_NEAR(flow[29], 0.2, 1e-12);
}

TEST(CoveredInflow, FacesOfTwoInflowsAreRefused) {
  const std::string other = R"({"side": "-x", "box": {"min": [0, -1, 0.55], "max": [0, 1, 0.8]}, "speed": -1})";
  const std::string found = refusalOf(tank("[]", std::string(kInflow).insert(std::string(kInflow).size() - 1, ",\n" + other)));
  EXPECT_NE(found.find("s.json:6:"), std::string::npos) << found;
  EXPECT_NE(found.find("inflow 2 covers faces that inflow 1, in line 5, covers as well"), std::string::npos) << found;
  const std::string beside = R"({"side": "-x", "box": {"min": [0, -1, 0.6], "max": [0, 1, 0.8]}, "speed": -1})";
  EXPECT_EQ(refusalOf(tank("[]", std::string(kInflow).insert(std::string(kInflow).size() - 1, ",\n" + beside))), "");
}

}  // namespace
}  // namespace meniscus
