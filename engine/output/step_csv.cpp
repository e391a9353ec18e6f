#include "engine/output/step_csv.h"

#include <fmt/format.h>

namespace meniscus {
namespace {

constexpr const char* kHeader =
    "step,time_s,substeps,substeps_undone,pressure_iterations,pressure_solves,coupling_iterations,coupling_residual,converged,"
    "density_error_mean,"
    "density_error_max,density_signed,volume_change,divergence_error,max_speed_m_s,particles,contacts,leaked,emitted,drained,"
    "escaped,"
    "constraint_rows,ms\n";

}  // namespace

StepCsv::StepCsv(const std::string& path, std::uint64_t keepSteps) : file_(path, kHeader, keepSteps) {}

void StepCsv::add(const World& world, double milliseconds) {
  const StepReport& r = world.report;
  file_.add(fmt::format(
      "{},{:.9g},{},{},{},{},{},{:.4g},{:d},{:.6g},{:.6g},{:.6g},{:.6g},{:.6g},{:.6g},{},{},{},{},{},{},{},{:.4g}\n", world.steps,
      world.time, r.substeps, r.undone, r.pressureIterations, r.pressureSolves, r.couplingIterations, r.couplingResidual,
      r.converged, r.densityErrorMean, r.densityErrorMax, r.densitySigned, r.volumeChange, r.divergenceError, r.maxSpeed,
      world.fluid.n, r.contacts, r.leaked, r.emitted, r.drained, r.escaped, r.constraintRows, milliseconds));
}

}  // namespace meniscus
