// The same scene at another resolution.
#include "engine/scene/refine.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/scene/load.h"

namespace meniscus {
namespace {

SceneDef asset(const std::string& name) { return loadScene(MENISCUS_SOURCE_DIR "/assets/scenes/" + name + ".json"); }

// Everything with a length of its own is a third as long; a second scene loaded beside it is the reference.
TEST(Refine, DividesSpacingsCellsAndEdges) {
  const SceneDef balloon = asset("water-balloon"), jet = asset("grid-jet");
  SceneDef fine = balloon;
  refine(fine, 3);
  EXPECT_DOUBLE_EQ(fine.fluids[0].spacing, balloon.fluids[0].spacing / 3);
  EXPECT_DOUBLE_EQ(fine.solids[0].shape.resolution, balloon.solids[0].shape.resolution / 3);
  EXPECT_EQ(fine.solids[0].shape.radius, balloon.solids[0].shape.radius);
  EXPECT_EQ(fine.solver.dt, balloon.solver.dt);
  fine = jet;
  refine(fine, 6.25);
  EXPECT_EQ(fine.solver.grid.cells, 100);
  EXPECT_DOUBLE_EQ(fine.solids[0].shape.resolution, jet.solids[0].shape.resolution / 6.25);
  refine(fine, 1 / 6.25);  // and back
  EXPECT_EQ(fine.solver.grid.cells, jet.solver.grid.cells);
}

TEST(Refine, RefusesWhatLeavesNothing) {
  for (const double factor : {0., -1., 0.01, 1e9, double(INFINITY), double(NAN)}) {
    SceneDef jet = asset("grid-jet");
    EXPECT_THROW(refine(jet, factor), Error) << factor;
    EXPECT_EQ(jet.solver.grid.cells, asset("grid-jet").solver.grid.cells);
  }
}

// 16 cells, and a factor that rounds to 17 of them along x, of which the height takes no whole number.
TEST(Refine, CellsFillTheDomain) {
  SceneDef jet = asset("grid-jet");
  const SceneDef before = jet;
  try {
    refine(jet, 17. / 16 + 1e-4);
    FAIL() << "cells that stand out of the domain";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("grid-jet.json"), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("cells of"), std::string::npos) << e.what();
  }
  EXPECT_EQ(jet.solver.grid.cells, before.solver.grid.cells);
  EXPECT_EQ(jet.solids[0].shape.resolution, before.solids[0].shape.resolution);
  refine(jet, 1.25);  // 20 by 20 by 30
  EXPECT_EQ(jet.solver.grid.cells, 20);
}

}  // namespace
}  // namespace meniscus
