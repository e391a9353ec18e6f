#include "engine/particle/device/device_sums.h"

#include <cmath>
#include <cstdio>

#include "engine/particle/substep_limit.h"
#include "kernels/contact/surface_contact.h"
#include "kernels/contact/wall_contact.h"
#include "kernels/fluid/damping.h"
#include "kernels/fluid/lattice.h"
#include "kernels/fluid/morris_row.h"
#include "kernels/fluid/particle_moves.h"
#include "kernels/fluid/straight_paths.h"

MNS_NS_BEGIN

namespace {

void notConverged(DeviceStepReport& r, const char* reason) {
  r.converged = 0;
  std::snprintf(r.reason, sizeof r.reason, "%s", reason);
}

}  // namespace

DeviceFluid::DeviceFluid(Device& d, const DeviceFluidDef& def)
    : device_(d),
      dx_(def.spacing),
      V_(def.particleVolume),
      cfl_(def.cfl),
      beta_(def.densityCorrection * (def.kernelDiagonal ? kMorrisDensityShare : 1)),
      xsph_(def.xsph * (def.kernelDiagonal ? kMorrisDampingShare : 1)),
      friction_(def.wallFriction),
      extentLength_(length(def.extent)),
      gravityLength_(length(def.gravity)),
      gravity_{float(def.gravity[0]), float(def.gravity[1]), float(def.gravity[2])},
      maxSubsteps_(def.maxSubsteps),
      askedSubsteps_(def.askedSubsteps),
      kinds_(def.kinds),
      clampSeparation_(def.clampSeparation != 0),
      noSlip_(def.wallNoSlip != 0),
      S0_(latticeSums(def.spacing, def.support).S0),
      state_(d),
      flow_(d, def, state_),
      lists_(d, def),
      pressure_(d, def),
      viscosity_(d, def),
      uStar_(d, "predicted velocities"),
      uNext_(d, "velocities"),
      xOld_(d, "positions before"),
      e_(d, "density errors"),
      deficiency_(d, "deficiencies"),
      densityTerm_(d, "density term"),
      divergence_(d, "divergence"),
      kindDamping_(d, "damping"),
      sums_(d, "sums of a step"),
      rigids_(std::size_t(def.surfaces.rigids)),
      rigidForce_(d, "forces on bodies"),
      rigidForceRead_(3 * std::size_t(def.surfaces.rigids)),
      rigidRates_(6 * std::size_t(def.surfaces.rigids)),
      rigidHolds_(36 * std::size_t(def.surfaces.rigids)),
      regions_(d),
      constraints_(d),
      shared_(d, "shared contacts"),
      sharedContacts_(d, "shared contacts"),
      sharedBefore_(d, "shared contacts"),
      sharedContactsBefore_(d, "shared contacts"),
      sharedRow_(d, "shared contacts"),
      sharedContact_(d, "shared contacts") {
  rigidForce_.resize(rigidForceRead_.size());
  if (def.surfaces.deforming) {
    const std::size_t n = std::size_t(def.surfaces.nodes);
    for (auto* v : {&nodeStart_, &nodeEnd_, &nodeVelocity_}) v->resize(3 * n);
    nodeInverseMass_.resize(n);
    nodes_ = {nodeStart_.data(), nodeEnd_.data(), nodeVelocity_.data(), nodeInverseMass_.data()};
  }
  invS0_ = float(1.0 / S0_);
  kindDamping_.resize(std::size_t(kinds_));
  sums_.resize(sums);
  sums_.fillZero();
}

