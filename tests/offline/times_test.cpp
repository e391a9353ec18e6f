// Inflows that have a beginning and an end, pins that let go, and skins with a mouth.
#include <cmath>

#include "tests/offline/scenes.h"

namespace meniscus {
namespace {

using offline::OfflineRun;

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return at == std::string::npos ? text : text.replace(at, what.size(), with);
}

std::string mistakesOf(const std::string& text) { return formatAll(checkSceneText(text, "s.json", nullptr)); }

const std::string kBalloon = R"([{"name": "balloon", "kind": "inflatable",
  "shape": {"sphere": {"radius": 0.2, "mouth": 0.12, "resolution": 0.025}}, "position": [0.5, 0, 0.165],
  "material": {"areal_density": 0.05, "youngs_modulus": 10, "thickness": 0.05, "poisson_ratio": 0, "damping": 0.02},
  "pins": [{"rim": true, "until": 0.2}]}])";

SceneDef balloonScene(const char* method) {
  SceneDef scene = testing::offlineScene(
      replaced(testing::planeRoom(kBalloon), "\"smoke\": 1}", "\"smoke\": 1, \"schedule\": [{\"end\": 0.2}]}"));
  for (const int side : {0, 1}) scene.domain.walls[side] = false;
  scene.solver.dt = 0.02;
  scene.solver.method = method;
  return scene;
}

// What flows in is the speed times the time that the inflow is open, whether or not steps end where it does.
TEST(OfflineTimes, AnInflowHasItsTime) {
  Exec exec(1);
  const std::string text =
      replaced(testing::planeRoom("[]"), "\"smoke\": 1}",
               "\"smoke\": 1, \"schedule\": [{\"begin\": 0.31, \"end\": 0.4}, {\"begin\": 0.1, \"end\": 0.25}]}");
  const auto run = testing::started(testing::offlineScene(text), exec);
  EXPECT_EQ(run->largestSpeed(), 0);
  const auto flowing = [&] {
    double most = 0;
    for (const Vec3f& v : run->gridFields().velocity) most = std::max(most, double(std::abs(v.z)));
    return most;
  };
  for (int k = 0; k < 3; ++k) run->step(0.03);
  EXPECT_EQ(flowing(), 0);  // until 0.09 s
  run->step(0.03);
  // two thirds of the step: its speed is two thirds
  EXPECT_NEAR(run->largestSpeed(), 0.5 * 2 / 3, 0.05);
  EXPECT_NEAR(run->fluidMomentum().z, 0.5 * 2 / 3 * 0.2 * 1.5, 1e-9);  // of a jet that fills the room
  for (int k = 0; k < 4; ++k) run->step(0.03);
  EXPECT_NEAR(run->fluidMomentum().z, 0.5 * 0.2 * 1.5, 1e-9);
  run->step(0.03);
  EXPECT_NEAR(run->fluidMomentum().z, 0.5 / 3 * 0.2 * 1.5, 1e-9);
  run->step(0.03);
  EXPECT_NEAR(run->fluidMomentum().z, 0, 1e-9);  // nothing flows in, so nothing flows out
  run->step(0.03);
  EXPECT_NEAR(run->fluidMomentum().z, 0.5 * 2 / 3 * 0.2 * 1.5, 1e-9);
}

TEST(OfflineTimes, WaterIsAddedWhileItFlowsIn) {
  Exec exec(1);
  std::string text = testing::planeTank("[]");
  text = replaced(text, R"("kind": "water",)",
                  R"("kind": "water", "inflows": [{"side": "-x", "box": {"min": [0, -1, 0.7], "max": [0, 1, 0.8]}, "speed": 0.5,
                     "schedule": [{"begin": 0.05, "end": 0.13}]}],)");
  const auto run = testing::started(testing::offlineScene(text), exec);
  for (int k = 0; k < 2; ++k) run->step(0.02);
  EXPECT_NEAR(run->water().expected, 0.61, 1e-12);
  for (int k = 0; k < 6; ++k) run->step(0.02);
  EXPECT_NEAR(run->water().expected, 0.61 + 0.08 * 0.5 * 0.1, 1e-12);
  EXPECT_LT(run->volumeError(), 0.02);
}

