// What smoke and water take alike from a scene's solver.
#pragma once

#include "engine/coupling/smoke_fluid_box.h"
#include "engine/scene/scene.h"

namespace meniscus::offline {

template <class Options>
Options fluidOptions(const SolverDef& s) {
  Options o;
  o.load = s.coupling.load == CouplingLoad::impulse ? coupling::ShellLoad::impulse : coupling::ShellLoad::pressure;
  o.pressureScale = s.coupling.pressureScale;
  o.weights = s.coupling.weights == FaceWeights::dualCell ? WeightRule::dualCell : WeightRule::crossing;
  o.pressure = {s.grid.pressureTolerance, s.grid.pressureIterations};
  return o;
}

}  // namespace meniscus::offline