double DeviceFluid::substepLength(const Look& look, double remaining, DeviceStepReport& r) const {
  constexpr double kMostSpeed = 1e8;  // m/s
  if (!(look.speed <= kMostSpeed))
    throw Error(ErrorKind::simulation, "the simulation is no longer finite: a particle has no valid velocity");
  r.maxSpeed = std::fmax(r.maxSpeed, look.speed);
  const double fastest = std::fmax(look.speed, look.bodySpeed);
  const SubstepChoice c = chooseSubstep(remaining, std::fmin(remaining, longestByPath(fastest, gravityLength_, cfl_ * dx_)),
                                        askedSubsteps_, r.substeps, maxSubsteps_);
  if (c.needed <= c.left) return c.h;
  char cause[160];
  std::snprintf(cause, sizeof cause, "sub-step limit: the step needs %.0f sub-steps at %.3g m/s, max_substeps is %d",
                r.substeps + c.needed, fastest, r.substeps + c.left);
  if (fastest * c.h + 0.5 * gravityLength_ * c.h * c.h > extentLength_)
    throw Error(ErrorKind::simulation, std::string(cause) + ": in so few, something would cross the domain in one");
  if (r.converged) notConverged(r, (std::string(cause) + "; make dt smaller or max_substeps larger").c_str());
  return c.h;
}

// Particles come and go, and are put in order.
void DeviceFluid::sort(const Look& look, double h) {
  if (openings_) {
    device_.stage("openings");
    flow_.apply(*openings_, h);
  }
  device_.stage("sort");
  openings_ ? lists_.sort(state_, look.outside + flow_.taken(), flow_.drop()) : lists_.sort(state_, look.outside, nullptr);
}

// Algorithm 1 of the ISPH-PBD paper for fluid alone; the numbers are its lines.
void DeviceFluid::substep(const Look& look, double h, DeviceStepReport& r) {
  r.escaped += look.open;
  r.lostThroughWalls += look.outside - look.open;
  sort(look, h);
  if (bodies_) moveBodies(look.bodySpeed, h);  // 5-8: predicted positions of the bodies
  if (state_.n == 0 && !lists_.surfaces().free()) return;
  resize(state_.n);
  device_.stage("neighbours");
  lists_.build(state_);  // 2: neighbours, boundary features
  device_.stage("assemble");
  pressure_.assemble(lists_, state_);
  device_.stage("predict fluid");
  predict(h, r);  // 1-4: u* = u + dt (g + viscosity)
  densityError(h);
  device_.stage("solve pressure");
  coupledPressure(h, r);  // 9-28, without constraints
  device_.stage("move fluid");
  moveFluid(h);                                  // 29-30: u, x
  if (lists_.surfaces().free()) endCoupling(h);  // 31-32: v, p
  device_.stage("contacts");
  contacts();  // 16-24: non-penetration
  device_.stage("measure");
  measure(h, r);
}

void DeviceFluid::step(double dt, const DeviceBodies* bodies, const DeviceOpenings* openings, DeviceStepReport& report) {
  report = {};
  report.converged = 1;
  bodies_ = bodies;
  openings_ = flow_.wanted() ? openings : nullptr;
  device_.beginStep();
  for (double remaining = dt; remaining > 1e-9 * dt;) {
    device_.stage("sub-step length");
    const Look now = look(remaining);
    const double h = substepLength(now, remaining, report);
    substep(now, h, report);
    if (bodies_) finishBodies(h);
    remaining -= h;
    ++report.substeps;
  }
  device_.endStep();
}

// The fluid has not felt the gravity of this sub-step yet, so the bodies are taken without it too.
void DeviceFluid::viscosity(double h, DeviceStepReport& r) {
  const bool free = lists_.surfaces().free();
  if (free) setStartVelocities(h);
  const BodiesInViscosity bodies = free ? pressure_.viscousBodies() : BodiesInViscosity{};
  if (!viscosity_.step(lists_, state_, pressure_.densities().data(), h, free ? &bodies : nullptr, uNext_.data(),
                       sums_.data() + viscous))
    notConverged(r, "viscosity: iteration limit");
  if (!free) return;
  viscosity_.readChanges(nodeChange_, rigidChange_);
  askProgram(bodies_->viscous(bodies_->user, h, rigidChange_.data(), nodes() ? nodeChange_.data() : nullptr, bodyGain_));
}

void DeviceFluid::predict(double h, DeviceStepReport& r) {
  const Vec4f* from = state_.u.now.data();
  if (viscosity_.wanted()) {
    viscosity(h, r);
    from = uNext_.data();
  }
  launch(device_, "gravity", state_.n, AddGravity{from, uStar_.data(), Vec4f(gravity_ * float(h), 0.f)});
}

