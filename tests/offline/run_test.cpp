// A scene of smoke on a grid steps as the engine's own cases do, and its measures are true.
#include "engine/coupling/cases/smoke_jet.h"
#include "engine/coupling/xpm/xpm.h"
#include "tests/offline/scenes.h"

namespace meniscus {
namespace {

using offline::OfflineRun;

// assets/scenes/grid-jet-2d.json says it is the bench's case with right forces and M = 1.
TEST(OfflineRun, TheJetIsTheOneOfTheBench) {
  Exec exec(1);
  const SceneDef scene = testing::assetScene("grid-jet-2d");
  const auto run = testing::started(scene, exec);
  coupling::SmokeJetOptions options;
  options.paper = false;
  coupling::SmokeJet jet(exec, options);
  coupling::XpmOptions xpm;
  xpm.stop.length = jet.dx();
  coupling::Xpm method(xpm);
  for (int k = 0; k < 20; ++k) {
    const double dt = jet.timeStep();
    ASSERT_NEAR(run->timeStep(), dt, 1e-12) << k;
    const auto theirs = method.advance(jet.fluid(), jet.solid(), dt);
    const offline::StepReport ours = run->step(dt);
    EXPECT_EQ(ours.coupling.fluidSolves, theirs.fluidSolves) << k;
  }
  const std::vector<double> x = jet.solid().motion().position;
  const offline::SolidFields fields = run->solidFields();
  ASSERT_EQ(2 * fields.x.size(), x.size());
  double moved = 0;
  for (std::size_t i = 0; i < fields.x.size(); ++i) {
    EXPECT_NEAR(fields.x[i].x, x[2 * i], 1e-6) << i;  // single precision
    EXPECT_NEAR(fields.x[i].z, x[2 * i + 1], 1e-6) << i;
    moved = std::max(moved, x[2 * i + 1] - 0.60775);
  }
  EXPECT_GT(moved, 0.01);
}

// Where nothing holds a cloth, it takes up what the faces give: all of it, however loose the tolerance.
TEST(OfflineRun, MomentumIsBalancedAtAnyTolerance) {
  Exec exec(2);
  for (const char* method : {"xpm", "iqn-ils", "partitioned", "monolithic"})
    for (const char* tolerance : {"0.05", "1e-3"}) {
      SceneDef scene = testing::offlineScene(testing::planeRoom(
          testing::planeCloth(""), std::string(R"(, "coupling": {"max_iterations": 60, "tolerance": )") + tolerance + "}"));
      scene.solver.method = method;
      const auto run = testing::started(scene, exec);
      for (int step = 0; step < 6; ++step) EXPECT_TRUE(run->step(0.02).coupling.converged()) << method << ' ' << step;
      EXPECT_GE(run->momentumError(), 0) << method;
      EXPECT_LT(run->momentumError(), 1e-12) << method << ' ' << tolerance;
    }
}

// So light a cloth that the answer to the fluid's own load would be far off: XPM ends on its model's, and what that leaves is given
// in the next step. Nothing is lost on the way.
TEST(OfflineRun, MomentumIsBalancedBesideAVeryLightSolid) {
  Exec exec(2);
  for (const char* tolerance : {"0.05", "1e-3"}) {
    const auto run =
        testing::started(testing::offlineScene(testing::planeRoom(
                             testing::planeCloth("", "0.01"), std::string(R"(, "coupling": {"tolerance": )") + tolerance + "}")),
                         exec);
    double most = 0;
    for (int step = 0; step < 20; ++step) {
      EXPECT_TRUE(run->step(0.02).coupling.converged()) << tolerance << ' ' << step;
      most = std::max(most, norm(run->owedMomentum()));
      EXPECT_LT(run->momentumError(), 1e-12) << tolerance << ' ' << step;
    }
    EXPECT_GT(most, 1e-7) << tolerance;
    EXPECT_LT(most, 0.2 * norm(run->solidMomentum())) << tolerance;
  }
}

// Nor in a step whose passes do not agree.
TEST(OfflineRun, MomentumIsBalancedInUnconvergedSteps) {
  Exec exec(2);
  const auto run = testing::started(testing::offlineScene(testing::planeRoom(
                                        testing::planeCloth(""), R"(, "coupling": {"max_iterations": 3, "tolerance": 1e-6})")),
                                    exec);
  double most = 0;
  for (int step = 0; step < 10; ++step) {
    EXPECT_FALSE(run->step(0.02).coupling.converged()) << step;
    most = std::max(most, norm(run->owedMomentum()));
    EXPECT_LT(run->momentumError(), 1e-12) << step;
  }
  EXPECT_GT(most, 1e-7);
}

TEST(OfflineRun, MomentumIsNotKnownWhereNodesAreHeld) {
  Exec exec(1);
  const auto run = testing::started(testing::offlineScene(testing::planeRoom(testing::planeCloth())), exec);
  run->step(0.02);
  EXPECT_LT(run->momentumError(), 0);
}

// What the fluid gives to solids that do not move is none of the others' momentum.
TEST(OfflineRun, MomentumIsBalancedBesideAStaticSolid) {
  Exec exec(1);
  const std::string both = testing::planeBall();
  const std::string solids = both.substr(0, both.size() - 1) + R"(, {"name": "sill", "kind": "static",
    "shape": {"box": {"size": [0.3, 1, 0.1]}}, "position": [0.52, 0, 0.4]}])";
  const auto run =
      testing::started(testing::offlineScene(testing::planeRoom(solids, R"(, "coupling": {"tolerance": 1e-5})")), exec);
  for (int k = 0; k < 6; ++k) EXPECT_TRUE(run->step(0.02).coupling.converged()) << k;
  EXPECT_GT(norm(run->solids()[0].v), 1e-3);
  EXPECT_GE(run->momentumError(), 0);
  EXPECT_LT(run->momentumError(), 1e-12);
}

