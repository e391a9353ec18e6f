// Damaged scene files: the loader ends, with a list of mistakes that all have their place, or with a scene that can be built or is
// refused by name. Everything else (a crash, a hang, another exception) is a bug.
#include <gtest/gtest.h>

#include <filesystem>

#include "engine/base/error.h"
#include "engine/exec/exec.h"
#include "engine/scene/load.h"
#include "engine/world/build.h"
#include "tests/fuzz/mutate.h"
#include "tests/shared/temporary_folder.h"

namespace meniscus {
namespace {

const std::vector<std::string> kWords = {"0",
                                         "-1",
                                         "1e-300",
                                         "1e18",
                                         "-1e18",
                                         "1e300",
                                         "1e999",
                                         "NaN",
                                         "Infinity",
                                         "2147483648",
                                         "-2147483649",
                                         "9223372036854775808",
                                         "0.5",
                                         "1e-9",
                                         "1e6",
                                         "null",
                                         "true",
                                         "false",
                                         "\"5 cm\"",
                                         "\"\"",
                                         "[]",
                                         "{}",
                                         "[[[[[[[[[[",
                                         "{\"a\":",
                                         "[0, 0, 0]",
                                         ",",
                                         ":",
                                         "\"",
                                         "\\u0000",
                                         "\\ud800",
                                         "\xff",
                                         "\xc3",
                                         "// ",
                                         "/*",
                                         "\"box\": {\"size\": [1, 1, 1]}",
                                         "\"inside\": \"ball\"",
                                         "\"name\": \"x\"",
                                         "\"kind\": \"soft\"",
                                         "\"rotation\": {\"axis\": [0, 0, 0], \"degrees\": 1}",
                                         "\"scale\": [1, 2, 3]",
                                         "\"container\": true",
                                         "\"walls\": \"none\"",
                                         "\"motion\": [{\"time\": 0}]"};

// Something of most parts of the format, in a tank of a few hundred particles.
const char* const kScene = R"({
  "meniscus": 1, "name": "all", "gravity": [0, 0, -9.81], "duration": 0.02, "max_particles": 2000,
  "domain": {"min": [0, 0, 0], "max": [0.1, 0.06, 0.12], "walls": ["-x", "+x", "-y", "+y", "-z"], "friction": 0.1, "no_slip": true},
  "solver": {"dt": 0.002, "cfl": 0.4, "max_substeps": 8, "support": 2, "pressure": "compatible", "tolerance": 0.01},
  "fluids": [{"name": "water", "spacing": 0.01, "density": 1000, "viscosity": 1e-6, "surface_tension": 0.07, "velocity": [0.1, 0, 0], "jitter": 0.1,
    "relax": false, "carve": true, "shapes": [{"box": {"min": [0, 0, 0], "max": [0.1, 0.06, 0.05]}},
    {"sphere": {"radius": 0.01}, "position": [0.08, 0.04, 0.08], "rotation": {"axis": [0, 0, 1], "degrees": 30}, "scale": 1.5}]}],
  "emitters": [{"name": "tap", "fluid": "water", "disc": {"radius": 0.015}, "position": [0.03, 0.03, 0.11], "direction": [0, 0, -1],
    "speed": 1, "schedule": [{"begin": 0, "end": 0.01}], "max_volume": 1e-4}],
  "drains": [{"name": "plug", "rectangle": {"size": [0.02, 0.02]}, "position": [0.05, 0.03, 0], "depth": 0.01, "rate": 1e-4}],
  "solids": [
    {"name": "ball", "kind": "rigid", "shape": {"sphere": {"radius": 0.012}}, "position": [0.05, 0.03, 0.08],
     "material": {"density": 500, "friction": 0.2, "restitution": 0.5}, "velocity": [0, 0, -0.1], "angular_velocity": [1, 0, 0]},
    {"name": "paddle", "kind": "kinematic", "shape": {"box": {"size": [0.01, 0.02, 0.02], "resolution": 0.01}},
     "position": [0.08, 0.03, 0.08], "motion": [{"time": 0}, {"time": 0.01, "displacement": [0, 0.01, 0]}]},
    {"name": "cloth", "kind": "cloth", "shape": {"sheet": {"size": [0.04, 0.04], "resolution": 0.01}}, "position": [0.05, 0.03, 0.1],
     "material": {"areal_density": 0.2, "stretch": {"compliance": 1e-6}, "bend": {"stiffness": 0.1}}, "pins": [{"rim": true}]}],
  "output": {"every": 0.01, "formats": ["vtk"]},
  "expect": {"leaked_particles": {"max": 0}, "solids.ball.z": {"min": 0}}
}
)";

