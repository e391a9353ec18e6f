#include "engine/offline/metrics.h"

#include <fmt/format.h>

namespace meniscus::offline {

void OfflineMetrics::add(const StepReport& step, double ms) {
  milliseconds.push_back(ms);
  couplingIterations.add(step.coupling.fluidSolves);
  pressureIterations.add(step.pressureIterations);
  if (step.converged()) return;
  if (unconvergedSteps++ > 0) return;
  firstReason = fmt::format(
      "step {}, t = {:.6g} s: {}", step.number, step.end,
      !step.coupling.converged() ? step.coupling.text()
      : !step.contacts.converged
          ? fmt::format("contacts of solids are {:.3g} m off after {} solves", step.contacts.error, step.contacts.iterations)
          : fmt::format("an enclosed region gained or lost {:.3g} m^3 beside its inflow", step.volumeError));
}

}  // namespace meniscus::offline
