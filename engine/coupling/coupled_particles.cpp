#include "engine/coupling/coupled_particles.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/coupling/body_coordinates.h"
#include "engine/coupling/given_bodies.h"
#include "engine/coupling/make_method.h"
#include "engine/coupling/timed_boxes.h"

namespace meniscus::coupling {
namespace {

struct Stopped {};

// What all fluid solves of a step take; and the place where a step can be given up.
struct WatchedFluid : TimedFluid {
  WatchedFluid(SphFluidBox& b, double& spent, bool (*s)()) : TimedFluid(b, spent), sph(b), stop(s) {}
  Load solve(const Motion& end, double dt) override {
    if (begun && stop && stop()) throw Stopped{};
    begun = true;
    last = TimedFluid::solve(end, dt);
    given = end.position;
    pressureIterations += sph.report().pressureIterations;
    pressureSolves += sph.report().pressureSolves;
    return last;
  }

  SphFluidBox& sph;
  Load last;                  // of the last solve
  std::vector<double> given;  // positions that it was given
  bool (*stop)();
  bool begun = false;
  int pressureIterations = 0, pressureSolves = 0;
};

std::unique_ptr<Coupling> makeMethod(const World& w) {
  for (const Body& b : w.solid.bodies)
    if (b.rigid < 0)
      throw Error(ErrorKind::input, fmt::format("solid \"{}\" is not rigid: the method \"{}\" couples particles with rigid bodies "
                                                "only; remove it, or give the method isph-pbd",
                                                b.name, w.scene.solver.method));
  const std::string& name = w.scene.solver.method;
  if (std::unique_ptr<Coupling> made = makeSolvesMethod(name, w.scene.solver.coupling, w.dx, false)) return made;
  throw Error(ErrorKind::input, fmt::format("the method \"{}\" does not couple particles with rigid bodies as black boxes; give "
                                            "partitioned, iqn-ils or xpm, or isph-pbd for one system of both",
                                            name));
}

}  // namespace

CoupledParticles::CoupledParticles(Exec& exec, World& world, ParticleSolver& solver)
    : world_(world), fluid_(world, solver), solids_(exec, world), method_(makeMethod(world)) {}

// Contacts of the bodies, as the particle engine counts them; what the fluid's walls gave, its box has counted.
void CoupledParticles::balance() {
  for (const Vec3d& j : solids_.contactImpulses()) {
    world_.impulseOnSolidsFromStatic += j;
    world_.impulseExchanged += norm(j);
  }
}

// The load that ends XPM's passes is the model's: as near to the water's as the tolerance asks, and no nearer. Its answer is where
// the two agree; but what the water gave away the bodies must have, so they take that. Methods whose passes end on the water's own
// load are left as they are.
std::vector<double> CoupledParticles::takeOwnLoad(SolidBox& solid, const Load& own, double dt) {
  if (solids_.lastLoad() == own.value) return solids_.lastPosition();
  solid.restore();
  return solid.solve(own, dt).position;
}

void CoupledParticles::report(const Report& coupling, double jump, double dt, int iterations, int solves) {
  StepReport& r = world_.report;
  r = fluid_.report();
  r.pressureIterations = iterations;
  r.pressureSolves = solves;
  r.couplingIterations = coupling.fluidSolves;
  if (!coupling.passes.empty()) {
    const std::vector<double> velocity = solids_.motion().velocity;
    const double count = double(velocity.size()) / 3;  // a linear and an angular one a body
    double size = 0;
    for (const double v : velocity) size += v * v;
    const double fall2 = 2 * std::max(norm(world_.scene.gravity), 1e-3) * world_.dx;
    r.couplingResidual = jump / dt / std::sqrt(count * std::max(size / count, fall2));
  }
  if (coupling.converged() || !r.converged) return;
  r.converged = false;
  r.reason = "coupling: " + coupling.text();
}

void CoupledParticles::checkInside(const Report& coupling) const {
  const DomainDef& domain = world_.scene.domain;
  for (const RigidBody& b : world_.solid.rigid)
    for (int k = 0; k < 3 && b.invMass > 0; ++k) {
      const bool below = b.x[k] < domain.min[k];
      if ((!below && !(b.x[k] > domain.max[k])) || !domain.walls[2 * k + (below ? 0 : 1)]) continue;
      throw Error(
          ErrorKind::simulation,
          fmt::format("{}solid \"{}\" leaves the domain through side {}{}, a wall that did not hold it; the method isph-pbd "
                      "solves both as one system",
                      coupling.converged() ? "" : "fluid and solids did not agree (" + coupling.text() + "), and then ", b.name,
                      below ? "-" : "+", "xyz"[k]));
    }
}

bool CoupledParticles::step(double dt, bool (*stop)()) {
  const Stopwatch watch(stepSeconds_);
  WatchedFluid fluid(fluid_, fluidSeconds_, stop);
  TimedSolid solid(solids_, solidSeconds_);
  const StepReport before = world_.report;
  method_->reset();  // a step hangs on the world alone, which is all that a snapshot has
  Report coupling;
  try {
    coupling = method_->advance(fluid, solid, dt);
  } catch (const Stopped&) {
    fluid.restore();
    solid.restore();
    world_.report = before;
    return false;
  }
  const Stop why = coupling.stop;
  if (!coupling.converged() && why != Stop::maxIterations)
    throw Error(ErrorKind::simulation, coupling.text() + "; a smaller \"w0\" or \"relaxation\" may help");
  const std::vector<double> end = takeOwnLoad(solid, fluid.last, dt);
  double jump2 = 0;
  for (std::size_t i = 0; i < end.size(); ++i) jump2 += (end[i] - fluid.given[i]) * (end[i] - fluid.given[i]);
  balance();
  checkInside(coupling);
  report(coupling, std::sqrt(jump2), dt, fluid.pressureIterations, fluid.pressureSolves);
  return true;
}

std::vector<std::pair<std::string, double>> CoupledParticles::stageSeconds() const {
  return {{"rigid bodies", solidSeconds_}, {"coupling", stepSeconds_ - fluidSeconds_ - solidSeconds_}};
}

void CoupledParticles::resetStages() { stepSeconds_ = fluidSeconds_ = solidSeconds_ = 0; }

}  // namespace meniscus::coupling
