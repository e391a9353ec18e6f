// What a run of a grid method adds up step by step for its summary.
#pragma once

#include <string>
#include <vector>

#include "engine/offline/run.h"
#include "engine/output/metrics.h"

namespace meniscus::offline {

class OfflineMetrics {
 public:
  explicit OfflineMetrics(const OfflineRun& start) : energyStart(start.kineticEnergy()) {}

  void add(const StepReport& step, double milliseconds);  // after every step

  std::vector<double> milliseconds;  // of every step
  MeanMax couplingIterations;        // fluid solves of a step
  MeanMax pressureIterations;        // of a step's last fluid solve
  std::uint64_t unconvergedSteps = 0;
  std::string firstReason;  // why the first of them was not converged
  double energyStart = 0;   // J, kinetic

  // Calls visit(member) for all that was added up, in a fixed order.
  template <class M, class V>
  static void forEachMember(M& m, V& visit) {
    visit(m.milliseconds);
    visit(m.couplingIterations);
    visit(m.pressureIterations);
    visit(m.unconvergedSteps);
    visit(m.firstReason);
    visit(m.energyStart);
  }
};

}  // namespace meniscus::offline
