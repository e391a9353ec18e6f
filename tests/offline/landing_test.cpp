// Light sheets and plates that fall onto water: they land, float or sink by their weight, and all steps end.
#include <cmath>

#include "engine/offline/snapshot.h"
#include "engine/world/hash.h"
#include "tests/offline/scenes.h"
#include "tests/shared/temporary_folder.h"

namespace meniscus {
namespace {

using offline::OfflineRun;

// Over 0.2 m of water, in a tank of 1 x 0.5 x 1 m.
SceneDef over(int dimension, const std::string& solid, const std::string& method = "monolithic", const std::string& coupling = "") {
  return testing::offlineScene(R"({"meniscus": 1, "name": "landing", "duration": 1,
    "domain": {"min": [0, 0, 0], "max": [1, 0.5, 1]}, "solver": {"method": ")" +
                               method + R"(", "dt": 0.01, "grid": {"cells": 10)" + (dimension == 2 ? R"(, "dimension": 2)" : "") +
                               "}" + coupling + R"(},
    "fluids": [{"name": "water", "kind": "water", "density": 1000, "shapes": [{"box": {"min": [0, 0, 0], "max": [1, 0.5, 0.2]}}]}],
    "solids": [)" + solid + "]}");
}

std::string cloth(double arealDensity) {
  return R"({"name": "cloth", "kind": "cloth", "shape": {"sheet": {"size": [0.3, 0.3], "resolution": 0.05}},
    "position": [0.5, 0.25, 0.4], "material": {"youngs_modulus": 1e4, "thickness": 0.005, "areal_density": )" +
         std::to_string(arealDensity) + "}}";
}

std::string plate(double density, double z = 0.4) {
  return R"({"name": "plate", "kind": "rigid", "shape": {"box": {"size": [0.3, 0.3, 0.02]}}, "position": [0.5, 0.25, )" +
         std::to_string(z) + R"(], "material": {"density": )" + std::to_string(density) + "}}";
}

double height(const OfflineRun& run) {
  const offline::SolidFields s = run.solidFields();
  double sum = 0;
  for (const Vec3f& x : s.x) sum += x.z;
  return sum / double(s.x.size());
}

// Of 0.6 s, in which what falls freely would be 1.4 m under the water's surface. mostLost: particles that folds left no place for.
double after(const SceneDef& scene, double dt, std::uint64_t mostLost = 0, int mostUnconverged = 0) {
  Exec exec(2);
  const auto run = testing::started(scene, exec);
  int unconverged = 0;
  while (run->time() < 0.6) unconverged += !run->step(dt).coupling.converged();
  EXPECT_LE(unconverged, mostUnconverged);
  EXPECT_LT(run->momentumError(), 1e-12);
  EXPECT_LT(run->volumeError(), 0.01);
  EXPECT_LE(run->water().lost, mostLost);
  return height(*run);
}

TEST(Landing, ALightClothFloats) {
  for (const double dt : {0.01, 0.002}) EXPECT_NEAR(after(over(2, cloth(1)), dt, 3), 0.2, 0.06) << dt;
  EXPECT_NEAR(after(over(3, cloth(1)), 0.01, 15), 0.2, 0.06);
}

// Passes are thrown by a sheet of a hundredth of the mass of the water that it stops, and the steps end all the same.
TEST(Landing, ALightClothFloatsByPasses) {
  for (const char* method : {"xpm", "iqn-ils"})
    for (const double density : {0.5, 1.0}) {
      SCOPED_TRACE(::testing::Message() << method << " " << density);
      EXPECT_NEAR(after(over(2, cloth(density), method), 0.01, 3), 0.2, 0.06);
    }
}

// A cloth from wall to wall, held at its rim, that the water is shut in by: it cannot go down.
TEST(Landing, AClothShutsTheTank) {
  const auto lid = [](double z, double arealDensity) {
    return R"({"name": "lid", "kind": "cloth", "shape": {"sheet": {"size": [1.002, 0.502], "resolution": 0.05}}, "pins": [{"rim": true}],
      "position": [0.5, 0.25, )" +
           std::to_string(z) + R"(], "material": {"youngs_modulus": 1e4, "thickness": 0.005, "areal_density": )" +
           std::to_string(arealDensity) + "}}";
  };
  for (const char* method : {"xpm", "iqn-ils", "monolithic"})
    for (const double z : {0.2, 0.22})
      for (const double density : {1.0, 10.0}) {
        SCOPED_TRACE(::testing::Message() << method << " " << z << " " << density);
        Exec exec(2);
        const auto run = testing::started(over(2, lid(z, density), method), exec);
        while (run->time() < 0.25) EXPECT_TRUE(run->step(0.01).coupling.converged()) << run->time();
        EXPECT_NEAR(height(*run), 0.2, 0.012);
        EXPECT_LT(run->volumeError(), 0.005);
        EXPECT_LT(run->kineticEnergy(), 0.5);  // J; in the free fall of .02 m it had .2 of one of 1 kg/m^2
      }
}

TEST(Landing, AHeavyClothSinks) { EXPECT_LT(after(over(2, cloth(100)), 0.01, 6), 0.12); }

TEST(Landing, PlatesFloatAndSink) {
  for (const int dimension : {2, 3}) EXPECT_NEAR(after(over(dimension, plate(100)), 0.01), 0.2, 0.06) << dimension;
  EXPECT_LT(after(over(2, plate(5000)), 0.01), 0.12);
}

// Of a hundredth and a thousandth of the mass of the water that they stop: the water comes to them and leaves them within a step's
// passes, which is no slope to learn.
TEST(Landing, LightPlatesFloatByPasses) {
  for (const char* method : {"xpm", "iqn-ils"})
    for (const int dimension : {2, 3})
      for (const double density : {10.0, 100.0}) {
        SCOPED_TRACE(::testing::Message() << method << " " << dimension << " " << density);
        EXPECT_NEAR(after(over(dimension, plate(density), method), 0.01, 3), 0.2, 0.06);
      }
  // of .3 of its density: where the water feels a way of the body hardly at all, it does not begin metres away
  EXPECT_NEAR(after(over(2, plate(300), "xpm"), 0.002), 0.2, 0.06);
}

// Water between two plates has a pressure of its own, which is found within each of the solids' answers.
TEST(Landing, TwoPlatesAndABallEndByPasses) {
  const std::string ball = R"({"name": "ball", "kind": "rigid", "shape": {"sphere": {"radius": 0.1}}, "position": [0.2, 0.25, 0.35],
    "material": {"density": 50}})";
  std::string upper = plate(100, 0.5);
  upper.replace(upper.find("plate"), 5, "upper");
  for (const char* method : {"xpm", "iqn-ils"}) {
    SCOPED_TRACE(method);
    Exec exec(2);
    const auto run = testing::started(over(2, plate(100) + ", " + upper + ", " + ball, method), exec);
    int solves = 0;
    while (run->time() < 0.5) {
      const coupling::Report report = run->step(0.005).coupling;
      EXPECT_TRUE(report.converged()) << run->time();
      solves = std::max(solves, report.solidSolves);
    }
    EXPECT_LT(solves, 400);  // it went on for thousands in one step
  }
}

