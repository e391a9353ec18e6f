// Runs of particle scenes in which a named method couples water and rigid bodies.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/cli/command.h"
#include "tests/shared/temporary_folder.h"

namespace meniscus {
namespace {

using testing::meniscus;
using testing::Outcome;
using testing::readText;
using testing::writeText;
using Json = nlohmann::json;

class CliCoupledParticles : public ::testing::Test {
 protected:
  // The ball is let go just above the water.
  void SetUp() override {
    std::string text = testing::tankScene();
    text.replace(text.find("0.075"), 5, "0.067");
    text.replace(text.find("\"dt\""), 4, R"("method": "xpm", "coupling": {"tolerance": 0.001}, "dt")");
    writeText(folder / "tank.json", text);
  }
  Json summaryOf(const std::string& options) {
    const Outcome o = meniscus("run " + (folder / "tank.json") + " --quiet --summary " + (folder / "s.json") + " " + options);
    EXPECT_EQ(o.status, 0) << o.text;
    return Json::parse(readText(folder / "s.json"));
  }
  testing::TemporaryFolder folder;
};

TEST_F(CliCoupledParticles, ThreadsAndResumesGiveOneState) {
  const Json whole = summaryOf("--threads 1 --every 0.01 --format vtk --out " + (folder / "whole"));
  EXPECT_EQ(whole["method"], "xpm");
  EXPECT_GT(whole["coupling_iterations"]["max"], 1);
  EXPECT_EQ(whole["unconverged_steps"], 0);
  EXPECT_LT(whole["momentum_error"], 1e-5);  // the bodies end with the water's own load
  EXPECT_NE(readText(folder / "whole/steps.csv").find("coupling_iterations,coupling_residual,converged"), std::string::npos);
  EXPECT_FALSE(readText(folder / "whole/frames/solids-00001.vtp").empty());
  EXPECT_EQ(summaryOf("--threads 2")["state_hash"], whole["state_hash"]);
  summaryOf("--threads 3 --steps 8 --checkpoint 1e-9 --out " + (folder / "out"));
  EXPECT_EQ(summaryOf("--threads 3 --resume " + (folder / "out/checkpoint.snapshot"))["state_hash"], whole["state_hash"]);
  EXPECT_NE(summaryOf("--method isph-pbd --threads 1")["state_hash"], whole["state_hash"]);
}

TEST_F(CliCoupledParticles, EveryMethodRunsAndStandsInOneTable) {
  const Outcome o = meniscus("compare " + (folder / "tank.json") +
                             " --methods isph-pbd,partitioned,iqn-ils,xpm,staggered --quiet --out " + (folder / "table"));
  EXPECT_EQ(o.status, 0) << o.text;
  const std::string csv = readText(folder / "table/compare.csv");
  for (const char* row : {"isph-pbd,20,", "partitioned,20,", "iqn-ils,20,", "xpm,20,", "staggered,20,1,1,0,"})
    EXPECT_NE(csv.find(row), std::string::npos) << row << "\n" << csv;
}

TEST_F(CliCoupledParticles, WhatTheMethodDoesNotTake) {
  std::string text;
  const auto replace = [&](const std::string& from, const std::string& to) { text.replace(text.find(from), from.size(), to); };
  const auto refusal = [&] {
    writeText(folder / "bad.json", text);
    const Outcome o = meniscus("check " + (folder / "bad.json"));
    EXPECT_EQ(o.status, 2) << o.text;
    return o.text;
  };
  text = testing::tankScene();
  replace("\"dt\": 0.002", R"("method": "xpm", "coupling": {"reuse": 2}, "dt": 0.002)");
  EXPECT_NE(refusal().find("bad.json:4:44: \"reuse\" is for grids"), std::string::npos) << refusal();
  text = testing::tankScene();
  replace("\"dt\": 0.002", R"("coupling": {"w0": 0.2}, "dt": 0.002)");
  EXPECT_NE(refusal().find("\"coupling\" is for the grid methods"), std::string::npos) << refusal();
  text = testing::tankScene();
  replace("\"dt\": 0.002", R"("method": "xpm", "dt": 0.002)");
  replace("\"kind\": \"rigid\"", "\"kind\": \"soft\"");
  replace("\"density\": 500", R"("density": 500, "youngs_modulus": 1e5)");
  EXPECT_NE(refusal().find("solid \"ball\" is soft: the method \"xpm\" couples particles with rigid bodies only; make it rigid"),
            std::string::npos)
      << refusal();
}

}  // namespace
}  // namespace meniscus
