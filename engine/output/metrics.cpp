#include "engine/output/metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "engine/scene/capillary.h"

namespace meniscus {
namespace {

// Particles that came or went by other ways than the equations of motion.
std::uint64_t moved(const World& w) { return w.emittedTotal + w.drainedTotal + w.escapedTotal + w.lostThroughWalls; }

// Is every way recorded in which momentum can come in? Not recorded is what holds pinned nodes, nor the friction of deformable
// solids on static ones, nor what water and walls get from each other in the kernel-diagonal mode: differences of pressure push it,
// and no force on a wall answers them; nor what surface tension does to the mirrors that walls are for it.
bool recorded(const World& w) {
  if (w.fluid.n > 0 && w.scene.solver.pressure == PressureMode::kernelDiagonal) return false;
  const bool(&walls)[6] = w.scene.domain.walls;
  if (hasSurfaceTension(w.scene) && std::any_of(std::begin(walls), std::end(walls), [](bool wall) { return wall; })) return false;
  bool deformable = false, rough = w.scene.domain.friction > 0;
  for (const Body& b : w.solid.bodies) deformable = deformable || b.rigid < 0;
  for (const RigidBody& r : w.solid.rigid) rough = rough || (r.invMass == 0 && r.material.friction > 0);
  return !deformable || (w.solid.pins.empty() && !rough);
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
      staticImpulseStart_(start.impulseOnFluidFromStatic + start.impulseOnSolidsFromStatic),
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
  substepsUndone += std::uint64_t(r.undone);
  volumeChange = r.volumeChange;
  leaked = std::uint64_t(r.leaked);
  overflow = overflow || r.overflow;
  if (!r.converged && ++unconvergedSteps == 1)
    firstReason = fmt::format("step {}, t = {:.6g} s: {}", world.steps, world.time, r.reason);
}

std::optional<double> RunMetrics::momentumError(const World& end) const {
  const double exchanged = end.impulseExchanged - exchangedStart_;
  if (moved(end) != movedStart_ || !recorded(end) || !(exchanged > 0)) return std::nullopt;
  const Momentum now = totalMomentum(end);
  const Vec3d fromStatic = end.impulseOnFluidFromStatic + end.impulseOnSolidsFromStatic - staticImpulseStart_;
  const Vec3d expected = start_.p + start_.mass * (end.time - timeStart_) * end.scene.gravity + fromStatic;
  return norm(now.p - expected) / exchanged;
}

}  // namespace meniscus
