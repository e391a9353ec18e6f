// What a run adds up step by step for its summary.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/output/balance.h"
#include "engine/world/world.h"

namespace meniscus {

// The larger one; not-a-number stays once it has come.
inline void raise(double& max, double value) {
  if (max == max && !(value <= max)) max = value;
}

struct MeanMax {
  double sum = 0, max = 0, weight = 0;
  void add(double value, double w = 1) {
    sum += value * w;
    weight += w;
    raise(max, value);
  }
  std::optional<double> mean() const { return weight > 0 ? std::optional<double>(sum / weight) : std::nullopt; }
};

// Quantile q in 0..1 of the values by linear interpolation between order statistics; none for no values.
std::optional<double> quantile(std::vector<double> values, double q);

class RunMetrics {
 public:
  explicit RunMetrics(const World& start);  // the world before the first step

  void add(const World& world, double milliseconds);  // after every step

  // |momentum at the end - at the start - impulses of gravity and of static solids| over the impulse exchanged. None where not
  // every impulse is recorded: with emitters, drains or open sides that moved particles, with pins, with friction of deformable
  // solids on static ones, and in pressure mode kernel-diagonal; nor where nothing was exchanged.
  std::optional<double> momentumError(const World& end) const;

  std::vector<double> milliseconds;  // of every step
  MeanMax pressureIterations;        // Krylov iterations of a solve; the mean over all solves, the largest mean of a step
  MeanMax couplingIterations;        // of a step: the largest of its sub-steps
  MeanMax densityError;              // mean over steps of the mean over particles; the largest of any particle
  MeanMax divergenceError;
  std::uint64_t unconvergedSteps = 0;
  std::uint64_t substepsUndone = 0;
  std::string firstReason;  // why the first unconverged step was not converged
  bool overflow = false;    // an emitter found no room
  double energyStart = 0;   // J
  double volumeChange = 0;  // of the last step, see StepReport
  std::uint64_t leaked = 0;

  // Calls visit(member) for all that was added up, in a fixed order; M is RunMetrics or const RunMetrics.
  template <class M, class V>
  static void forEachMember(M& m, V& visit) {
    visit(m.milliseconds);
    for (auto* v : {&m.pressureIterations, &m.couplingIterations, &m.densityError, &m.divergenceError}) visit(*v);
    visit(m.unconvergedSteps);
    visit(m.substepsUndone);
    visit(m.firstReason);
    visit(m.overflow);
    visit(m.energyStart);
    visit(m.volumeChange);
    visit(m.leaked);
    visit(m.start_);
    visit(m.staticImpulseStart_);
    visit(m.exchangedStart_);
    visit(m.timeStart_);
    visit(m.movedStart_);
  }

 private:
  Momentum start_;
  Vec3d staticImpulseStart_{};
  double exchangedStart_ = 0, timeStart_ = 0;
  std::uint64_t movedStart_ = 0;
};

}  // namespace meniscus