// With the defaults every method takes the jet's steps.
TEST(OfflineRun, EveryMethodConvergesByDefault) {
  Exec exec(2);
  SceneDef scene = testing::assetScene("grid-jet-2d");
  for (const char* method : {"partitioned", "iqn-ils", "xpm", "monolithic"}) {
    scene.solver.method = method;
    const auto run = testing::started(scene, exec);
    for (int k = 0; k < 10; ++k) EXPECT_TRUE(run->step(run->timeStep()).coupling.converged()) << method << ' ' << k;
  }
}

// In still air a solid falls by its weight less what it displaces, and slower for the air it drags along. Half a disc's added mass
// is that of the air it displaces: a = (rho - 1) g / (rho + 1) in a wide room, upwards where it is lighter, by the methods of
// strong coupling. The cells that the disc closes are a tenth larger than it, which a light one feels.
TEST(OfflineRun, ABallFallsOrRisesInAir) {
  Exec exec(2);
  SceneDef scene = testing::offlineScene(testing::planeRoom(testing::planeBall(), R"(, "coupling": {"tolerance": 1e-4})"));
  scene.gravity = {0, 0, -1};
  scene.fluids[0].inflows.clear();
  scene.domain.min = {-0.48, -0.5, -0.4};
  scene.domain.max = {1.52, 0.5, 1.6};
  scene.solver.grid.cells = 100;
  for (bool& wall : scene.domain.walls) wall = false;
  for (const char* method : {"xpm", "monolithic"})
    for (const double density : {4.0, 0.25}) {
      scene.solver.method = method;
      scene.solids[0].material.density = density;
      const auto run = testing::started(scene, exec);
      const double dt = 0.01;
      for (int k = 0; k < 5; ++k) run->step(dt);
      EXPECT_NEAR(run->solids()[0].v.z / run->time(), (1 - density) / (1 + density), density > 1 ? 0.03 : 0.07)
          << method << ' ' << density;
      EXPECT_NEAR(run->solids()[0].v.x, 0, 1e-3);
    }
}

