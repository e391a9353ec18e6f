// Solids of grid scenes touch one another and the walls, in every method, with the same bits.
#include "tests/offline/scenes.h"

namespace meniscus {
namespace {

using offline::OfflineRun;

// Two discs over one another, the heavier on top, that fall on the floor of a room of air.
SceneDef fallingDiscs(const char* method, const char* tolerance = "1e-3") {
  const auto disc = [](const char* name, double x, double z, double density) {
    return std::string(R"({"name": ")") + name + R"(", "kind": "rigid", "shape": {"sphere": {"radius": 0.12}}, "position": [)" +
           std::to_string(x) + ", 0, " + std::to_string(z) +
           R"(], "velocity": [0, 0, -0.5], "material": {"friction": 0.3, "density": )" + std::to_string(density) + "}}";
  };
  SceneDef scene = testing::offlineScene(
      testing::planeRoom("[" + disc("low", 0.5, 0.15, 4) + ", " + disc("high", 0.51, 0.42, 8) + "]",
                         std::string(R"(, "coupling": {"max_iterations": 60, "tolerance": )") + tolerance + "}"));
  scene.gravity = {0, 0, -1};
  scene.fluids[0].inflows.clear();
  scene.solver.method = method;
  return scene;
}

TEST(OfflineContact, DiscsComeToRestOnTheFloorAndOnOneAnother) {
  Exec exec(2);
  const auto run = testing::started(fallingDiscs("xpm"), exec);
  int touching = 0;
  for (int k = 0; k < 40; ++k) {
    const offline::StepReport step = run->step(0.02);
    EXPECT_TRUE(step.converged()) << k << ' ' << step.coupling.text() << ' ' << step.contacts.error;
    touching += step.contacts.contacts > 0;
    double lowest = 1, between = 1;
    const offline::SolidFields f = run->solidFields();
    for (std::size_t i = 0; i < f.x.size(); ++i) {
      lowest = std::min(lowest, double(f.x[i].z));
      if (f.body[i] == 1) between = std::min(between, norm(Vec3d(f.x[i]) - run->solids()[0].x));
    }
    EXPECT_GT(lowest, 0.04 * 0.05) << k;
    EXPECT_GT(between, 0.115) << k;  // the chord of an edge is nearer to the middle than its ends
  }
  EXPECT_GT(touching, 20);
  EXPECT_LT(run->solids()[0].x.z, 0.13);
  // the floor's impulses are counted among what the solids took up
  EXPECT_GE(run->momentumError(), 0);
  EXPECT_LT(run->momentumError(), 1e-3);
}

// With contacts, too, the two ways lead to one end.
TEST(OfflineContact, XpmEndsWhereTheMonolithicStepDoes) {
  Exec exec(2);
  const auto one = testing::started(fallingDiscs("xpm", "1e-5"), exec),
             two = testing::started(fallingDiscs("monolithic", "1e-5"), exec);
  int touching = 0;
  for (int k = 0; k < 12; ++k) {
    const offline::StepReport a = one->step(0.02), b = two->step(0.02);
    EXPECT_TRUE(a.converged()) << k << ' ' << a.coupling.text();
    EXPECT_TRUE(b.converged()) << k << ' ' << b.coupling.text();
    touching += b.contacts.contacts > 0;
    for (std::size_t i = 0; i < 2; ++i) EXPECT_LT(norm(one->solids()[i].x - two->solids()[i].x), 2e-3 * 0.05) << k << ' ' << i;
  }
  EXPECT_GT(touching, 3);
}

TEST(OfflineContact, ThreadsAndAResumedStateGiveTheSameBits) {
  Exec exec(1), more(2);
  const SceneDef scene = fallingDiscs("xpm");
  const auto one = testing::started(scene, exec), two = testing::started(scene, more);
  OfflineRun::State kept;
  for (int k = 0; k < 14; ++k) {
    if (k == 8) kept = one->state();
    const offline::StepReport a = one->step(0.02);
    two->step(0.02);
    if (k == 8) { EXPECT_GT(a.contacts.contacts, 0); }
  }
  EXPECT_EQ(one->hash(), two->hash());
  const auto resumed = testing::started(scene, exec);
  resumed->setState(kept);
  for (int k = 8; k < 14; ++k) resumed->step(0.02);
  EXPECT_EQ(one->hash(), resumed->hash());
}

// The boat carries both balls, and the end with the heavy one is the lower.
TEST(OfflineContact, ABoatCarriesTwoBalls) {
  Exec exec(2);
  for (const char* method : {"xpm", "monolithic"}) {
    SceneDef scene = testing::assetScene("grid-boat");
    scene.solver.method = method;
    const auto run = testing::started(scene, exec);
    int touching = 0;
    for (int k = 0; k < 15; ++k) {
      const offline::StepReport step = run->step(0.01);
      EXPECT_TRUE(step.converged()) << method << ' ' << k << ' ' << step.coupling.text();
      touching += step.contacts.contacts > 0;
    }
    const std::vector<offline::SolidReport> all = run->solids();
    EXPECT_GT(touching, 3) << method;
    for (std::size_t ball : {1, 2}) EXPECT_GT(all[ball].x.z - all[0].x.z, 0.05) << method;  // above its bottom
    EXPECT_LT(all[2].x.z, all[1].x.z) << method;
    EXPECT_GE(run->momentumError(), 0) << method;
    EXPECT_LT(run->momentumError(), 1e-2) << method;
  }
}

}  // namespace
}  // namespace meniscus