// The passes of two boxes and the one system come to the same, also in the step in which the plate meets the water.
TEST(Landing, ThePartsAndTheOneSystemAgree) {
  Exec exec(1);
  const std::string tight = R"(, "coupling": {"tolerance": 1e-6, "max_iterations": 60})";
  const auto parts = testing::started(over(2, plate(5000, 0.26), "xpm", tight), exec),
             one = testing::started(over(2, plate(5000, 0.26), "monolithic", tight), exec);
  for (int k = 0; k < 12; ++k) {
    EXPECT_TRUE(parts->step(0.01).coupling.converged()) << k;
    EXPECT_TRUE(one->step(0.01).coupling.converged()) << k;
    EXPECT_NEAR(height(*parts), height(*one), 1e-5) << k;
  }
  EXPECT_LT(height(*one), 0.21);
}

// With air between plate and water, which is a part of the state.
TEST(Landing, ASnapshotHasTheAir) {
  Exec one(1), two(2);
  const testing::TemporaryFolder folder;
  const SceneDef scene = over(2, cloth(1));
  const auto whole = testing::started(scene, one), resumed = testing::started(scene, two);
  while (height(*whole) > 0.235) whole->step(0.01);
  offline::saveSnapshot(*whole, folder / "s");
  offline::loadSnapshot(*resumed, folder / "s");
  for (int k = 0; k < 5; ++k) whole->step(0.01), resumed->step(0.01);
  EXPECT_EQ(hexHash(resumed->hash()), hexHash(whole->hash()));
}

}  // namespace
}  // namespace meniscus
