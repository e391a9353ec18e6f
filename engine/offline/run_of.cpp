#include "engine/offline/run_of.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/base/stop.h"
#include "engine/coupling/owed_impulse.h"
#include "engine/coupling/timed_boxes.h"
#include "engine/offline/covered_inflows.h"
#include "engine/offline/given_motion.h"
#include "engine/offline/grid_axes.h"
#include "engine/offline/make_method.h"
#include "engine/offline/scene_contacts.h"
#include "engine/offline/scene_smoke.h"
#include "engine/offline/scene_times.h"
#include "engine/scene/diagnostic.h"
#include "engine/scene/schedule.h"

namespace meniscus::offline {
namespace {

template <int D>
std::unique_ptr<ImplicitSolidsBox> solidsBox(const std::vector<SceneSolid<D>>& solids) {
  std::vector<std::shared_ptr<implicit::ImplicitSolid>> all;
  for (const SceneSolid<D>& s : solids) all.push_back(s.solid());
  // a box of none still has an interface, of no nodes
  if (all.empty())
    all.push_back(std::make_shared<implicit::RigidBodies<D>>(std::vector<implicit::RigidBodyDef>{}, Eigen::Vector3d::Zero()));
  return std::make_unique<ImplicitSolidsBox>(all);
}

}  // namespace

// What may bring the passes of the scene's method to agree.
std::string moreAgreement(const SceneDef& scene) {
  const std::string& method = scene.solver.method;
  if (method == "xpm" || method == "iqn-ils") return "a smaller --dt or \"w0\", or the method monolithic, may help";
  if (method == "partitioned") return "a smaller --dt or \"relaxation\", or the method xpm or monolithic, may help";
  if (method == "staggered") return "one pass a step is not stable beside so light a solid: take the method xpm or monolithic";
  return "a smaller --dt may help";
}

std::unique_ptr<OfflineRun> OfflineRun::build(const SceneDef& scene, Exec& exec, std::vector<std::string>* notes) {
  if (scene.solver.grid.dimension == 2) return std::make_unique<RunOf<2>>(scene, exec, notes);
  return std::make_unique<RunOf<3>>(scene, exec, notes);
}

template <int D>
RunOf<D>::RunOf(const SceneDef& scene, Exec& exec, std::vector<std::string>* notes)
    : scene_(scene), domain_(sceneDomain<D>(scene)) {
  const double dx = domain_.grid.dx;
  for (InflowDef& i : scene_.fluids[0].inflows) mergeSpans(i.schedule);
  for (const Inflow<D>& i : domain_.inflow) inflow_.push_back(i.velocity);
  tellInflows(scene.solver.dt);
  solids_ = sceneSolids<D>(scene, dx, notes);
  box_ = solidsBox(solids_);
  start_ = box_->motion().position;
  if (!solids_.empty()) box_->setContacts(sceneContacts<D>(scene, solids_, start_, dx));
  for (const SceneSolid<D>& s : solids_) {
    for (std::array<Index, D> e : s.elements) {
      for (Index& i : e) i += mesh_.nodes;
      mesh_.elements.push_back(e);
    }
    mesh_.nodes += Index(s.start.size());
  }
  checkCovered<D>(scene_, domain_, solidsOverInflows<D>(domain_, mesh_, start_, solids_), solids_, notes);
  tellInflows(scene.solver.dt);
  buildFluid(exec);
  const CouplingDef& c = scene.solver.coupling;
  if (c.p0Mode == EnclosedMode::solved) {
    EnclosedPressureOptions o;
    o.volumeTolerance = c.p0Tolerance * std::pow(dx, D);
    enclosed_ = std::make_unique<EnclosedPressure>(
        *box_, [this] { return regions(); }, o);
  }
  const coupling::HasConstant hasConstant = [this](const Eigen::VectorXd& area) {
    const EnclosedRegion region{{area.data(), area.data() + area.size()}, 0};
    return hasPressure(sidesOf(region, box_->motion().position, box_->begin(), D), solids_);
  };
  fluid_->setConstants(hasConstant);
  method_ = makeMethod<D>(exec, scene.solver.method, c, dx, hasConstant);
  owed_.assign(start_.size(), 0);
  fills_ = fullOfFluid();
  for (std::size_t b = 0; b < solids_.size(); ++b) expectedVolume_.push_back(fills_[b] ? volumeOf(b) : 0);
  openedError_.assign(solids_.size(), 0);
}

// The inflows as they are in a step of dt [s] from now, where solids lie over them walls; true where that is not as they were.
template <int D>
bool RunOf<D>::tellInflows(double dt) {
  std::vector<double> now = inflowsAt<D>(domain_, inflow_, scene_.fluids[0].inflows, time_, dt);
  if (box_ && !now.empty()) {
    const std::vector<int> over = solidsOverInflows<D>(domain_, mesh_, box_->motion().position, solids_);
    for (std::size_t k = 0; k < now.size(); ++k)
      if (over[k] >= 0) now[k] = 0;
  }
  bool changed = false;
  for (std::size_t k = 0; k < now.size(); ++k) {
    changed = changed || domain_.inflow[k].velocity != now[k];
    domain_.inflow[k].velocity = now[k];
  }
  if (fluid_) fluid_->setInflows(now);
  return changed;
}

// Contacts know which nodes are held.
template <int D>
void RunOf<D>::tellPins(double t) {
  bool changed = false;
  for (SceneSolid<D>& s : solids_) changed = holdPins<D>(s, t) || changed;
  if (changed) box_->setContacts(sceneContacts<D>(scene_, solids_, start_, domain_.grid.dx));
}

template <int D>
bool RunOf<D>::anyHeld() const {
  for (const SceneSolid<D>& s : solids_)
    if (!s.isGiven() && std::count(s.held.begin(), s.held.end(), 0) < std::ptrdiff_t(s.held.size())) return true;
  return false;
}

template <int D>
void RunOf<D>::buildFluid(Exec& exec) {
  fluid_ = sceneFluid<D>(scene_, exec, domain_, mesh_, solids_, box_->motion());
  checkSources();
  checkPlugs();
  if (scene_.fluids[0].start == FlowStart::potential) fluid_->startFromPotentialFlow();
}

template <int D>
double RunOf<D>::timeStep() const {
  double speed = std::max(scene_.solver.grid.startSpeed, fluid_->largestSpeed());
  for (const SceneSolid<D>& s : solids_) speed = std::max(speed, givenSpeed(s, time_, time_ + scene_.solver.dt));
  const std::vector<double> inflows = inflowsAt<D>(domain_, inflow_, scene_.fluids[0].inflows, time_, scene_.solver.dt);
  for (std::size_t k = 0; k < inflows.size(); ++k)
    if (inflows[k] != 0) speed = std::max(speed, std::abs(inflow_[k]));
  const double most = scene_.solver.grid.cfl * domain_.grid.dx;
  return speed * scene_.solver.dt > most ? most / speed : scene_.solver.dt;
}

// What the solids took up of momentum in the step, less what is known to have pushed them: the fluid, of which a part may be owed
// still, and what was owed before; contacts, enclosed pressures and gravity.
template <int D>
void RunOf<D>::balance(const Vec3d& before, double dt) {
  if (anyHeld()) return;
  std::vector<double> impulse(std::size_t(mesh_.nodes) * D, 0);
  if (box_->contacts()) std::copy_n(box_->contacts()->impulse().data(), impulse.size(), impulse.begin());
  applyTransposed<D>(fluid_->weights(), fluid_->faces(), fluid_->faceImpulses(), impulse);
  for (std::size_t i = 0; i < fluid_->gapImpulses().size(); ++i) {
    impulse[i] += fluid_->gapImpulses()[i];
    exchanged_ += std::abs(fluid_->gapImpulses()[i]);
  }
  for (const double f : fluid_->faceImpulses()) exchanged_ += std::abs(f);
  if (enclosed_) {
    const std::vector<EnclosedRegion> all = regions();
    const std::vector<double>& p0 = enclosed_->pressure();
    for (std::size_t r = 0; r < std::min(all.size(), p0.size()); ++r)
      for (std::size_t i = 0; i < all[r].area.size(); ++i) impulse[i] += dt * p0[r] * all[r].area[i];
  }
  Vec3d known = sumAtMoving(impulse);
  for (const SceneSolid<D>& s : solids_) known += s.gravity * (s.mass * dt);
  unbalanced_ += solidMomentum() + owedMomentum() - before - known;
}

// Of each coordinate of the nodes, 1 where the next step is to give what this one left. As they were published XPM keeps momentum
// to its tolerance, and forces do not keep it.
template <int D>
std::vector<char> RunOf<D>::owedCoordinates() const {
  const CouplingDef& c = scene_.solver.coupling;
  const bool any = c.load == CouplingLoad::impulse && c.residual == CouplingResidual::interface;
  std::vector<char> owed;
  for (const SceneSolid<D>& s : solids_) {
    const bool free = std::count(s.held.begin(), s.held.end(), 0) == std::ptrdiff_t(s.held.size());
    owed.insert(owed.end(), s.held.size() * D, any && free && !s.isGiven());
  }
  return owed;
}

template <int D>
Report RunOf<D>::advance(double dt) {
  Stopwatch watch(stepSeconds_);
  TimedFluid fluid(fluid_->box(), fluidSeconds_);
  TimedSolid solid(enclosed_ ? static_cast<SolidBox&>(*enclosed_) : *box_, solidSeconds_);
  // it gives no loads from which one could be missing
  if (scene_.solver.method == "monolithic") return method_->advance(fluid, solid, dt);
  OwingFluid owing(fluid, owed_);
  OwedSolid owed(solid);
  const Report report = method_->advance(owing, owed, dt);
  if (report.converged() || report.stop == Stop::maxIterations) settle(owing, owed, owedCoordinates(), owed_);
  return report;
}

// Why there is no answer, and what may help.
template <int D>
std::string RunOf<D>::whyNot(const Report& report) const {
  if (report.stop == Stop::solidNotFinite && box_->failed() >= 0)
    return fmt::format(
        "solid \"{}\" has no position under the fluid's impulses ({}); a smaller --dt, smaller cells where it is "
        "thin, or a stiffer material may help",
        solids_[std::size_t(box_->failed())].name, report.text());
  if (report.stop == Stop::fluidNotFinite)
    return fmt::format(
        "the pressure of the fluid was not found ({}); a smaller --dt, or a larger \"pressure_iterations\" of the "
        "grid may help",
        report.text());
  return fmt::format("fluid and solids did not agree ({}); {}", report.text(), moreAgreement(scene_));
}

template <int D>
StepReport RunOf<D>::step(double dt) {
  StepReport report;
  report.dt = dt;
  report.number = steps_ + 1;
  report.end = time_ + dt;
  std::vector<double> inflows;
  for (const Inflow<D>& i : domain_.inflow) inflows.push_back(i.velocity);
  const bool changed = tellInflows(dt);
  tellPins(time_);
  // a tank with air over its water can have filled meanwhile
  if (changed || (scene_.fluids[0].kind == FluidKind::water && !domain_.inflow.empty()))
    if (const std::string amiss = sourcesAmiss(); !amiss.empty())
      throw Error(ErrorKind::simulation, fmt::format("step {}, t = {:.6g} s: {}", report.number, report.end, amiss));
  for (SceneSolid<D>& s : solids_) giveMotion(s, time_, dt);
  if (std::any_of(solids_.begin(), solids_.end(), [](const auto& s) { return s.kind == SolidKind::kinematic; }))
    if (const std::string amiss = squeezeAmiss(dt); !amiss.empty())
      throw Error(ErrorKind::simulation, fmt::format("step {}, t = {:.6g} s: {}", report.number, report.end, amiss));
  const Vec3d before = solidMomentum() + owedMomentum();
  const std::vector<double> carried = method_->carried(), owed = owed_;
  try {
    report.coupling = advance(dt);
    stopIfAsked();
  } catch (const Stopped&) {
    fluid_->box().restore();
    enclosed_ ? enclosed_->restore() : box_->restore();
    method_->setCarried(carried);
    owed_ = owed;
    for (std::size_t k = 0; k < inflows.size(); ++k) domain_.inflow[k].velocity = inflows[k];
    fluid_->setInflows(inflows);
    throw;
  }
  if (!report.coupling.converged() && report.coupling.stop != Stop::maxIterations) {
    method_->setCarried(carried);
    throw FailedStep(report, fmt::format("step {}, t = {:.6g} s: {}", report.number, report.end, whyNot(report.coupling)));
  }
  report.pressureIterations = fluid_->pressureReport().iterations;
  if (enclosed_) {
    report.p0 = enclosed_->pressure();
    report.volumeError = enclosed_->report().volumeError;
    report.enclosedConverged = enclosed_->report().converged;
  }
  if (box_->contacts()) report.contacts = box_->contacts()->report();
  checkCrushed(report);
  balance(before, dt);
  countInflow(dt);
  {
    Stopwatch watch(moveSeconds_);
    fluid_->box().setBoundary(box_->motion());
  }
  time_ += dt;
  lastDt_ = dt;
  ++steps_;
  if (!report.coupling.converged()) unconverged_ = report;
  checkInside(report);
  checkSpeed(report);
  return report;
}

#define MNS_INSTANTIATE(D)                                                     \
  template RunOf<D>::RunOf(const SceneDef&, Exec&, std::vector<std::string>*); \
  template bool RunOf<D>::tellInflows(double);                                 \
  template void RunOf<D>::tellPins(double);                                    \
  template bool RunOf<D>::anyHeld() const;                                     \
  template double RunOf<D>::timeStep() const;                                  \
  template StepReport RunOf<D>::step(double);
MNS_INSTANTIATE(2)
MNS_INSTANTIATE(3)
#undef MNS_INSTANTIATE

}  // namespace meniscus::offline