// Beside a wall a body is a body too, along every axis.
TEST(OfflineRun, ABodyBesideAWall) {
  Exec exec(1);
  SceneDef scene = testing::offlineScene(testing::planeRoom(testing::planeBall()));
  for (const Vec3d& place : {Vec3d{0.121, 0, 0.6}, Vec3d{0.879, 0, 0.6}, Vec3d{0.8, 0, 0.121}}) {
    scene.solids[0].transform.translate = place;
    const auto run = testing::started(scene, exec);
    EXPECT_TRUE(run->step(0.02).coupling.converged()) << place.x << ' ' << place.z;
    EXPECT_LT(norm(run->solids()[0].x - place), 0.01);
  }
}

TEST(OfflineRun, SmokeAloneNeedsNoSolid) {
  Exec exec(1);
  SceneDef scene = testing::offlineScene(testing::planeRoom("[]"));
  const auto run = testing::started(scene, exec);
  for (int k = 0; k < 5; ++k) EXPECT_EQ(run->step(0.05).coupling.stop, coupling::Stop::noInterface);
  // what flows in at 0.5 m/s through 0.2 m flows out above: the momentum of a jet that fills the room
  EXPECT_NEAR(run->fluidMomentum().z, 0.5 * 0.2 * 1.5, 1e-9);
  double smoke = 0;
  for (const float s : run->gridFields().smoke) smoke += s * 0.05 * 0.05;
  EXPECT_NEAR(smoke, 0.5 * 0.2 * 0.25, 0.2 * 0.5 * 0.2 * 0.25);
}

TEST(OfflineRun, TheBalloonGrowsByItsInflow) {
  Exec exec(2);
  const SceneDef scene = testing::assetScene("grid-balloon-2d");
  const auto run = testing::started(scene, exec);
  const double before = run->solids()[0].volume;
  for (int k = 0; k < 10; ++k) {
    const offline::StepReport step = run->step(0.02);
    EXPECT_TRUE(step.coupling.converged() && step.enclosedConverged) << k;
    ASSERT_EQ(step.p0.size(), 1u);
    EXPECT_GT(step.p0[0], 0);
  }
  EXPECT_NEAR(run->solids()[0].volume - before, 0.5 * 0.15 * 0.2, 0.02 * 0.5 * 0.15 * 0.2);
  EXPECT_LT(run->volumeError(), 0.01);
  // with the pressure that the monolithic step finds too
  SceneDef whole = scene;
  whole.solver.method = "monolithic";
  const auto one = testing::started(scene, exec), same = testing::started(whole, exec);
  const double p0 = one->step(0.02).p0.at(0);
  EXPECT_NEAR(same->step(0.02).p0.at(0), p0, 0.02 * p0);
  // and does not where its pressure is left out
  SceneDef limp = scene;
  limp.solver.coupling.p0Mode = EnclosedMode::off;
  const auto other = testing::started(limp, exec);
  for (int k = 0; k < 10; ++k) EXPECT_TRUE(other->step(0.02).p0.empty());
  EXPECT_LT(other->solids()[0].volume - before, 0.25 * 0.5 * 0.15 * 0.2);
}

TEST(OfflineRun, ASolidThatLeavesTheDomainEndsTheRun) {
  Exec exec(1);
  SceneDef scene = testing::offlineScene(testing::planeRoom(testing::planeBall()));
  scene.gravity = {0, 0, 50};  // there is no wall above
  scene.fluids[0].inflows.clear();
  const auto run = testing::started(scene, exec);
  try {
    for (int k = 0; k < 40; ++k) run->step(0.02);
    FAIL() << "it stays in the room";
  } catch (const Error& e) {
    EXPECT_EQ(e.kind, ErrorKind::simulation);
    EXPECT_NE(std::string(e.what()).find("solid \"ball\" leaves the domain through side +z"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace meniscus
