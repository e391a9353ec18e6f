#include "apps/viewer/state.h"

#include <algorithm>

namespace meniscus::viewer {

Sample sampleOf(const State& state) {
  const mnsStatistics& s = state.statistics;
  Sample sample;
  sample.time = s.time;
  sample.milliseconds = s.milliseconds;
  sample.pressureIterations = s.pressureIterations;
  sample.couplingIterations = s.couplingIterations;
  sample.substeps = s.substeps;
  sample.densityErrorMean = s.densityErrorMean;
  sample.densityErrorMax = s.densityErrorMax;
  sample.volumeChange = s.volumeChange;
  sample.maxSpeed = s.maxSpeed;
  sample.kineticEnergy = double(state.frame.kineticEnergy);
  sample.potentialEnergy = double(state.frame.potentialEnergy);
  sample.leaked = s.leaked;
  sample.particles = s.particles;
  sample.solidSolves = state.coupling.solidSolves;
  sample.couplingResidual = state.coupling.residual;
  sample.couplingTolerance = state.coupling.tolerance;
  sample.enclosedPressure = state.coupling.enclosedPressure;
  std::copy_n(state.stages.begin(), std::min(state.stages.size(), sample.stages.size()), sample.stages.begin());
  return sample;
}

}  // namespace meniscus::viewer