void DeviceFluid::densityError(double h) {
  launch(device_, "density error", state_.n,
         DensityTerm{lists_.density.data(), lists_.sumC.data(), invS0_, float(beta_ / (h * h)), e_.data(), deficiency_.data(),
                     densityTerm_.data()});
  // at the velocities of the start of the sub-step
  if (lists_.surfaces().free()) {
    askProgram(bodies_->beginCoupling(bodies_->user, h, rigidRates_.data(), nodes()));
    pressure_.setBodyVelocities(rigidRates_);
    if (nodes()) pressure_.joint().setVelocities(nodeVelocity_.data());
  }
  pressure_.packVelocity(state_.u.now.data());
  launch(device_, "straight paths", state_.n,
         StraightPaths{lists_.view(), state_.u.now.data(), pressure_.normalVelocity(), deficiency_.data(), lists_.sumC.data(),
                       lists_.kernel().invH, float(double(kMostError) / (h * h)), densityTerm_.data()});
  if (nodes()) closedRegions(h);
}

SolveScalars DeviceFluid::solve(double h, double tolerance, DeviceStepReport& r) {
  const SolveScalars s = pressure_.solve(uStar_.data(), densityTerm_.data(), h, tolerance, state_.p.now.data());
  r.pressureIterations += s.iterations;
  ++r.pressureSolves;
  return s;
}

void DeviceFluid::coupledPressure(double h, DeviceStepReport& r) {
  if (nodes()) return coupleNodes(h, r);
  if (lists_.surfaces().free()) return coupleBodies(h, r);
  float* const p = state_.p.now.data();
  if (!solve(h, pressure_.tolerance(), r).converged) notConverged(r, "pressure solve: iteration limit");
  if (clampSeparation_) launch(device_, "films", state_.n, ClampFilms{lists_.view().near, deficiency_.data(), p});
  pressure_.apply(p);
}

void DeviceFluid::moveFluid(double h) {
  launch(device_, "accelerate", state_.n, Accelerate{uStar_.data(), pressure_.acceleration(), float(h), state_.u.now.data()});
  if (xsph_ > 0) {
    const double eps = xsph_ * std::fmin(1.0, 10.0 * h / dx_) / S0_;
    launch(device_, "damping", kinds_, FillTable{float(5.0 * eps), kindDamping_.data()});
    uNext_.resize(std::size_t(state_.n));
    launch(
        device_, "xsph", state_.n,
        PairDamping{lists_.view(), state_.u.now.data(), uNext_.data(), kindDamping_.data(), state_.kind.now.data(), kinds_ == 1});
    state_.u.now.swap(uNext_);
  }
  launch(device_, "advect", state_.n, Advect{state_.x.now.data(), xOld_.data(), state_.u.now.data(), float(h)});
  if (pressure_.morris().wanted()) pressure_.morris().shift(h, state_.x.now.data());
}

void DeviceFluid::contacts() {
  if (lists_.surfaces().any()) {
    const bool free = lists_.surfaces().free();
    launchFold<5>(
        device_, "contacts", state_.n,
        SurfaceContact{lists_.surfaces().view(), V_, pressure_.densities().data(), state_.kind.now.data(),
                       lists_.surfaces().triangleDistance(), xOld_.data(), state_.x.now.data(), state_.u.now.data(),
                       state_.leaked.now.data(), free ? shared_.data() : nullptr, free ? sharedContacts_.data() : nullptr},
        StoreValues<5>{sums_.data() + contact});
    if (free) sharedContacts();
    return;
  }
  launchFold<4>(
      device_, "contacts", state_.n,
      WallContact{lists_.walls(), lists_.contact(), friction_, noSlip_, V_, pressure_.densities().data(), state_.kind.now.data(),
                  xOld_.data(), state_.x.now.data(), state_.u.now.data(), state_.leaked.now.data()},
      StoreValues<4>{sums_.data() + contact});
}

MNS_NS_END
