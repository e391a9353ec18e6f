#include "engine/particle/device/device_step.h"

#include <cmath>
#include <cstdio>

#include "engine/particle/substep_limit.h"
#include "kernels/contact/surface_contact.h"
#include "kernels/contact/wall_contact.h"
#include "kernels/fluid/damping.h"
#include "kernels/fluid/lattice.h"
#include "kernels/fluid/particle_moves.h"
#include "kernels/fluid/step_measures.h"
#include "kernels/fluid/straight_paths.h"

MNS_NS_BEGIN

namespace {

// Where the sums of a sub-step are in the buffer that the host reads at once.
enum Sum {
  speed2,
  outside,
  open,
  density,
  largest = density + 6,
  divergence,
  surface = divergence + 2,
  contact = surface + 4,
  corrected = contact + 4,
  viscous = corrected + 1,
  sums = viscous + 3
};

double length(const double (&v)[3]) { return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

void notConverged(DeviceStepReport& r, const char* reason) {
  r.converged = 0;
  std::snprintf(r.reason, sizeof r.reason, "%s", reason);
}

}  // namespace

struct DeviceFluid::Look {
  double speed;      // of the fluid [m/s]
  double bodySpeed;  // of any surface, as the program sees it
  Index outside, open;
};

DeviceFluid::DeviceFluid(Device& d, const DeviceFluidDef& def)
    : device_(d),
      dx_(def.spacing),
      V_(def.particleVolume),
      cfl_(def.cfl),
      beta_(def.densityCorrection),
      xsph_(def.xsph),
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

void DeviceFluid::resize(Index n) {
  const std::size_t rows = std::size_t(n);
  for (auto* b : {&uStar_, &uNext_, &xOld_}) b->resize(rows);
  for (auto* b : {&e_, &deficiency_, &densityTerm_, &divergence_}) b->resize(rows);
  if (!lists_.surfaces().free()) return;
  for (auto* b : {&shared_, &sharedContacts_}) b->resize(rows + 1);
  for (auto* b : {&sharedBefore_, &sharedContactsBefore_}) b->resize(rows + 1);
}

void DeviceFluid::upload(const DeviceParticles& p) {
  const std::size_t n = std::size_t(p.n);
  flow_.reserve(p.n);
  state_.resize(n);
  lists_.reserve(p.n);
  pressure_.reserve(p.n);
  viscosity_.reserve(p.n);
  resize(p.n);
  state_.x.now.upload(reinterpret_cast<const Vec4f*>(p.x), n);
  state_.u.now.upload(reinterpret_cast<const Vec4f*>(p.u), n);
  state_.p.now.upload(p.p, n);
  state_.id.now.upload(p.id, n);
  state_.kind.now.upload(p.kind, n);
  state_.leaked.now.upload(p.leaked, n);
  p.e ? e_.upload(p.e, n) : e_.fillZero();
  p.deficiency ? deficiency_.upload(p.deficiency, n) : deficiency_.fillZero();
  state_.n = p.n;
}

void DeviceFluid::download(const DeviceParticles& p) {
  const std::size_t n = std::size_t(state_.n);
  if (n == 0) return;
  const auto copy = [&](void* to, const void* from, std::size_t size, const char* name) {
    if (to) device_.toHost(to, from, n * size, name);
  };
  copy(p.x, state_.x.now.data(), sizeof(Vec4f), "positions");
  copy(p.u, state_.u.now.data(), sizeof(Vec4f), "velocities");
  copy(p.p, state_.p.now.data(), sizeof(float), "pressures");
  copy(p.id, state_.id.now.data(), sizeof(std::uint32_t), "ids");
  copy(p.kind, state_.kind.now.data(), 1, "kinds");
  copy(p.leaked, state_.leaked.now.data(), 1, "leaked");
  copy(p.e, e_.data(), sizeof(float), "density errors");
  copy(p.deficiency, deficiency_.data(), sizeof(float), "deficiencies");
}

DeviceFluid::Look DeviceFluid::look(double remaining) {
  const DomainWalls& walls = lists_.walls();
  CountOutside count{state_.x.now.data(), lists_.extent(), {}};
  for (int k = 0; k < DomainWalls::kSides; ++k) count.wall[k] = walls.number[k] >= 0;
  launchFold<1, MaxOf>(device_, "cfl", state_.n, LargestSpeed2{state_.u.now.data()}, StoreValues<1>{sums_.data() + speed2});
  launchFold<2>(device_, "outside", state_.n, count, StoreValues<2>{sums_.data() + outside});
  double now[3];
  device_.toHost(now, sums_.data(), sizeof now, "what a sub-step begins with");
  double bodySpeed = 0;
  if (bodies_) askProgram(bodies_->fastest(bodies_->user, remaining, &bodySpeed));
  return {std::sqrt(now[speed2]), bodySpeed, Index(now[outside]), Index(now[open])};
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

void DeviceFluid::measure(double h, DeviceStepReport& r) {
  const Index n = state_.n;
  launchFold<6>(device_, "measure: density", n, DensityErrors{e_.data(), deficiency_.data(), state_.leaked.now.data()},
                StoreValues<6>{sums_.data() + density});
  launchFold<1, MaxOf>(device_, "measure: largest error", n, LargestError{e_.data()}, StoreValues<1>{sums_.data() + largest});
  launchFold<4>(device_, "measure: forces", lists_.slots(),
                SurfaceForces{lists_.view().plane, pressure_.slotForce(), pressure_.bodySlots(), V_},
                StoreValues<4>{sums_.data() + surface});
  launchBlocks<3>(device_, "measure: bodies", lists_.surfaces().rigids(),
                  RigidForces{lists_.features(), pressure_.slotForce(), lists_.surfaces().view(), lists_.slots(), V_, kThreads},
                  StorePartials<3>{rigidForce_.data()});
  pressure_.packVelocity(state_.u.now.data());
  pressure_.divergence(1.f, nullptr, divergence_.data());
  launchFold<2>(device_, "measure: divergence", n, DivergenceSquare{divergence_.data(), deficiency_.data()},
                StoreValues<2>{sums_.data() + divergence});
  double s[sums];
  device_.toHost(s, sums_.data(), sizeof s, "outcome of a sub-step");
  surfaceShare_ = s[density + 4] / std::fmax(n, 1);
  volumeChange_ = s[density + 3] / std::fmax(n, 1);
  if (n > 0 && surfaceShare_ <= kMostSurface && !nodes())
    throw Error(ErrorKind::simulation,
                "the fluid fills a closed space, whose volume only the CPU's solver corrects; use --device cpu");
  const double full = std::fmax(s[density + 2], 1.0);
  r.densityErrorMean = std::fmax(r.densityErrorMean, s[density] / full);
  r.densitySigned = s[density + 1] / full;
  r.pairs = lists_.pairs();
  r.contacts += int(s[corrected]);
  r.volumeChange = volumeChange_;
  r.densityErrorMax = std::fmax(r.densityErrorMax, s[largest]);
  r.leaked = int(s[density + 5]);
  r.divergenceError = std::fmax(r.divergenceError, h * std::sqrt(s[divergence] / std::fmax(s[divergence + 1], 1.0)));
  double gained[3] = {0, 0, 0};
  for (int k = 0; k < 3 && viscosity_.wanted(); ++k) gained[k] = s[viscous + k] * V_ + bodyGain_[k];
  for (int k = 0; k < 3; ++k) r.impulseOnFluid[k] += s[contact + k] - s[surface + k] * h + gained[k];
  r.impulseExchanged += s[contact + 3] + s[surface + 3] * h + length(gained);
}

MNS_NS_END
