#include "engine/coupling/monolithic/monolithic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/coupling/implicit_solids_box.h"

namespace meniscus::coupling {
namespace {

// A system whose residual is above this was not solved.
constexpr double kLostSystem = 1e-6;

// What a system was made about follows its answer; where that takes it to and fro between two places the way is shortened, by
// Aitken's rule.
struct Follower {
  Vector change;     // that the last system asked for
  double omega = 1;  // part of it that was made

  void follow(const Vector& to, Vector& x) {
    constexpr double kFall = 0.5, kLeast = 0.1;
    const Vector next = to - x;
    double part = 1;
    if (change.size() > 0 && !(next.norm() < kFall * change.norm())) {
      const Vector turn = next - change;
      part = std::clamp(-omega * change.dot(turn) / std::max(turn.squaredNorm(), 1e-300), kLeast, 1.0);
    }
    x += part * next;
    change = next;
    omega = part;
  }
};

}  // namespace

template <int D>
struct Monolithic<D>::Step {
  BoxCalls& calls;
  GridOperators<D>& fluid;
  const SolidOperators& solid;
  CoupledSystem<D>& system;
  double dt;
  bool enclosed;           // the solids find the constant pressures themselves
  SolidTangent tangent;    // about the newest answer of the solids
  Vector about, nearestX;  // what the newest pass was about, and the one with the least residual
  double nearest = std::numeric_limits<double>::infinity();
  Vector x;              // where the fluid's faces are
  Follower faces, load;  // of x, and of the impulse that the solids are asked about
  Vector defect;         // what the fluid's own impulses have beyond the system's (see commit)
};

template <int D>
Monolithic<D>::Monolithic(Exec& exec, const MonolithicOptions& options) : exec_(exec), options_(options) {
  options.stop.check();
  if (!(options.linear.tolerance > 0) || options.linear.tolerance > kLostSystem)
    throw Error(ErrorKind::input,
                fmt::format("coupling: the tolerance of the linear systems is {}; give one above 0 and at most {}",
                            options.linear.tolerance, kLostSystem));
  if (options.linear.maxIterations < 1)
    throw Error(ErrorKind::input,
                fmt::format("coupling: {} iterations of a linear system at most; give 1 or more", options.linear.maxIterations));
}

namespace {

// The step of the solids without a fluid, to first order: (M + dt C + dt^2 K) v = M v*.
template <class Operators>
SolidTangent tangentAtStart(const Operators& solid, double dt) {
  const implicit::LinearisedStep step = solid.linearised(dt);
  SolidTangent t{step.system(dt), step.nodes, step.given, {}, Vector::Zero(step.nodes.rows())};
  // what given velocities do to the others by the damping and the stiffness belongs on the right side
  Vector given = Vector::Zero(step.predicted.size());
  for (Eigen::Index i = 0; i < given.size(); ++i)
    if (step.given[std::size_t(i)]) given[i] = step.predicted[i];
  Vector right =
      step.mass * step.predicted - (step.mass * given + dt * (step.damping * given) + dt * dt * (step.stiffness * given));
  for (Eigen::Index i = 0; i < given.size(); ++i)
    if (step.given[std::size_t(i)]) right[i] = given[i];
  t.velocity = step.nodes * SparseFactor(t.system).solve(right);
  return t;
}

}  // namespace

// Both boxes take the step to the system's answer by themselves. False where one of them failed. What the fluid gives beyond what
// the system foresaw is round-off but where a closed region's flow has to be taken off its boundary, which the fluid spreads over
// faces and the system over cells: the next system adds it to the solids.
template <int D>
bool Monolithic<D>::commit(Step& s, Pass& pass, Vector& xs) {
  Vector load;
  const Vector xf = s.calls.start() + s.dt * s.system.velocity();
  if (!s.calls.fluid(xf, load) || !s.calls.solid(s.enclosed ? load : Vector(load + s.system.constantImpulse()), xs)) return false;
  pass.jump = pass.residual = (xs - xf).norm();
  s.defect = load + s.system.constantImpulse() - s.system.impulse();
  return true;
}

// One system about where the fluid's faces are, or one for each set of faces that only push until it is the right one. False where
// one was not solved.
template <int D>
bool Monolithic<D>::solveSystem(Step& s) {
  constexpr int kMostSets = 20;
  for (int set = 1;; ++set) {
    s.calls.restore();
    const GridStep<D> fluid = s.fluid.linearised({s.x.data(), s.x.data() + s.x.size()}, s.dt);
    const KrylovReport linear = s.system.solve(fluid, s.tangent, options_.linear);
    if (!s.calls.linearSystem(linear.iterations, linear.residual <= kLostSystem)) return false;
    const Vector& v = s.system.velocity();
    const auto pressure = [&](Offset cell) { return s.system.pressure(fluid, cell); };
    if (set == kMostSets || !s.fluid.settle({v.data(), v.data() + v.size()}, s.dt, pressure)) return true;
  }
}

// Beside what is much lighter than the water that it moves, a face that closes or opens throws it far, and the answers about where
// it is thrown to say nothing of where it was. After so many passes without an end the faces are those of the nearest one.
template <int D>
void Monolithic<D>::holdNearest(Step& s, const Pass& pass) {
  constexpr std::size_t kPasses = 10;
  if (pass.residual < s.nearest) {
    s.nearest = pass.residual;
    s.nearestX = s.about;
  }
  if (s.calls.report().heldFrom > 0 || s.calls.report().passes.size() < kPasses) return;
  s.calls.restore();
  s.fluid.linearised({s.nearestX.data(), s.nearestX.data() + s.nearestX.size()}, s.dt);
  if (!s.calls.hold()) return;
  s.x = s.nearestX;
  s.faces = s.load = {};
  s.defect.setZero();
  s.tangent = tangentAtStart(s.solid, s.dt);
}

// One linearisation; true where the step ends.
template <int D>
bool Monolithic<D>::iterate(Step& s) {
  s.about = s.x;
  if (!solveSystem(s)) return true;
  const Vector xf = s.calls.start() + s.dt * s.system.velocity();
  Vector xs;
  Pass pass;
  pass.step = (xf - s.x).template lpNorm<Eigen::Infinity>();
  Vector impulse = s.tangent.impulse + s.defect;
  s.load.follow(s.system.impulse() + s.defect, impulse);
  if (!s.calls.solid(s.enclosed ? Vector(impulse - s.system.constantImpulse()) : impulse, xs)) return true;
  pass.jump = (xs - xf).norm();
  // where the faces are at the end, they must have stopped as well
  pass.residual = std::max(pass.jump, (xf - s.x).norm());
  s.tangent.velocity = (xs - s.calls.start()) / s.dt;
  s.tangent.impulse = impulse - s.defect;
  s.tangent.system = s.solid.endSystem(s.dt);
  s.faces.follow(xf, s.x);
  const bool last = s.calls.report().linearSystems >= options_.stop.maxIterations;
  if (last || pass.residual <= s.calls.tolerance(xs)) {
    if (!commit(s, pass, xs)) return true;
    s.tangent.impulse = impulse - s.defect;
  }
  if (s.calls.finish(pass, xs)) return true;
  if (!s.calls.holdWhereStuck()) holdNearest(s, pass);
  return false;
}

template <int D>
Report Monolithic<D>::advance(FluidBox& fluid, SolidBox& solid, double dt) {
  auto& grid = operatorsOf<GridOperators<D>>(fluid, "monolithic", "fluid");
  const auto& solids = operatorsOf<SolidOperators>(solid, "monolithic", "solid");
  BoxCalls calls(fluid, solid, dt, options_.stop);
  enclosedPressure_.clear();
  if (calls.size() == 0) {
    calls.advanceApart();
    return calls.report();
  }
  CoupledSystem<D> system(exec_, grid, options_.enclosed);
  const bool enclosed = solid.addsEnclosedPressure();
  Step step{calls,
            grid,
            solids,
            system,
            dt,
            enclosed,
            tangentAtStart(solids, dt),
            {},
            {},
            std::numeric_limits<double>::infinity(),
            calls.extrapolated(),
            {},
            {},
            Vector::Zero(calls.size())};
  while (!iterate(step)) {}
  for (const double p : system.constantPressure()) enclosedPressure_.push_back(p / dt);
  return calls.report();
}

template class Monolithic<2>;
template class Monolithic<3>;

}  // namespace meniscus::coupling
