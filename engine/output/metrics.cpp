#include "engine/output/metrics.h"

#include <algorithm>
#include <cmath>

namespace meniscus {
namespace {

// Particles that came or went by other ways than the equations of motion.
std::uint64_t moved(const World& w) { return w.emittedTotal + w.drainedTotal + w.escapedTotal + w.lostThroughWalls; }

// Can momentum leave through a solid in a way the world does not record?
bool closed(const World& w) {
  bool movingSolids = false;
  for (const Body& b : w.solid.bodies) movingSolids = movingSolids || b.rigid < 0;
  for (const RigidBody& r : w.solid.rigid) movingSolids = movingSolids || r.invMass > 0;
  return !movingSolids || (w.solid.pins.empty() && norm(w.scene.gravity) == 0);
}

}  // namespace

std::optional<double> quantile(std::vector<double> values, double q) {
  if (values.empty()) return std::nullopt;
  std::sort(values.begin(), values.end());
  const double at = q * double(values.size() - 1);
  const std::size_t low = std::size_t(at), high = std::min(low + 1, values.size() - 1);
  return values[low] + (at - double(low)) * (values[high] - values[low]);
}

RunMetrics::RunMetrics(const World& start)
    : energyStart(totalEnergy(start)),
      start_(totalMomentum(start)),
      staticImpulseStart_(start.impulseOnFluidFromStatic),
      exchangedStart_(start.impulseExchanged),
      timeStart_(start.time),
      movedStart_(moved(start)) {}

void RunMetrics::add(const World& world, double ms) {
  const StepReport& r = world.report;
  milliseconds.push_back(ms);
  if (r.pressureSolves > 0) pressureIterations.add(double(r.pressureIterations) / r.pressureSolves, r.pressureSolves);
  couplingIterations.add(r.couplingIterations);
  densityError.add(r.densityErrorMean);
  raise(densityError.max, r.densityErrorMax);
  divergenceError.add(r.divergenceError);
  overflow = overflow || r.overflow;
  if (!r.converged && ++unconvergedSteps == 1) firstReason = r.reason;
}

std::optional<double> RunMetrics::momentumError(const World& end) const {
  const double exchanged = end.impulseExchanged - exchangedStart_;
  if (moved(end) != movedStart_ || !closed(end) || !(exchanged > 0)) return std::nullopt;
  const Momentum now = totalMomentum(end);
  const Vec3d expected =
      start_.p + start_.mass * (end.time - timeStart_) * end.scene.gravity + (end.impulseOnFluidFromStatic - staticImpulseStart_);
  return norm(now.p - expected) / exchanged;
}

}  // namespace meniscus
