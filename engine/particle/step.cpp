#include "engine/particle/step.h"

#include <cmath>

#include "engine/base/error.h"
#include "engine/particle/kernel_diagonal.h"
#include "engine/particle/openings.h"
#include "engine/particle/position_based.h"
#include "engine/particle/solver_impl.h"
#include "engine/particle/weakly_compressible.h"
#include "engine/solid/body_contact.h"
#include "engine/solid/obstacles.h"
#include "engine/solid/volume.h"

namespace meniscus {

// Algorithm 1 of the ISPH-PBD paper; the numbers are its lines.
void ParticleSolver::Impl::substep(World& w, double h) {
  clock.begin("openings");
  removeEscaped(w);
  applyOpenings(w, h, drop);
  clock.begin("sort");
  sorter.sort(exec, w.fluid, drop);
  drop.clear();
  clock.begin("predict solids");
  predictSolids(exec, w.solid, w.scene.gravity, w.time, h);  //  5-8: v* and predicted positions of the bodies
  findBodyContacts(w.solid, system.takesRigidRows() ? obstacles->pairs() : nullptr, w.scene.solver.contactDistance * w.dx);
  neighbours(w, h);    //  2: neighbours, boundary features
  predictFluid(w, h);  //  1-4: u* = u + dt (g + viscosity + surface tension)
  densityError(w, h, w.scene.solver.densityCorrection * system.densityShare());
  addStraightPaths(w, h);
  limitVolumeChange(w, h);
  applyGasPressure(w.solid, h);
  coupledPressure(w, h);  //  9-28: pressure solve and constraint projection until velocities match
  moveFluid(w, h);        // 29-30: u, x
  moveSolids(w, h);       // 31-32: v, p
  contacts(w);            // 16-24: non-penetration, on the positions of the end of the step
  measure(w, h);
  clock.end();
  w.time += h;
}

namespace {

// A coupling that ends with velocities a tenth apart has not been left unfinished, it has not come near a solution: a light or
// stiff body can then be anywhere. In half the time, what makes the problem non-linear is a quarter as large.
constexpr double kNoSolution = 0.1;
constexpr double kShortest = 1.0 / 64;  // of the step: below it, what comes is taken, and counted as unconverged

}  // namespace

// False where the sub-step found no solution and was undone. before: the world as it is now, or null.
bool ParticleSolver::Impl::trySubstep(World& w, double h, bool last, const StateCopy* before) {
  const bool undoable = !last && anythingMoves(w);
  if (undoable) {
    if (!before) attempt.take(w);
    reportBeforeSubstep = w.report;
    touchesBefore = w.solid.work.touches;
  }
  substep(w, h);
  if (!undoable || w.report.couplingResidual <= kNoSolution) return true;
  (before ? *before : attempt).restore(w);
  w.report = reportBeforeSubstep;
  w.solid.work.touches = touchesBefore;
  ++w.report.undone;
  return false;
}

bool ParticleSolver::step(World& w, double dt, bool (*stop)(), const StateCopy* before) {
  Impl& m = *impl_;
  m.gravity = Vec3f(w.scene.gravity);  // may have changed since the last step
  std::swap(m.reportBefore, w.report);
  w.report = StepReport{};
  m.onGiven.assign(w.solid.rigid.size(), {});
  w.solid.work.touches.clear();
  double remaining = dt, longest = dt;
  bool begun = false, asGiven = true;  // asGiven: no sub-step is done yet
  while (remaining > 1e-9 * dt) {
    if (begun && stop && stop()) {
      before->restore(w);
      std::swap(m.reportBefore, w.report);
      return false;
    }
    const double h = m.substepLength(w, remaining, longest);
    if (!begun && !before && stop && (h < remaining || m.anythingMoves(w))) {
      m.begun.take(w);
      before = &m.begun;
    }
    begun = true;
    // where the number of sub-steps is at its limit, no shorter one can be had
    const bool shortest = h <= kShortest * dt || h > longest * (1 + 1e-9);
    if (!m.trySubstep(w, h, shortest, asGiven ? before : nullptr)) {
      longest = 0.5 * h;
      continue;
    }
    asGiven = false;
    remaining -= h;
    ++w.report.substeps;
  }
  ++w.steps;
  return true;
}

std::unique_ptr<PressureSystem> makePressureSystem(PressureMode mode) {
  if (mode == PressureMode::kernelDiagonal) return std::make_unique<KernelDiagonalSystem>();
  if (mode == PressureMode::weaklyCompressible) return std::make_unique<WeaklyCompressibleSystem>();
  if (mode == PressureMode::positionBased) return std::make_unique<PositionBasedSystem>();
  return std::make_unique<PressureSystem>();
}

ParticleSolver::Impl::Impl(Exec& e, World& w, std::unique_ptr<PressureSystem> pressure)
    : exec(e),
      centre(Vec3f((w.scene.domain.max - w.scene.domain.min) * 0.5)),
      gravity(Vec3f(w.scene.gravity)),
      boundary(w, float(w.scene.solver.support * w.dx), float(w.scene.solver.contactDistance * w.dx)),
      pairBuilder(w.dx, w.scene.solver.support * w.dx),
      pressureMode(pressure ? std::move(pressure) : makePressureSystem(w.scene.solver.pressure)),
      system(*pressureMode) {
  auto all = std::make_unique<SceneObstacles>(w.scene.domain, w.solid);
  all->keepStartingGaps(w.solid, w.scene.solver.contactDistance * w.dx);
  obstacles = std::move(all);
  sorter.configure(w.scene.domain.max - w.scene.domain.min, float(w.scene.solver.support * w.dx));
  system.configure(w, pairBuilder);
}

ParticleSolver::ParticleSolver(Exec& exec, World& world) : impl_(std::make_unique<Impl>(exec, world)) {}
ParticleSolver::~ParticleSolver() = default;
const std::vector<GivenImpulse>& ParticleSolver::impulsesOnGiven() const { return impl_->onGiven; }
std::vector<std::pair<std::string, double>> ParticleSolver::stageSeconds() const { return impl_->clock.seconds; }
void ParticleSolver::resetStages() { impl_->clock.seconds.clear(); }
std::size_t ParticleSolver::bytes() const {
  const Impl& m = *impl_;
  return m.sorter.bytes() + m.boundary.bytes() + m.lists.bytes() + m.system.bytes() + m.viscosity.bytes() +
         m.surfaceTension.bytes() + m.regions.bytes() + m.begun.bytes() + m.attempt.bytes() + m.uStar.capacityBytes() +
         m.xOld.capacityBytes() + m.uNext.capacityBytes() + m.densityTerm.capacityBytes() + m.divergence.capacityBytes();
}

}  // namespace meniscus
