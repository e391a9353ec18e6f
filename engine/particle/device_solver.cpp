#include "engine/particle/device_solver.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "engine/base/error.h"
#include "engine/particle/device/device_step.h"

namespace meniscus {
namespace {

DeviceParticles viewOf(FluidState& f) {
  return {f.n,           &f.x.data()->x,  &f.u.data()->x, f.p.data(),         f.id.data(),
          f.kind.data(), f.leaked.data(), f.e.data(),     f.deficiency.data()};
}

void copy3(const Vec3d& from, double (&to)[3]) {
  for (int k = 0; k < 3; ++k) to[k] = from[k];
}

}  // namespace

const DeviceFluidCalls& serialFluidCalls() { return deviceFluidCalls(); }

std::string notOnDevice(const World& w) {
  const SceneDef& s = w.scene;
  if (!s.solids.empty()) return fmt::format("solids (\"{}\")", s.solids[0].name);
  if (!w.solid.rigid.empty() || !w.solid.x.empty()) return "solids";
  if (!s.emitters.empty()) return fmt::format("emitters (\"{}\")", s.emitters[0].name);
  if (!s.drains.empty()) return fmt::format("drains (\"{}\")", s.drains[0].name);
  if (s.solver.pressure != PressureMode::compatible) return "this pressure mode (solver.pressure)";
  if (s.fluids.empty()) return "a scene without fluid";
  return {};
}

DeviceSolver::DeviceSolver(const DeviceFluidCalls& calls, const DeviceOptions& options, const World& w) : calls_(calls) {
  const std::string missing = notOnDevice(w);
  if (!missing.empty()) throw Error(ErrorKind::input, "a device does not step " + missing + " yet: use --device cpu");
  const SceneDef& s = w.scene;
  DeviceFluidDef def{};
  copy3(s.domain.max - s.domain.min, def.extent);
  copy3(s.gravity, def.gravity);
  int walls = 0;
  for (int k = 0; k < 6; ++k) def.wall[k] = s.domain.walls[k] ? walls++ : -1;
  def.wallFriction = double(float(s.domain.friction));
  def.wallNoSlip = s.domain.noSlip;
  def.spacing = w.dx;
  def.support = s.solver.support * w.dx;
  def.contactDistance = s.solver.contactDistance * w.dx;
  def.particleVolume = w.particleVolume;
  def.cfl = s.solver.cfl;
  def.maxSubsteps = s.solver.maxSubsteps;
  def.tolerance = s.solver.tolerance;
  def.maxIterations = s.solver.maxIterations;
  def.densityCorrection = s.solver.densityCorrection;
  def.highPass = s.solver.highPass;
  def.xsph = s.solver.xsph;
  def.clampSeparation = s.solver.clampSeparation;
  std::vector<double> density, viscosity;
  for (const FluidDef& f : s.fluids) {
    density.push_back(f.density);
    viscosity.push_back(f.viscosity);
  }
  def.kinds = int(s.fluids.size());
  def.density = density.data();
  def.viscosity = viscosity.data();
  check(calls_.create(&def, &options, &fluid_, reason_, sizeof reason_));
}

DeviceSolver::~DeviceSolver() {
  if (fluid_) calls_.destroy(fluid_);
}

void DeviceSolver::check(int status) const {
  if (status != 0) throw Error(ErrorKind(status), reason_);
}

DeviceCounters DeviceSolver::counters() const {
  DeviceCounters c;
  calls_.counters(fluid_, &c);
  return c;
}

void DeviceSolver::upload(World& w) {
  const DeviceParticles p = viewOf(w.fluid);
  check(calls_.upload(fluid_, &p, reason_, sizeof reason_));
}

void DeviceSolver::download(World& w) {
  FluidState& f = w.fluid;
  f.n = calls_.count(fluid_);  // no more than there were
  f.e.resizeUninitialized(std::size_t(f.n));
  f.deficiency.resizeUninitialized(std::size_t(f.n));
  for (auto* b : {&f.x, &f.u}) b->resize(std::size_t(f.n));
  f.p.resize(std::size_t(f.n));
  f.id.resize(std::size_t(f.n));
  for (auto* b : {&f.kind, &f.leaked}) b->resize(std::size_t(f.n));
  const DeviceParticles p = viewOf(f);
  check(calls_.download(fluid_, &p, reason_, sizeof reason_));
}

void DeviceSolver::step(World& w, double dt) {
  DeviceStepReport d;
  upload(w);
  check(calls_.step(fluid_, dt, &d, reason_, sizeof reason_));
  download(w);
  w.report = StepReport{};
  StepReport& r = w.report;
  r.substeps = d.substeps;
  r.pressureIterations = d.pressureIterations;
  r.pressureSolves = d.pressureSolves;
  r.converged = d.converged != 0;
  r.reason = d.reason;
  r.densityErrorMean = d.densityErrorMean;
  r.densityErrorMax = d.densityErrorMax;
  r.densitySigned = d.densitySigned;
  r.volumeChange = d.volumeChange;
  r.divergenceError = d.divergenceError;
  r.maxSpeed = d.maxSpeed;
  r.couplingIterations = 1;
  r.escaped = d.escaped;
  w.escapedTotal += std::uint64_t(d.escaped);
  w.lostThroughWalls += std::uint32_t(d.lostThroughWalls);
  r.leaked = d.leaked + Index(w.lostThroughWalls);
  w.impulseOnFluidFromStatic += Vec3d{d.impulseOnFluid[0], d.impulseOnFluid[1], d.impulseOnFluid[2]};
  w.impulseExchanged += d.impulseExchanged;
  w.time += dt;
  ++w.steps;
}

}  // namespace meniscus
