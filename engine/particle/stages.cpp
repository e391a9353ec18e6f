// The stages of a sub-step that concern the fluid alone.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/base/error.h"
#include "engine/particle/solver_impl.h"
#include "engine/particle/without_fluid.h"
#include "engine/scene/capillary.h"
#include "engine/solid/motion.h"
#include "engine/world/fields.h"
#include "kernels/fluid/damping.h"
#include "kernels/search/cell_order.h"

namespace meniscus {
namespace {

struct Speed2 {
  const Vec4f* u;
  double operator()(Index i) const { return double(norm2(u[i].xyz())); }
};

struct CountOutside {
  const Vec4f* x;
  Vec3f extent;
  void operator()(Index i, double* acc) const { acc[0] += outsideOf(extent, x[i]); }
};

// Greatest speed [m/s] that key frames ask for in the next h seconds: velocities tell of the last sub-step only.
double speedAsked(const World& w, double h) {
  const SolidState& s = w.solid;
  const double across = norm(w.scene.domain.max - w.scene.domain.min), end = w.time + h;
  double fastest = 0;
  for (const RigidBody& r : s.rigid)
    if (r.kinematic) fastest = std::max(fastest, greatestSpeed(r.motion, std::min(r.reach, across), w.time, end));
  for (const Pin& p : s.pins)
    if (p.motion >= 0)
      fastest = std::max(fastest, greatestSpeed(s.motions[std::size_t(p.motion)], norm(p.start - p.origin), w.time, end));
  return fastest;
}

// Of all nodes [m/s]. Throws where a solid moves at a speed that is none, or that nothing has.
double fastestNode(const SolidState& s, double most) {
  const auto refuse = [](const std::string& name) {
    throw Error(ErrorKind::simulation, fmt::format("the simulation is no longer finite: {} has no valid velocity", name));
  };
  for (std::size_t i = 0; i < s.rigid.size(); ++i)
    if (!(norm(s.rigid[i].v) <= most) || !(norm(s.rigid[i].omega) <= most)) refuse(nameOfRigid(s, Index(i)));
  double fastest = 0;
  for (std::size_t i = 0; i < s.v.size(); ++i) {
    const double v = norm(s.v[i]);
    if (!(v <= most)) refuse(nameOfNode(s, Index(i)));
    fastest = std::max(fastest, v);
  }
  return fastest;
}

}  // namespace

// A sub-step so long that something would cross the whole domain in it finds nothing of what is on its way.
void ParticleSolver::Impl::limitSubsteps(World& w, const SubstepChoice& choice, double fastest, const char* by) {
  const double h = choice.h;
  const double way = fastest * h + 0.5 * norm(w.scene.gravity) * h * h, across = norm(w.scene.domain.max - w.scene.domain.min);
  const std::string why = by ? by : fmt::format("at {:.3g} m/s", fastest);
  const std::string cause = fmt::format("sub-step limit: the step needs {:.0f} sub-steps {}, max_substeps is {}",
                                        w.report.substeps + choice.needed, why, w.report.substeps + choice.left);
  if (way > across)
    throw Error(ErrorKind::simulation, fmt::format("{}: in so few, something would cross the domain in one", cause));
  if (!w.report.converged) return;
  w.report.converged = false;
  w.report.reason = cause + "; make dt smaller or max_substeps larger";
}

double ParticleSolver::Impl::substepLength(World& w, double remaining, double longest) {
  const double u = std::sqrt(parallelMax(exec, "cfl", w.fluid.n, Speed2{w.fluid.u.data()}));
  constexpr double kMostSpeed = 1e8;  // m/s
  if (!(u <= kMostSpeed))
    throw Error(ErrorKind::simulation, "the simulation is no longer finite: a particle has no valid velocity");
  const double v = std::max({fastestNode(w.solid, kMostSpeed), boundary.maxSurfaceSpeed(w), speedAsked(w, remaining)});
  w.report.maxSpeed = std::max(w.report.maxSpeed, u);
  const double g = norm(w.scene.gravity);
  const double reach = w.scene.solver.cfl * w.dx;
  const double fastest = std::max(u, v);
  const double byPath = longestByPath(fastest, g, reach), byMode = system.longestSubstep(w);
  const double byTension = w.fluid.n > 0 ? longestCapillaryStep(w.scene, w.dx) : longest;
  const double limit = std::min({longest, byMode, byPath, byTension});
  const SubstepChoice choice =
      chooseSubstep(remaining, limit, askedSubsteps(w.scene), w.report.substeps, w.scene.solver.maxSubsteps);
  const char* const why = limit == byPath      ? nullptr
                          : limit == byTension ? "by the surface tension"
                          : limit == byMode    ? "by the speed of sound of the weakly compressible fluid"
                                               : nullptr;
  if (choice.needed > choice.left) limitSubsteps(w, choice, fastest, why);
  return choice.h;
}

// The assembled matrix and the viscous product read rows pair by pair.
RowFormat ParticleSolver::Impl::rowFormat(const World& w) const {
  if (!CoefficientGrid::wanted(w.fluid.n, w.scene.solver.pressure == PressureMode::kernelDiagonal)) return RowFormat::pairs;
  return Viscosity::wanted(w) ? RowFormat::both : RowFormat::packed;
}

void ParticleSolver::Impl::neighbours(World& w, double h, bool frozen) {
  clock.begin("boundary");
  const double margin = std::max(0.5 * w.dx, h * boundary.maxSurfaceSpeed(w));
  boundary.update(exec, w, sorter.grid(), float(margin));
  boundary.findFeatures(exec, sorter.grid(), w.fluid.x.view());
  clock.begin("neighbours");
  pairBuilder.build(exec, sorter.grid(), boundary, w.fluid, centre, lists, rowFormat(w));
  clock.begin("assemble");
  system.assemble(exec, w, boundary, lists, frozen);
}

namespace {

// dv to the velocities of everything that gravity moves.
void addGravityToBodies(SolidState& s, const Vec3d& dv) {
  for (std::size_t i = 0; i < s.v.size(); ++i)
    if (s.w[i] > 0) s.v[i] += dv;
  for (RigidBody& r : s.rigid)
    if (r.invMass > 0) r.v += dv;
}

}  // namespace

void ParticleSolver::Impl::predictFluid(World& w, double h) {
  clock.begin("predict fluid");
  FluidState& f = w.fluid;
  uStar.resizeUninitialized(f.n);
  uNext.resizeUninitialized(f.n);
  const Vec4f* from = f.u.data();
  if (Viscosity::wanted(w)) {
    // the fluid has not felt the gravity of this sub-step yet: with it, the bodies alone would seem to fall, and the fluid brake
    // them
    addGravityToBodies(w.solid, w.scene.gravity * -h);
    const KrylovReport report = viscosity.step(exec, w, boundary, system, h, uNext);
    viscosity.addShearOnGiven(w, boundary, uNext, onGiven);
    addGravityToBodies(w.solid, w.scene.gravity * h);
    if (!report.converged) {
      w.report.converged = false;
      w.report.reason = "viscosity: iteration limit";
    }
    from = uNext.data();
  }
  parallelFor(exec, "gravity", f.n, AddGravity{from, uStar.data(), Vec4f(gravity * float(h), 0.f)});
  if (hasSurfaceTension(w.scene)) surfaceTension.step(exec, w, sorter.grid(), lists, pairBuilder.lattice().S0, h, uStar.view());
  system.addExplicitForces(exec, f.u.view(), h, uStar.view());
}

void ParticleSolver::Impl::densityError(World& w, double h, double beta) {
  FluidState& f = w.fluid;
  f.e.resizeUninitialized(f.n);
  f.deficiency.resizeUninitialized(f.n);
  densityTerm.resizeUninitialized(f.n);
  parallelFor(exec, "density error", f.n,
              DensityTerm{lists.density.data(), lists.sumC.data(), float(1.0 / pairBuilder.lattice().S0), float(beta / (h * h)),
                          f.e.data(), f.deficiency.data(), densityTerm.data()});
}

// At the velocities of the start of the sub-step: the bodies' are taken without the gravity of their prediction.
void ParticleSolver::Impl::addStraightPaths(World& w, double h) {
  const FluidState& f = w.fluid;
  const SolidState& s = w.solid;
  start.node = s.v;
  predicted.node = s.v;
  for (std::size_t i = 0; i < s.v.size(); ++i)
    if (s.w[i] > 0) start.node[i] -= w.scene.gravity * h;
  start.linear.resize(s.rigid.size());
  start.angular.resize(s.rigid.size());
  for (std::size_t i = 0; i < s.rigid.size(); ++i) {
    start.linear[i] = s.rigid[i].v - (s.rigid[i].invMass > 0 ? w.scene.gravity * h : Vec3d{});
    start.angular[i] = s.rigid[i].omega;
  }
  system.addStraightPaths(exec, f.u.view(), start.node, start.linear, start.angular, lists, f.deficiency, pairBuilder.kernel().invH,
                          kMostError, h, densityTerm);
}

void ParticleSolver::Impl::moveFluid(World& w, double h) {
  clock.begin("move fluid");
  FluidState& f = w.fluid;
  parallelFor(exec, "accelerate", f.n, Accelerate{uStar.data(), system.fluidAcceleration().data, float(h), f.u.data()});
  // XSPH: the damping that keeps inviscid flows calm. eps = xsph at 10 m/s * dt = dx; nu = eps / (2 S0 dt) ~ dx * 10 m/s
  if (w.scene.solver.xsph * system.dampingShare() > 0) {
    const double eps = w.scene.solver.xsph * system.dampingShare() * std::min(1.0, 10.0 * h / w.dx) / pairBuilder.lattice().S0;
    kindDamping.assign(w.scene.fluids.size(), float(5.0 * eps));
    parallelFor(
        exec, "xsph", f.n,
        PairDamping{system.pairView(), f.u.data(), uNext.data(), kindDamping.data(), f.kind.data(), kindDamping.size() == 1});
    f.u.swap(uNext);
  }
  xOld.resizeUninitialized(f.n);
  parallelFor(exec, "advect", f.n, Advect{f.x.data(), xOld.data(), f.u.data(), float(h)});
  system.shift(exec, h, f.x.view());
}

void ParticleSolver::Impl::contacts(World& w) {
  clock.begin("contacts");
  FluidState& f = w.fluid;
  findResting(w);
  w.report.contacts += boundary.resolveContacts(exec, w, sorter.grid(), xOld.view(), f.x.view(), f.u.view(), f.leaked.view(),
                                                std::as_const(resting).view());
  addToGiven(boundary.contactsOnGiven());
}

// Bodies with a contact that carries, by the projections and the last solve.
void ParticleSolver::Impl::findResting(const World& w) {
  const SolidState& s = w.solid;
  resting.assign(s.rigid.size() + s.bodies.size(), 0);
  for (const RigidContact& c : impacts) {
    resting[std::size_t(c.rigid)] = 1;
    if (c.other >= 0) resting[std::size_t(c.other)] = 1;
  }
  for (std::size_t k = 0; k < rows.rows.size(); ++k) {
    if (rows.rows[k].constraint != kContactRow || !(system.multiplier(Index(k)) > 0)) continue;
    const Index node = rows.entries[std::size_t(rows.rows[k].begin)].node;
    resting[s.rigid.size() + bodyOfNode(s, node)] = 1;
  }
}

// Marks what the last move carried out of the domain, at the start of a sub-step: from the positions alone, so that a run resumed
// between the two removes the same. Particles beyond an open side of the domain have left; beyond a wall none can be, but round-off
// is not trusted.
void ParticleSolver::Impl::removeEscaped(World& w) {
  FluidState& f = w.fluid;
  const Vec3d size = w.scene.domain.max - w.scene.domain.min;
  const Vec3f extent(size);
  double outside[1];
  parallelSum<1>(exec, "escaped", f.n, CountOutside{f.x.data(), extent}, outside);
  if (outside[0] == 0) return;
  drop.assign(f.n, 0);
  for (Index i = 0; i < f.n; ++i) {
    const Vec4f& x = f.x[i];
    if (!outsideOf(extent, x)) continue;
    drop[i] = 1;
    bool open = false;
    for (int k = 0; k < 3; ++k) {
      open |= x.xyz()[k] < 0 && !w.scene.domain.walls[2 * k];
      open |= x.xyz()[k] > float(size[k]) && !w.scene.domain.walls[2 * k + 1];
    }
    if (open) {
      ++w.report.escaped;
      ++w.escapedTotal;
    } else {
      ++w.lostThroughWalls;
    }
  }
}

}  // namespace meniscus
