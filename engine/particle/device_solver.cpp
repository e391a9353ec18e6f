#include "engine/particle/device_solver.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "engine/base/error.h"
#include "engine/particle/device/device_step.h"
#include "engine/particle/device_bodies.h"
#include "engine/particle/device_def.h"
#include "engine/particle/device_openings.h"

namespace meniscus {
namespace {

// What is only read is not const: the calls have one struct for both ways.
DeviceParticles viewOf(FluidState& f) {
  const auto floats = [](Buffer<Vec4f>& v) { return v.empty() ? nullptr : &v.data()->x; };
  return {f.n, floats(f.x), floats(f.u), f.p.data(), f.id.data(), f.kind.data(), f.leaked.data(), f.e.data(), f.deficiency.data()};
}

// Keys of a device's sorts; the last one is that of particles that are not at the drain.
constexpr std::uint32_t kMostIds = (1u << 31) - 1;

}  // namespace

const DeviceFluidCalls& serialFluidCalls() { return deviceFluidCalls(); }

std::string notOnDevice(const World& w) {
  const SceneDef& s = w.scene;
  if (s.solver.method != "isph-pbd") return "the method \"" + s.solver.method + "\"";
  for (const FluidDef& f : s.fluids)
    if (f.surfaceTension > 0) return fmt::format("surface tension (of \"{}\")", f.name);
  if (s.solver.pressure != PressureMode::compatible && s.solver.pressure != PressureMode::kernelDiagonal)
    return "this pressure mode (solver.pressure)";
  if (s.solver.pressure == PressureMode::kernelDiagonal && s.solver.krylov != KrylovMethod::conjugateGradients)
    return "this Krylov method (solver.krylov)";
  if (!s.drains.empty() && w.nextId > kMostIds)
    return fmt::format("drains (\"{}\") where ids of particles are beyond 2^31", s.drains[0].name);
  const auto deforms = [](const Body& b) { return b.rigid < 0; };
  if (s.fluids.empty() && std::none_of(w.solid.bodies.begin(), w.solid.bodies.end(), deforms)) return "a scene without fluid";
  return {};
}

DeviceSolver::DeviceSolver(const DeviceFluidCalls& calls, const DeviceOptions& options, const World& w)
    : calls_(calls), options_(options) {
  renew(w);
}

// Parameters may have changed since the last step.
void DeviceSolver::renew(const World& w) {
  const std::string missing = notOnDevice(w);
  if (!missing.empty()) throw Error(ErrorKind::input, "a device does not step " + missing + " yet; use --device cpu");
  auto now = std::make_unique<DeviceDef>(w, def_.get());
  if (fluid_ && now->same(*def_)) return;
  if (fluid_) calls_.destroy(fluid_);
  fluid_ = nullptr;
  const DeviceFluidDef def = now->view();
  check(calls_.create(&def, &options_, &fluid_, reason_, sizeof reason_));
  def_ = std::move(now);
  nodes_.reset();
}

DeviceSolver::~DeviceSolver() {
  if (fluid_) calls_.destroy(fluid_);
}

void DeviceSolver::check(int status) const {
  if (status != 0) throw Error(ErrorKind(status), reason_);
}

std::string DeviceSolver::note() const {
  char text[512] = {};
  calls_.note(fluid_, text, sizeof text);
  return text;
}

DeviceCounters DeviceSolver::counters() const {
  DeviceCounters c;
  calls_.counters(fluid_, &c);
  return c;
}

std::vector<DeviceStage> DeviceSolver::stages() const {
  std::vector<DeviceStage> all(std::size_t(calls_.stages(fluid_, nullptr, 0)), DeviceStage{});
  calls_.stages(fluid_, all.data(), int(all.size()));
  return all;
}

void DeviceSolver::upload(World& w) {
  DeviceParticles p = viewOf(w.fluid);
  p.e = p.deficiency = nullptr;  // a step makes its own
  check(calls_.upload(fluid_, &p, reason_, sizeof reason_));
}

void DeviceSolver::bring(const World& w) {
  renew(w);
  FluidState& f = const_cast<FluidState&>(w.fluid);
  DeviceParticles p = viewOf(f);
  if (f.e.size() < std::size_t(f.n)) p.e = nullptr;
  if (f.deficiency.size() < std::size_t(f.n)) p.deficiency = nullptr;
  check(calls_.upload(fluid_, &p, reason_, sizeof reason_));
}

void DeviceSolver::download(World& w) {
  FluidState& f = w.fluid;
  f.n = calls_.count(fluid_);
  f.e.resizeUninitialized(std::size_t(f.n));
  f.deficiency.resizeUninitialized(std::size_t(f.n));
  for (auto* b : {&f.x, &f.u}) b->resize(std::size_t(f.n));
  f.p.resize(std::size_t(f.n));
  f.id.resize(std::size_t(f.n));
  for (auto* b : {&f.kind, &f.leaked}) b->resize(std::size_t(f.n));
  const DeviceParticles p = viewOf(f);
  check(calls_.download(fluid_, &p, reason_, sizeof reason_));
}

void DeviceSolver::advance(World& w, double dt, DeviceStepReport& report, StepReport* bodiesReport) {
  const double end = w.time + dt;
  OpeningsOfWorld openings(w);
  const DeviceOpenings flow = openings.calls();
  const bool solids = !w.solid.rigid.empty() || !w.solid.bodies.empty();
  if (nodes_ && &nodes_->world() != &w) nodes_.reset();
  if (!nodes_ && def_->surfaces().deforming()) nodes_ = std::make_unique<CoupledNodes>(w);
  w.report = {};
  std::optional<BodiesOfWorld> bodies;
  if (solids) bodies.emplace(w, def_->surfaces().boundary(), nodes_.get(), dt);
  const DeviceBodies calls = bodies ? bodies->calls() : DeviceBodies{};
  const int status = calls_.step(fluid_, dt, bodies ? &calls : nullptr, &flow, &report, reason_, sizeof reason_);
  if (bodies) bodies->rethrow();
  openings.rethrow();
  check(status);
  w.time = end;
  if (bodies && bodiesReport) bodies->complete(*bodiesReport);
}

void DeviceSolver::step(World& w, double dt) {
  DeviceStepReport d;
  StepReport r;
  renew(w);
  upload(w);
  advance(w, dt, d, &r);
  download(w);
  r.substeps = d.substeps;
  r.pressureIterations = d.pressureIterations;
  r.pressureSolves = d.pressureSolves;
  if (!d.converged) {
    r.converged = false;
    r.reason = d.reason;
  }
  r.densityErrorMean = d.densityErrorMean;
  r.densityErrorMax = d.densityErrorMax;
  r.densitySigned = d.densitySigned;
  r.volumeChange = d.volumeChange;
  r.divergenceError = d.divergenceError;
  r.maxSpeed = d.maxSpeed;
  r.couplingIterations = std::max(r.couplingIterations, 1);
  r.escaped = d.escaped;
  r.emitted = w.report.emitted;
  r.drained = w.report.drained;
  r.blocked = w.report.blocked;
  r.overflow = w.report.overflow;
  r.contacts = d.contacts;
  w.escapedTotal += std::uint64_t(d.escaped);
  w.lostThroughWalls += std::uint32_t(d.lostThroughWalls);
  r.leaked = d.leaked + Index(w.lostThroughWalls);
  w.impulseOnFluidFromStatic += Vec3d{d.impulseOnFluid[0], d.impulseOnFluid[1], d.impulseOnFluid[2]};
  w.impulseExchanged += d.impulseExchanged;
  w.report = r;
  ++w.steps;
}

}  // namespace meniscus