// Every line of a message says the file, and where it is a mistake in the text also the place in it.
void expectPlaces(const Diagnostics& mistakes, const std::string& text, std::uint64_t seed) {
  const int lines = 1 + int(std::count(text.begin(), text.end(), '\n'));
  for (const Diagnostic& d : mistakes) {
    EXPECT_EQ(d.file, "fuzz.json") << seed;
    EXPECT_GE(d.line, 1) << seed << ": " << d.text;
    EXPECT_LE(d.line, lines) << seed << ": " << d.text;
    EXPECT_GE(d.column, 1) << seed << ": " << d.text;
    EXPECT_FALSE(d.text.empty()) << seed;
  }
}

std::vector<std::string> sceneTexts() {
  std::vector<std::string> texts{kScene};
  for (const auto& entry : std::filesystem::directory_iterator(std::string(MENISCUS_SOURCE_DIR) + "/assets/scenes"))
    if (entry.path().extension() == ".json") texts.push_back(testing::readText(entry.path().string()));
  std::sort(texts.begin() + 1, texts.end());  // the order of a folder is not the same everywhere
  return texts;
}

TEST(FuzzScene, GoodSceneIsBuilt) {
  SceneDef scene;
  EXPECT_EQ(formatAll(checkSceneText(kScene, "fuzz.json", &scene)), "");
  Exec exec(1);
  EXPECT_GT(buildWorld(scene, exec, nullptr).fluid.n, 300);
}

TEST(FuzzScene, DamagedTextIsRefusedWithPlacesOrRead) {
  const std::vector<std::string> texts = sceneTexts();
  std::size_t read = 0, refused = 0;
  testing::forSeeds(30000, [&](std::uint64_t seed) {
    testing::Mutator mutate(seed, kWords);
    const std::string text = mutate(texts[mutate.below(texts.size())], 5);
    try {
      const Diagnostics mistakes = checkSceneText(text, "fuzz.json", nullptr);
      expectPlaces(mistakes, text, seed);
      (mistakes.empty() ? read : refused) += 1;
    } catch (const std::exception& e) { ADD_FAILURE() << "seed " << seed << ": " << e.what() << "\n" << text; }
  });
  // damage that is always found, or never, would test nothing
  EXPECT_GT(read, 200u);
  EXPECT_GT(refused, 10000u);
}

// Numbers that pass the loader must not break the building either.
TEST(FuzzScene, DamagedSceneIsRefusedOrBuilt) {
  std::size_t built = 0, refused = 0;
  Exec exec(1);
  testing::forSeeds(40000, [&](std::uint64_t seed) {
    testing::Mutator mutate(seed, kWords);
    const std::string text = mutate(kScene, 2);
    SceneDef scene;
    if (!checkSceneText(text, "fuzz.json", &scene).empty()) return;
    if (text.find("\"soft\"") != std::string::npos) return;  // calls the program tetgen: not thousands of times
    try {
      buildWorld(scene, exec, nullptr);
      ++built;
    } catch (const Error& e) {
      EXPECT_EQ(e.kind, ErrorKind::input) << "seed " << seed << ": " << e.what() << "\n" << text;
      EXPECT_EQ(std::string(e.what()).rfind("fuzz.json:", 0), 0u) << "seed " << seed << ": " << e.what();
      ++refused;
    } catch (const std::exception& e) { ADD_FAILURE() << "seed " << seed << ": " << e.what() << "\n" << text; }
  });
  EXPECT_GT(built, 200u);
  EXPECT_GT(refused, 100u);
}

}  // namespace
}  // namespace meniscus
