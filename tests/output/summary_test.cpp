#include "engine/output/summary.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/world/hash.h"
#include "tests/shared/small_world.h"

namespace meniscus {
namespace {

using Json = nlohmann::ordered_json;
using testing::smallWorld;

RunMetrics steppedMetrics(World& w, int steps) {
  RunMetrics m(w);
  for (int k = 1; k <= steps; ++k) {
    w.report = StepReport{};
    w.report.pressureIterations = 10 * k;
    w.report.pressureSolves = k;
    w.report.couplingIterations = k;
    w.report.densityErrorMean = 1e-3 * k;
    w.report.densityErrorMax = 0.1;
    w.report.volumeChange = -2e-4;
    w.report.divergenceError = 1e-5;
    w.report.leaked = 1;
    w.report.undone = k;
    w.report.converged = k != 2;
    w.report.reason = "limit of iterations";
    ++w.steps;
    m.add(w, double(k));
  }
  return m;
}

ExpectDef limit(const std::string& name, double low, double high) {
  ExpectDef e;
  e.name = name;
  e.hasMin = std::isfinite(low);
  e.hasMax = std::isfinite(high);
  e.min = low;
  e.max = high;
  return e;
}

TEST(Quantile, InterpolatesOrderStatistics) {
  EXPECT_FALSE(quantile({}, 0.5).has_value());
  EXPECT_EQ(*quantile({7}, 0.95), 7);
  EXPECT_EQ(*quantile({4, 1, 3, 2}, 0.5), 2.5);
  EXPECT_NEAR(*quantile({1, 2, 3, 4, 5}, 0.95), 4.8, 1e-12);
}

TEST(Summary, HasExactlyTheKeysOfTheContractInOrder) {
  World w = smallWorld();
  const RunMetrics m = steppedMetrics(w, 4);
  const Json j = Json::parse(summarize(w, m, RunInfo{}).json);
  std::vector<std::string> keys;
  for (const auto& [key, value] : j.items()) keys.push_back(key);
  EXPECT_EQ(keys, (std::vector<std::string>{"meniscus",
                                            "scene",
                                            "method",
                                            "device",
                                            "threads",
                                            "steps",
                                            "simulated_seconds",
                                            "wall_seconds",
                                            "ms_per_step",
                                            "stages",
                                            "particles",
                                            "solid_nodes",
                                            "constraints",
                                            "pressure_iterations",
                                            "coupling_iterations",
                                            "unconverged_steps",
                                            "unconverged_reason",
                                            "substeps_undone",
                                            "density_error",
                                            "divergence_error",
                                            "volume_error",
                                            "leaked_particles",
                                            "momentum_error",
                                            "energy",
                                            "peak_memory_bytes",
                                            "state_hash",
                                            "expect"}));
}

TEST(Summary, ValuesAreThoseOfTheSteps) {
  World w = smallWorld();
  const RunMetrics m = steppedMetrics(w, 4);
  RunInfo info;
  info.threads = 2;
  info.stageSeconds = {{"pressure", 0.02}};
  info.peakMemoryBytes = 1234;
  const Json j = Json::parse(summarize(w, m, info).json);
  EXPECT_EQ(j["steps"], 16);
  EXPECT_EQ(j["simulated_seconds"], 0.75);
  EXPECT_EQ(j["ms_per_step"]["mean"], 2.5);
  EXPECT_EQ(j["ms_per_step"]["median"], 2.5);
  EXPECT_NEAR(j["ms_per_step"]["p95"].get<double>(), 3.85, 1e-12);
  EXPECT_NEAR(j["stages"]["pressure"].get<double>(), 5, 1e-12);  // 20 ms over 4 steps
  EXPECT_EQ(j["particles"], 3);
  EXPECT_EQ(j["solid_nodes"], 3);
  EXPECT_EQ(j["constraints"], 2);                   // one distance, one volume
  EXPECT_EQ(j["pressure_iterations"]["mean"], 10);  // 10 a solve in every step
  EXPECT_EQ(j["coupling_iterations"]["mean"], 2.5);
  EXPECT_EQ(j["coupling_iterations"]["max"], 4);
  EXPECT_EQ(j["unconverged_steps"], 1);
  EXPECT_EQ(j["unconverged_reason"], "step 14, t = 0.75 s: limit of iterations");
  EXPECT_EQ(j["substeps_undone"], 10);
  EXPECT_NEAR(j["density_error"]["mean"].get<double>(), 2.5e-3, 1e-15);
  EXPECT_EQ(j["density_error"]["max"], 0.1);
  EXPECT_EQ(j["volume_error"], 2e-4);  // a size, whatever its sign
  EXPECT_EQ(j["leaked_particles"], 1);
  EXPECT_EQ(j["peak_memory_bytes"], 1234);
  EXPECT_EQ(j["state_hash"], hexHash(stateHash(w)));
}

TEST(Summary, MissingAndNotFiniteQuantitiesAreNull) {
  World solids;
  solids.scene.domain.max = {1, 1, 1};
  testing::addCloth(solids.solid);
  const Json j = Json::parse(summarize(solids, RunMetrics(solids), RunInfo{}).json);
  for (const char* key : {"divergence_error", "volume_error", "leaked_particles", "momentum_error", "unconverged_reason"})
    EXPECT_TRUE(j[key].is_null()) << key;
  EXPECT_TRUE(j["ms_per_step"]["mean"].is_null());
  EXPECT_TRUE(j["density_error"]["max"].is_null());

  World w = smallWorld();
  RunMetrics m = steppedMetrics(w, 1);
  w.report.volumeChange = NAN;
  w.report.densityErrorMean = NAN;
  m.add(w, 1);
  const Json bad = Json::parse(summarize(w, m, RunInfo{}).json);
  EXPECT_TRUE(bad["volume_error"].is_null());
  EXPECT_TRUE(bad["density_error"]["mean"].is_null());
  EXPECT_TRUE(bad["density_error"]["max"].is_null());
}

TEST(Summary, ExpectationsAreHeldByDottedKey) {
  World w = smallWorld();
  const RunMetrics m = steppedMetrics(w, 2);
  w.scene.expect = {limit("volume_error", NAN, 2.5e-4),       limit("leaked_particles", NAN, 0),
                    limit("density_error.mean", 1e-3, 2e-3),  limit("solids.ball.z", 0.4, 0.6),
                    limit("solids.cloth.speed", NAN, 10),     limit("momentum_error", NAN, 1),
                    limit("coupling_iterations.mean", 2, NAN)};
  const Summary s = summarize(w, m, RunInfo{});
  std::vector<bool> holds;
  for (const ExpectResult& e : s.expect) holds.push_back(e.holds);
  // one particle leaked; the momentum is not known with a pinned cloth; 1.5 coupling iterations are below 2
  EXPECT_EQ(holds, (std::vector<bool>{true, false, true, true, true, false, false}));
  EXPECT_FALSE(s.allHold());
  const Json j = Json::parse(s.json);
  EXPECT_EQ(j["expect"][1], (Json{{"name", "leaked_particles"}, {"value", 1.0}, {"limit", {{"max", 0.0}}}, {"holds", false}}));
  EXPECT_TRUE(j["expect"][5]["value"].is_null());
}

TEST(Summary, SolidQuantitiesAreCentresOfMass) {
  World w = smallWorld();
  const RunMetrics m = steppedMetrics(w, 1);
  // masses 1, 2, 3 at (0,0,1), (1,0,1), (0,1,1); speeds 0, 1, 2 downwards
  w.scene.expect = {limit("solids.cloth.x", 0, 1), limit("solids.cloth.y", 0, 1), limit("solids.cloth.speed", 0, 9)};
  const Summary s = summarize(w, m, RunInfo{});
  EXPECT_NEAR(s.expect[0].value, 2.0 / 6, 1e-14);
  EXPECT_NEAR(s.expect[1].value, 3.0 / 6, 1e-14);
  EXPECT_NEAR(s.expect[2].value, 8.0 / 6, 1e-14);
}

TEST(Summary, UnknownExpectationIsNamedWithPlaceAndNearestName) {
  SceneDef scene;
  scene.file = "a.json";
  SolidDef ball;
  ball.name = "ball";
  scene.solids.push_back(ball);
  scene.expect = {limit("solids.ball.z", 0, 1), limit("stages.pressure", 0, 1), limit("volume_eror", 0, 1), limit("zzz", 0, 1)};
  scene.expect[2].where = {12, 5};
  scene.expect[3].where = {13, 5};
  const Diagnostics mistakes = checkExpectNames(scene);  // every one of them
  ASSERT_EQ(mistakes.size(), 2u);
  EXPECT_EQ(mistakes[0].format(), "a.json:12:5: the summary has no number \"volume_eror\"; did you mean \"volume_error\"?");
  EXPECT_EQ(mistakes[1].format(), "a.json:13:5: the summary has no number \"zzz\"");
  scene.expect.resize(2);
  EXPECT_TRUE(checkExpectNames(scene).empty());
}

// Two particles of 1 kg in free fall for 2 s, one of them pushed by a wall with 3 N s: the balance closes exactly.
TEST(Momentum, ErrorIsWhatGravityAndStaticSolidsDoNotExplain) {
  World w;
  w.scene.domain.max = {1, 1, 1};
  w.scene.fluids.resize(1);
  w.scene.fluids[0].density = 1000;
  w.particleVolume = 1e-3;
  w.scene.gravity = {0, 0, -10};
  testing::addParticles(w, 2);
  w.fluid.capacity = 2;
  const RunMetrics m(w);
  EXPECT_FALSE(m.momentumError(w).has_value());  // nothing was exchanged yet
  for (int i = 0; i < 2; ++i) w.fluid.u[std::size_t(i)].z -= 20;
  w.fluid.u[0].x += 3;
  w.time = 2;
  w.impulseOnFluidFromStatic = {3, 0, 0};
  w.impulseExchanged = 3;
  ASSERT_TRUE(m.momentumError(w).has_value());
  EXPECT_NEAR(*m.momentumError(w), 0, 1e-6);
  w.fluid.u[1].y += 0.3f;  // an impulse from nowhere: 0.3 of 3
  EXPECT_NEAR(*m.momentumError(w), 0.1, 1e-6);
  w.scene.solver.pressure = PressureMode::kernelDiagonal;  // forces there have no counterpart that could be recorded
  EXPECT_FALSE(m.momentumError(w).has_value());
  w.scene.solver.pressure = PressureMode::compatible;
  ASSERT_TRUE(m.momentumError(w).has_value());
  w.scene.fluids[0].surfaceTension = 0.07;  // of the mirrors in walls, which no force answers
  EXPECT_FALSE(m.momentumError(w).has_value());
  for (bool& wall : w.scene.domain.walls) wall = false;
  ASSERT_TRUE(m.momentumError(w).has_value());
  w.drainedTotal = 1;  // the balance is open now
  EXPECT_FALSE(m.momentumError(w).has_value());
}

}  // namespace
}  // namespace meniscus
