// A run that goes on from a checkpoint ends in the bits of the run that was never interrupted, whatever the scene has.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>

#include "tests/cli/command.h"
#include "tests/offline/scenes.h"
#include "tests/shared/temporary_folder.h"

namespace meniscus {
namespace {

using testing::meniscus;
using testing::readText;
using testing::TemporaryFolder;
using testing::writeText;

// Water running against a paddle and out of an open side, a drain, a falling ball, and `more` solids or an emitter.
std::string busyScene(const std::string& solid, const std::string& more) {
  return R"({
  "meniscus": 1, "name": "busy", "duration": 0.2,
  "domain": {"min": [0, 0, 0], "max": [0.2, 0.1, 0.2], "walls": ["-x", "-y", "+y", "-z", "+z"]},
  "solver": {"dt": 0.005},
  "fluids": [{"name": "water", "spacing": 0.01, "velocity": [1, 0, 0], "shapes": [{"box": {"min": [0, 0, 0], "max": [0.06, 0.1, 0.08]}}]}],
  "drains": [{"name": "plug", "disc": {"radius": 0.02}, "position": [0.03, 0.05, 0], "depth": 0.01, "rate": 1e-4}],
  "solids": [
    {"name": "ball", "kind": "rigid", "shape": {"sphere": {"radius": 0.015}}, "position": [0.03, 0.05, 0.12], "material": {"density": 500}},
    {"name": "paddle", "kind": "kinematic", "shape": {"box": {"size": [0.01, 0.06, 0.04]}}, "position": [0.15, 0.05, 0.03],
     "motion": [{"time": 0}, {"time": 0.1, "displacement": [-0.03, 0, 0]}, {"time": 0.2}]})" +
         solid + "]" + more + "}\n";
}

using Json = nlohmann::json;

// Without what differs between two runs of the same: times and memory.
Json withoutTimes(Json summary) {
  for (const char* key : {"wall_seconds", "ms_per_step", "stages", "peak_memory_bytes"}) summary.erase(key);
  return summary;
}

// The rows of a steps.csv without their last column, the milliseconds.
std::string rowsOf(const std::string& csv) { return std::regex_replace(readText(csv), std::regex(",[^,\n]*\n"), "\n"); }

class CliResume : public ::testing::Test {
 protected:
  Json summaryOf(const std::string& options) {
    const testing::Outcome o =
        meniscus("run " + (folder / "scene.json") + " --quiet --summary " + (folder / "s.json") + " " + options);
    EXPECT_EQ(o.status, 0) << o.text;
    return Json::parse(readText(folder / "s.json"));
  }
  std::string hashOf(const std::string& options) { return summaryOf(options)["state_hash"]; }
  // At every fifth of the run: stop, and go on with another number of threads.
  void expectSameAtEveryFifth(const std::string& scene) {
    writeText(folder / "scene.json", scene);
    const std::string whole = hashOf("--threads 1");
    for (int steps = 7; steps < 40; steps += 8) {
      // a checkpoint after every step; the last one stays
      hashOf("--threads 2 --steps " + std::to_string(steps) + " --checkpoint 1e-9 --out " + (folder / "out"));
      EXPECT_EQ(hashOf("--threads 2 --resume " + (folder / "out/checkpoint.snapshot")), whole) << "after " << steps << " steps";
    }
  }
  TemporaryFolder folder;
};

TEST_F(CliResume, EmitterDrainOpenSideAndMovingBodies) {
  expectSameAtEveryFifth(busyScene("", R"(, "emitters": [{"name": "tap", "fluid": "water", "disc": {"radius": 0.02},
    "position": [0.1, 0.05, 0.18], "direction": [0, 0, -1], "speed": 1.5}])"));
}

TEST_F(CliResume, ClothInTheStream) {
  expectSameAtEveryFifth(
      busyScene(R"(, {"name": "cloth", "kind": "cloth", "shape": {"sheet": {"size": [0.06, 0.06], "resolution": 0.02}},
    "position": [0.1, 0.05, 0.12], "material": {"areal_density": 0.2, "stretch": {"compliance": 1e-6}, "bend": {"compliance": 1}},
    "pins": [{"rim": true}]})",
                ""));
}

// The last steps share what another dt leaves over, from the start as after a resume.
TEST_F(CliResume, EndsAtTheDurationWhateverTheStep) {
  writeText(folder / "scene.json", testing::tankScene());  // 0.04 s in steps of 2 ms
  for (const char* dt : {"0.0005", "0.003", "0.0015", "0.07"}) {
    summaryOf("--steps 10 --checkpoint 1e-9 --out " + (folder / "out"));
    const Json resumed = summaryOf("--resume " + (folder / "out/checkpoint.snapshot") + " --dt " + dt);
    EXPECT_NEAR(resumed["simulated_seconds"].get<double>(), 0.04, 1e-12) << dt;
    EXPECT_NEAR(summaryOf(std::string("--dt ") + dt)["simulated_seconds"].get<double>(), 0.04, 1e-12) << dt;
  }
  EXPECT_EQ(summaryOf("--resume " + (folder / "out/checkpoint.snapshot") + " --dt 0.0005")["steps"], 50);
}

