#include "engine/particle/weakly_compressible.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/base/error.h"
#include "engine/particle/solver_impl.h"
#include "engine/scene/expected_speed.h"
#include "kernels/fluid/artificial_viscosity.h"
#include "kernels/fluid/tait_pressure.h"

namespace meniscus {
namespace {

constexpr double kGamma = 7;
constexpr double kCourant = 0.4, kViscousShare = 0.6;  // Monaghan 1992
constexpr double kPi = 3.14159265358979323846;

double triangleArea(const SolidState& s, Index t) {
  const Index* n = s.tri.data() + 3 * Offset(t);
  return 0.5 * norm(cross(s.xRest[n[1]] - s.xRest[n[0]], s.xRest[n[2]] - s.xRest[n[0]]));
}

// Least mass by wet surface [kg/m^2] of what moves freely; infinite where nothing does.
double lightestSurface(const SolidState& s) {
  double least = std::numeric_limits<double>::infinity();
  for (const Body& b : s.bodies) {
    if (b.rigid >= 0) continue;
    double mass = 0, area = 0;
    for (Index n = b.nodeBegin; n < b.nodeEnd; ++n) mass += s.mass[n];
    for (Index t = b.triBegin; t < b.triEnd; ++t) area += triangleArea(s, t);
    if (area > 0) least = std::min(least, mass / area);
  }
  for (const RigidBody& r : s.rigid)
    if (r.invMass > 0 && r.reach > 0) least = std::min(least, r.mass / (4 * kPi * r.reach * r.reach));
  return least;
}

}  // namespace

double soundSpeed(const SceneDef& scene) {
  const SolverDef& s = scene.solver;
  if (s.soundSpeed > 0) return s.soundSpeed;
  return fastestExpected(scene) / std::sqrt(s.densityVariation);
}

double WeaklyCompressibleSystem::longestSubstep(const World& world) const {
  const SceneDef& scene = world.scene;
  if (world.fluid.n == 0) return PressureSystem::longestSubstep(world);
  const double c = soundSpeed(scene), h = 0.5 * scene.solver.support * world.dx;
  if (!(c > 0))
    throw Error(ErrorKind::input,
                fmt::format("{}:{}:{}: nothing tells how fast this weakly compressible fluid will be (no gravity, no velocity, no "
                            "emitter, no surface tension); give \"sound_speed\" in \"solver\"",
                            scene.file, scene.solver.where.line, scene.solver.where.column));
  const std::string mistake = soundSpeedMistake(scene);
  if (!mistake.empty())
    throw Error(ErrorKind::input,
                fmt::format("{}:{}:{}: {}", scene.file, scene.solver.where.line, scene.solver.where.column, mistake));
  double heaviest = 0;
  for (const FluidDef& f : scene.fluids) heaviest = std::max(heaviest, f.density);
  // a layer of water on a surface: its inertia is in series with the surface's
  const double ratio = heaviest * world.dx / lightestSurface(world.solid);
  return kCourant * h / (c * (1 + kViscousShare * scene.solver.artificialViscosity) * std::sqrt(1 + ratio));
}

void WeaklyCompressibleSystem::addExplicitForces(Exec& exec, View<const Vec4f> u, double dt, View<Vec4f> uStar) {
  const SceneDef& scene = world_->scene;
  if (scene.solver.artificialViscosity == 0) return;
  rho_.resizeUninitialized(scene.fluids.size());
  for (std::size_t k = 0; k < scene.fluids.size(); ++k) rho_[k] = float(scene.fluids[k].density);
  const double h = 0.5 * scene.solver.support * dx_;
  const double strength = 2 * scene.solver.artificialViscosity * h * soundSpeed(scene) * dt;
  parallelFor(
      exec, "artificial viscosity", u.n,
      ArtificialViscosity{view_, u.data, world_->fluid.kind.data(), rho_.data(), float(strength), float(0.01 * h * h), uStar.data});
}

SolveReport WeaklyCompressibleSystem::solve(Exec& exec, double tolerance, int maxIterations) {
  if (frozen_) return PressureSystem::solve(exec, tolerance, maxIterations);
  const SceneDef& scene = world_->scene;
  const double c = soundSpeed(scene);
  stiffness_.resizeUninitialized(scene.fluids.size());
  for (std::size_t k = 0; k < scene.fluids.size(); ++k) stiffness_[k] = float(scene.fluids[k].density * c * c / kGamma);
  const FluidState& f = world_->fluid;
  parallelFor(exec, "tait", f.n, TaitPressure{f.e.data(), f.kind.data(), stiffness_.data(), kMostError, p_.data()});
  return hasConstraints() ? solveConstraints(exec, tolerance, maxIterations) : SolveReport{0, 0, true};
}

std::size_t WeaklyCompressibleSystem::bytes() const {
  return GivenPressureSystem::bytes() + stiffness_.capacityBytes() + rho_.capacityBytes();
}

}  // namespace meniscus