// A step is as short as the inflow asks that begins in it.
TEST(OfflineTimes, StepsKnowWhatBegins) {
  Exec exec(1);
  const SceneDef scene = testing::offlineScene(replaced(testing::planeRoom("[]"), "\"speed\": 0.5, \"smoke\": 1}",
                                                        "\"speed\": 5, \"smoke\": 1, \"schedule\": [{\"begin\": 0.12}]}"));
  const auto run = testing::started(scene, exec);
  EXPECT_EQ(run->timeStep(), 0.05);
  run->step(0.05);
  run->step(0.05);
  EXPECT_NEAR(run->timeStep(), 0.9 * 0.05 / 5, 1e-12);
}

// The balloon grows by its inflow while its mouth is held, then the mouth opens, it shrinks, and flies by the jet.
TEST(OfflineTimes, ABalloonThatIsLetGoFlies) {
  Exec exec(2);
  for (const char* method : {"xpm", "monolithic"}) {
    SceneDef scene = testing::assetScene("grid-balloon-release-2d");
    scene.solver.method = method;
    const auto run = testing::started(scene, exec);
    ASSERT_TRUE(run->solids()[0].fills);
    const double before = run->solids()[0].volume;
    for (int k = 0; k < 25; ++k) EXPECT_TRUE(run->step(0.02).converged()) << method << ' ' << k;
    const double full = run->solids()[0].volume, height = run->solids()[0].x.z;
    EXPECT_NEAR((full - before) / (0.5 * 0.15 * 0.5), 1, 0.01) << method;
    EXPECT_LT(run->volumeError(), 0.003) << method;
    EXPECT_LT(run->momentumError(), 0) << "the rim is held";
    double last = full;
    for (int k = 0; k < 10; ++k) {
      const offline::StepReport r = run->step(0.02);
      EXPECT_TRUE(r.converged()) << method << ' ' << k << ' ' << r.coupling.text();
      EXPECT_LT(run->solids()[0].volume, last) << method << ' ' << k;
      last = run->solids()[0].volume;
    }
    EXPECT_LT(last, 0.8 * full) << method;
    EXPECT_GT(run->solids()[0].x.z, height + 0.02) << method;
    EXPECT_GT(run->solids()[0].v.z, 0.05) << method;
    EXPECT_GE(run->momentumError(), 0) << method;
    EXPECT_LT(run->momentumError(), 1e-12) << method;
    EXPECT_LT(run->volumeError(), 0.003) << method;  // of the time before
  }
}

TEST(OfflineTimes, AResumedRunLetsGoToo) {
  Exec exec(1);
  const SceneDef scene = balloonScene("xpm");
  const auto whole = testing::started(scene, exec), resumed = testing::started(scene, exec);
  OfflineRun::State early, late;
  for (int k = 0; k < 14; ++k) {
    if (k == 8) early = whole->state();
    if (k == 12) late = whole->state();
    whole->step(0.02);
  }
  resumed->setState(late);
  for (int k = 12; k < 14; ++k) resumed->step(0.02);
  EXPECT_EQ(resumed->hash(), whole->hash());
  // and back: held again
  resumed->setState(early);
  for (int k = 8; k < 14; ++k) resumed->step(0.02);
  EXPECT_EQ(resumed->hash(), whole->hash());
}

// In space the mouth is a ring of nodes, and what the skin holds has the volume of the sphere without its cap.
TEST(OfflineTimes, AMouthInSpace) {
  Exec exec(1);
  const std::string text = replaced(testing::planeRoom(replaced(kBalloon, "\"resolution\": 0.025", "\"resolution\": 0.04")),
                                    "\"dimension\": 2", "\"dimension\": 3");
  const auto run = testing::started(testing::offlineScene(replaced(text, "[0.5, 0, 0.165]", "[0.5, 0, 0.17]")), exec);
  const double h = 0.2 - 0.16, cap = M_PI * h * h * (3 * 0.2 - h) / 3;
  EXPECT_NEAR(run->solids()[0].volume / (4.0 / 3 * M_PI * 0.008 - cap), 1, 0.03);
  double lowest = 1;
  for (const Vec3f& x : run->solidFields().x) lowest = std::min(lowest, double(x.z));
  EXPECT_NEAR(lowest, 0.01, 1e-6);
}

