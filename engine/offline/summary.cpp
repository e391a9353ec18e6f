#include "engine/offline/summary.h"

#include <fmt/format.h>

#include <cmath>

#include "engine/output/csv_file.h"
#include "engine/output/summary_parts.h"
#include "engine/world/hash.h"

namespace meniscus::offline {
namespace {

std::optional<double> known(double v) { return v >= 0 ? std::optional<double>(v) : std::nullopt; }

double largest(const std::vector<double>& p0) {
  double most = 0;
  for (const double p : p0)
    if (std::abs(p) > std::abs(most)) most = p;
  return most;
}

}  // namespace

Summary summarize(const OfflineRun& run, const OfflineMetrics& m, const RunInfo& info) {
  SummaryJson j = beginSummary(run.scene(), run.steps(), run.time(), m.milliseconds, info);
  const bool stepped = !m.milliseconds.empty();
  const auto ofSteps = [&](const MeanMax& v) {
    return SummaryJson{{"mean", orNull(v.mean())}, {"max", stepped ? orNull(v.max) : SummaryJson(nullptr)}};
  };
  const SummaryJson none = nullptr;
  j["particles"] = none;
  j["solid_nodes"] = run.nodes();
  j["constraints"] = none;
  j["pressure_iterations"] = ofSteps(m.pressureIterations);
  j["coupling_iterations"] = ofSteps(m.couplingIterations);
  j["unconverged_steps"] = m.unconvergedSteps;
  j["unconverged_reason"] = m.unconvergedSteps > 0 ? SummaryJson(m.firstReason) : none;
  j["substeps_undone"] = none;
  j["density_error"] = {{"mean", none}, {"max", none}};
  j["divergence_error"] = none;
  j["volume_error"] = orNull(known(run.volumeError()));
  const WaterReport water = run.water();
  j["leaked_particles"] = none;
  j["lost_particles"] = water.isWater ? SummaryJson(water.lost) : none;
  j["momentum_error"] = orNull(known(run.momentumError()));
  j["energy"] = {{"start", orNull(m.energyStart)}, {"end", orNull(run.kineticEnergy())}};
  j["peak_memory_bytes"] = info.peakMemoryBytes;
  j["state_hash"] = hexHash(run.hash());
  SummaryValues values;
  flatten(j, "", values);
  for (const SolidReport& s : run.solids()) putSolid(s.name, s.x, s.v, values);
  return finishSummary(j, values, run.scene().expect);
}

std::string offlineCsvHeader(const OfflineRun& run) {
  std::string header =
      "step,time_s,dt_s,iterations,solid_solves,residual_m,tolerance_m,stop,pressure_iterations,fluid_px,fluid_py,fluid_pz,"
      "solid_px,solid_py,solid_pz,owed_px,owed_py,owed_pz,regions,p0_pa,volume_error_m3";
  for (const SolidReport& s : run.solids())
    if (s.fills) header += fmt::format(",volume_m3 {}", csvName(s.name));
  if (run.water().isWater) header += ",water_m3,water_error,lost_particles";
  return header + ",ms\n";
}

std::string offlineCsvLine(const OfflineRun& run, const StepReport& step, double milliseconds) {
  const coupling::Report& c = step.coupling;
  const Vec3d fluid = run.fluidMomentum(), solid = run.solidMomentum(), owed = run.owedMomentum();
  std::string line = fmt::format(
      "{},{:.9g},{:.9g},{},{},{:.6g},{:.6g},{},{},{:.9g},{:.9g},{:.9g},{:.9g},{:.9g},{:.9g},{:.9g},{:.9g},{:.9g},{},{:.9g},{:.6g}",
      step.number, step.end, step.dt, c.fluidSolves, c.solidSolves, c.passes.empty() ? 0 : c.passes.back().residual, c.tolerance,
      !c.converged()             ? coupling::nameOf(c.stop)  // the first of what is amiss, as the summary tells it
      : !step.contacts.converged ? "contacts off"
      : !step.enclosedConverged  ? "volume not kept"
      : c.heldFrom > 0           ? "faces kept"
                                 : coupling::nameOf(c.stop),
      step.pressureIterations, fluid.x, fluid.y, fluid.z, solid.x, solid.y, solid.z, owed.x, owed.y, owed.z, step.p0.size(),
      largest(step.p0), step.volumeError);
  for (const SolidReport& s : run.solids())
    if (s.fills) line += fmt::format(",{:.9g}", s.volume);
  if (const WaterReport w = run.water(); w.isWater)
    line += fmt::format(",{:.9g},{:.6g},{}", w.volume, w.expected > 0 ? w.volume / w.expected - 1 : 0, w.lost);
  return line + fmt::format(",{:.4g}\n", milliseconds);
}

}  // namespace meniscus::offline