// What a summary adds up is carried over, also through two interruptions and through one that leaves nothing to do.
TEST_F(CliResume, SummaryIsThatOfTheWholeRun) {
  writeText(folder / "scene.json", busyScene("", ""));
  const std::string go = "--threads 2 --checkpoint 1e-9 --out " + (folder / "out") + " ",
                    from = (folder / "out/checkpoint.snapshot");
  const Json whole = withoutTimes(summaryOf(go));
  ASSERT_FALSE(whole["density_error"]["max"].is_null());
  EXPECT_EQ(withoutTimes(summaryOf(go + "--resume " + from)), whole) << "nothing left to do";
  summaryOf(go + "--steps 9");
  summaryOf(go + "--steps 23 --resume " + from);
  const Json resumed = summaryOf(go + "--resume " + from);
  EXPECT_EQ(withoutTimes(resumed), whole);
  EXPECT_GE(resumed["wall_seconds"].get<double>(), resumed["ms_per_step"]["mean"].get<double>() * 40e-3)
      << "both are of all 40 steps";
}

// Room for what the emitter lets go is kept for the time that has passed, not for as many steps of the new length.
TEST_F(CliResume, EmittersKeepTheirRoomWithShorterSteps) {
  writeText(folder / "scene.json", R"({"meniscus": 1, "name": "tap", "duration": 0.1,
    "domain": {"min": [0, 0, 0], "max": [0.2, 0.2, 0.2]}, "fluids": [{"name": "water", "spacing": 0.01}],
    "emitters": [{"name": "tap", "fluid": "water", "disc": {"radius": 0.03}, "position": [0.1, 0.1, 0.18], "direction": [0, 0, -1],
    "speed": 1}]})");
  summaryOf("--steps 40 --checkpoint 1e-9 --out " + (folder / "out"));
  EXPECT_EQ(summaryOf("--steps 44 --dt 0.0002 --resume " + (folder / "out/checkpoint.snapshot"))["steps"], 44);
}

// On a grid as with particles: how long, how exact and what is written may change, what is simulated not.
TEST_F(CliResume, TakesTheSamePhysicsOnly) {
  const struct {
    std::string scene, method;
  } cases[] = {{testing::tankScene(), ""}, {testing::planeTank(testing::planeBall(500)), "partitioned"}};
  for (const auto& c : cases) {
    const std::string at = folder / "scene.json";
    writeText(at, c.scene);
    summaryOf("--steps 1 --checkpoint 1e-9 --out " + (folder / "out"));
    const std::string resume = " --steps 2 --quiet --resume " + (folder / "out/checkpoint.snapshot");
    for (const char* key : {"\"density\": 500", "\"water\", "}) {
      std::string other = c.scene;
      const std::size_t found = other.find(key);
      ASSERT_NE(found, std::string::npos) << key;
      other.replace(found, std::string(key).size(), key[1] == 'd' ? "\"density\": 400" : "\"water\", \"velocity\": [0.1, 0, 0], ");
      writeText(at, other);
      const testing::Outcome o = meniscus("run " + at + resume);
      EXPECT_EQ(o.status, 2) << key << o.text;
      EXPECT_NE(o.text.find("checkpoint.snapshot"), std::string::npos) << o.text;
    }
    std::string same = c.scene;
    same.replace(same.find("\"name\": \"tank\""), 14, "\"name\": \"basin\", \"output\": {\"every\": 0.01}");
    writeText(at, same);
    EXPECT_EQ(meniscus("run " + at + resume + " --dt 0.001").status, 0);
    if (!c.method.empty()) { EXPECT_EQ(meniscus("run " + at + resume + " --method " + c.method).status, 2); }
  }
}

TEST_F(CliResume, SaysThatTheRunIsOver) {
  writeText(folder / "scene.json", testing::tankScene());
  summaryOf("--steps 10 --checkpoint 1e-9 --out " + (folder / "out"));
  const std::string resume = "run " + (folder / "scene.json") + " --resume " + (folder / "out/checkpoint.snapshot");
  EXPECT_NE(meniscus(resume + " --duration 0.01").text.find("nothing is left to do"), std::string::npos);
  EXPECT_EQ(meniscus(resume).text.find("nothing is left to do"), std::string::npos);
}

// What a killed run wrote after its last checkpoint is written again, not twice.
TEST_F(CliResume, TablesAndFramesGoOnWithoutGapOrRepetition) {
  writeText(folder / "scene.json", testing::tankScene());
  const std::string every = "--every 0.006 --format vtk,ply --out ";
  summaryOf(every + (folder / "whole"));
  summaryOf(every + (folder / "out") + " --steps 16 --checkpoint 0.018");  // checkpoint after step 9, rows and frames to step 16
  summaryOf(every + (folder / "out") + " --resume " + (folder / "out/checkpoint.snapshot"));
  EXPECT_EQ(rowsOf(folder / "out/steps.csv"), rowsOf(folder / "whole/steps.csv"));
  for (const char* file : {"particles.pvd", "solids.pvd", "frames/particles-00004.vtp", "frames/solids-00006.ply"})
    EXPECT_EQ(readText(folder / ("out/" + std::string(file))), readText(folder / ("whole/" + std::string(file)))) << file;
}

TEST_F(CliResume, FramesOfAnotherIntervalHaveNumbersOfTheirOwn) {
  writeText(folder / "scene.json", testing::tankScene());
  const std::string to = " --format vtk --out " + (folder / "out");
  summaryOf("--every 0.002 --steps 10 --checkpoint 1e-9" + to);
  summaryOf("--every 0.01 --resume " + (folder / "out/checkpoint.snapshot") + to);
  const std::string index = readText(folder / "out/particles.pvd");
  std::vector<std::string> files;
  const std::regex file("file=\"([^\"]*)\"");
  for (std::sregex_iterator m(index.begin(), index.end(), file), end; m != end; ++m) files.push_back((*m)[1]);
  EXPECT_EQ(files.size(), 13u);
  std::sort(files.begin(), files.end());
  EXPECT_EQ(std::unique(files.begin(), files.end()), files.end());
}

}  // namespace
}  // namespace meniscus