TEST(OfflineTimes, AreSavedAndMistakesAreNamed) {
  const SceneDef first = balloonScene("xpm");
  SceneDef second;
  ASSERT_EQ(formatAll(checkSceneText(saveScene(first), "s.json", &second)), "");
  EXPECT_EQ(second.solids[0].pins[0].until, 0.2);
  EXPECT_EQ(second.solids[0].shape.mouth, 0.12);
  ASSERT_EQ(second.fluids[0].inflows[0].schedule.size(), 1u);
  EXPECT_EQ(second.fluids[0].inflows[0].schedule[0].end, 0.2);
  EXPECT_EQ(saveScene(second), saveScene(first));
  const std::string room = testing::planeRoom(kBalloon);
  EXPECT_NE(mistakesOf(replaced(room, "\"mouth\": 0.12", "\"mouth\": 0.2")).find("is not smaller than the radius of 0.2 m"),
            std::string::npos);
  EXPECT_NE(mistakesOf(replaced(room, "\"until\": 0.2", "\"until\": 0")).find("\"until\" is 0, but must be"), std::string::npos);
  EXPECT_NE(mistakesOf(replaced(room, "\"smoke\": 1}", "\"smoke\": 1, \"schedule\": [{\"begin\": 2, \"end\": 1}]}"))
                .find("the span ends at 1 s"),
            std::string::npos);
  const std::string rigid =
      R"([{"name": "ball", "kind": "rigid", "shape": {"sphere": {"radius": 0.1, "mouth": 0.05}}, "position": [0.5, 0, 0.6]}])";
  EXPECT_NE(mistakesOf(testing::planeRoom(rigid)).find("only cloth and inflatables can have one"), std::string::npos);
  const std::string smoke = replaced(testing::planeRoom("[]"), "\"density\": 1,",
                                     "\"density\": 1, \"shapes\": [{\"sphere\": {\"radius\": 0.1, \"mouth\": 0.05}}],");
  EXPECT_NE(mistakesOf(smoke).find("\"mouth\" is for the skins of solids"), std::string::npos) << mistakesOf(smoke);
  // particles have no pins that let go
  const std::string cloth = R"({"meniscus": 1, "name": "c", "domain": {"min": [0, 0, 0], "max": [1, 1, 1]}, "solids": [{"name":
    "c", "kind": "cloth", "shape": {"sheet": {"size": [0.5, 0.5]}}, "position": [0.5, 0.5, 0.5],
    "pins": [{"rim": true, "until": 1}]}]})";
  EXPECT_NE(mistakesOf(cloth).find("\"until\" is for the grid methods"), std::string::npos) << mistakesOf(cloth);
}

// An inflow that opens where nothing can make room is told when it does.
TEST(OfflineTimes, AnInflowIntoAClosedRoomIsToldWhenItOpens) {
  Exec exec(1);
  SceneDef scene = testing::offlineScene(
      replaced(testing::planeRoom("[]"), "\"smoke\": 1}", "\"smoke\": 1, \"schedule\": [{\"begin\": 0.05}]}"));
  for (bool& wall : scene.domain.walls) wall = true;
  const auto run = testing::started(scene, exec);
  for (int k = 0; k < 2; ++k) run->step(0.02);
  std::string said;
  try {
    run->step(0.02);
  } catch (const Error& e) {
    EXPECT_EQ(e.kind, ErrorKind::simulation);
    said = e.what();
  }
  EXPECT_NE(said.find("more flow into than out of a region"), std::string::npos) << said;
}

}  // namespace
}  // namespace meniscus
