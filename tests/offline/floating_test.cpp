// Bodies of flat sides that float and rise: what the grid makes of their whole cells has no energy to give.
#include <cmath>

#include "tests/offline/scenes.h"

namespace meniscus {
namespace {

std::string box(const char* size, double x, double z, double density) {
  return R"([{"name": "box", "kind": "rigid", "shape": {"box": {"size": )" + std::string(size) + R"(}}, "position": [)" +
         std::to_string(x) + ", 0, " + std::to_string(z) + R"(], "material": {"density": )" + std::to_string(density) + "}}]";
}

// Let go a centimetre above its draft, with at most .13 J to lose. As it went to and fro it gained and lost columns of cells, which
// drove it on to 3 to 16 J, and more with smaller steps.
TEST(Floating, ABoxAtItsDraftStaysThere) {
  Exec exec(1);
  for (const char* method : {"monolithic", "xpm"})
    for (const double dt : {0.02, 0.005}) {
      SceneDef scene = testing::offlineScene(testing::planeTank(box("[0.42, 1, 0.2]", 0.47, 0.54, 300), "",
                                                                R"([{"box": {"min": [0, -0.5, 0], "max": [1, 0.5, 0.5]}}])"));
      scene.solver.method = method;
      scene.solver.coupling.tolerance = 1e-4;  // 0.05 cells a step are 1 m/s in the shorter ones
      scene.solver.dt = dt;
      scene.solver.grid.cells = 10;
      const auto run = testing::started(scene, exec);
      double most = 0;
      for (int k = 0; k * dt < 3; ++k) {
        EXPECT_TRUE(run->step(dt).coupling.converged());
        most = std::max(most, run->kineticEnergy());
      }
      EXPECT_LT(most, 0.13) << method << ' ' << dt;
      EXPECT_LT(run->kineticEnergy(), 0.01) << method << ' ' << dt;
      EXPECT_NEAR(run->solids()[0].x.z, 0.54, 0.01);
      EXPECT_LT(run->volumeError(), 1e-3);
      EXPECT_LT(run->momentumError(), 1e-12);
    }
}

// A plate less than half a cell thick rises between two rows of centres as on one; it sank there like a stone in air.
TEST(Floating, ThinPlatesRiseWhereverTheGridLies) {
  Exec exec(1);
  for (const double x : {0.5, 0.53, 0.55}) {
    SceneDef scene = testing::offlineScene(
        testing::planeTank(box("[0.04, 1, 0.3]", x, 0.25, 500), "", R"([{"box": {"min": [0, -0.5, 0], "max": [1, 0.5, 0.5]}}])"));
    scene.solver.grid.cells = 10;
    const auto run = testing::started(scene, exec);
    for (int k = 0; k < 10; ++k) EXPECT_TRUE(run->step(0.01).coupling.converged());
    EXPECT_GT(run->solids()[0].v.z, 0.1) << x;
    EXPECT_LT(run->momentumError(), 1e-12) << x;
    EXPECT_LT(run->volumeError(), 1e-3) << x;
  }
}

// What is thinner than a cell along any of its sides is named when the scene is built; a box of two cells is not.
TEST(Floating, NarrowBodiesAreNamed) {
  Exec exec(1);
  for (const bool narrow : {true, false}) {
    std::string text = testing::planeTank(box(narrow ? "[0.04, 1, 0.3]" : "[0.1, 1, 0.3]", 0.5, 0.25, 500));
    const std::string at = R"("position")";
    text.insert(text.find(at), R"("rotation": {"axis": [0, 1, 0], "degrees": 30}, )");
    std::vector<std::string> notes;
    offline::OfflineRun::build(testing::offlineScene(text), exec, &notes);
    ASSERT_EQ(notes.size(), narrow ? 1u : 0u);
    if (narrow) {
      EXPECT_NE(notes[0].find("solid \"box\": is 0.04 m wide, less than a cell of the grid (0.05 m)"), std::string::npos);
    }
  }
}

// A plug that the water pushes along: as its side passed over centres the volume jumped by a tenth.
TEST(Floating, BesideAMovingPlugIsTheSameVolume) {
  Exec exec(1);
  SceneDef scene = testing::offlineScene(
      testing::planeTank(box("[0.1, 1, 1.0]", 0.45, 0.5, 1000), "", R"([{"box": {"min": [0, -0.5, 0], "max": [0.4, 0.5, 0.6]}}])"));
  scene.solver.grid.cells = 10;
  const auto run = testing::started(scene, exec);
  for (int k = 0; k < 40; ++k) {
    run->step(0.01);
    EXPECT_NEAR(run->water().volume, 0.24, 0.005 * 0.24) << k;
  }
  EXPECT_GT(run->solids()[0].x.x, 0.6);
}

// Water poured from above into an empty tank: as much as flowed in from the first step on. It was a whole row of cells then, and
// twice as much at the end.
TEST(Floating, WaterFromAboveIsWhatFlowedIn) {
  Exec exec(1);
  for (const int cells : {10, 20}) {
    std::string text = testing::planeTank("[]", "", "[]");
    const std::string from = R"("kind": "water",)";
    text.replace(text.find(from), from.size(),
                 from + R"( "inflows": [{"side": "+z", "box": {"min": [0.3, -1, 1], "max": [0.7, 1, 1]}, "speed": 0.5}],)");
    const std::string shapes = R"(, "shapes": [])";
    text.replace(text.find(shapes), shapes.size(), "");
    SceneDef scene = testing::offlineScene(text);
    scene.solver.grid.cells = cells;
    const auto run = testing::started(scene, exec);
    for (int k = 1; k <= 100; ++k) {
      run->step(0.01);
      EXPECT_NEAR(run->water().expected, 0.002 * k, 1e-12);
      EXPECT_LT(run->volumeError(), 0.05) << cells << ' ' << k;
    }
    EXPECT_LT(run->volumeError(), 0.02) << cells;
  }
}

}  // namespace
}  // namespace meniscus
