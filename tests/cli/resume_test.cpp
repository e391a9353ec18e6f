// A run that goes on from a checkpoint ends in the bits of the run that was never interrupted, whatever the scene has.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/command.h"
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

class CliResume : public ::testing::Test {
 protected:
  std::string hashOf(const std::string& options) {
    const testing::Outcome o =
        meniscus("run " + (folder / "scene.json") + " --quiet --summary " + (folder / "s.json") + " " + options);
    EXPECT_EQ(o.status, 0) << o.text;
    return nlohmann::json::parse(readText(folder / "s.json"))["state_hash"];
  }
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

}  // namespace
}  // namespace meniscus
