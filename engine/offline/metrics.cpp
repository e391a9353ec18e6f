#include "engine/offline/metrics.h"

#include <fmt/format.h>

namespace meniscus::offline {

void OfflineMetrics::add(const StepReport& step, double ms) {
  milliseconds.push_back(ms);
  couplingIterations.add(step.coupling.fluidSolves);
  pressureIterations.add(step.pressureIterations);
  if (step.coupling.converged() && step.enclosedConverged) return;
  if (unconvergedSteps++ > 0) return;
  firstReason = fmt::format("step {}, t = {:.6g} s: {}", step.number, step.end,
                            step.coupling.converged()
                                ? fmt::format("an enclosed region gained or lost {:.3g} m^3 beside its inflow", step.volumeError)
                                : step.coupling.text());
}

}  // namespace meniscus::offline
