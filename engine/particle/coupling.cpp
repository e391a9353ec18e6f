// Pressure and constraints together: lines 9-28 of Algorithm 1 of the ISPH-PBD paper.
//
// Alternating a pressure solve that knows only the masses of a light sheet with a constraint projection that knows nothing of the
// water cannot carry water: tension is unknown to the solve, sheet and water fall together, p = 0. Here a coupling iteration is
//   pressure    one linear system for the pressures of the fluid and the multipliers of all constraints, linearised where the
//               projection left the bodies: a Newton step of the implicit problem
//   projection  Gauss-Seidel sweeps on the true, non-linear constraints from there, with the water that moves along added to the
//               nodes' inertia in the normal direction; they say where to linearise next
// and it ends when the pressure solve reproduces the velocities of the projection before it. The last word is always the pressure
// solve's: its masses are the true ones and each of its forces has its reaction, so momentum is exact whatever the iteration left
// over. (Taking the projection's impulses as given in a last solve for the pressure alone was tried: those forces are explicit, and
// a skin with k dt^2 / m = 70 in free fall blows up within five steps.)
#include <algorithm>
#include <cmath>

#include "engine/particle/solve_tolerance.h"
#include "engine/particle/solver_impl.h"
#include "engine/solid/constraint_sweeps.h"
#include "engine/solid/rigid.h"

namespace meniscus {
bool ParticleSolver::Impl::anythingMoves(const World& w) const {
  if (!w.solid.constraints.items.empty() || !w.solid.volumes.empty()) return true;
  for (const RigidBody& r : w.solid.rigid)
    if (r.invMass > 0) return true;
  return false;
}

// Impulses that do not depend on the solve go to the velocities it starts from; of rigid bodies at obstacles, those are what the
// contacts leave.
void ParticleSolver::Impl::applyWeakConstraints(World& w, double h) {
  pushed = start;
  held.hold(pushed.linear, pushed.angular);
  for (const RowEntry& e : rows.weakImpulses) pushed.node[std::size_t(e.node)] += e.grad * (w.solid.w[std::size_t(e.node)] / h);
}

// Multipliers of the last sub-step as a start for one of another length: a force's multiplier is its impulse times the step.
void ParticleSolver::Impl::rescaleMultipliers(SolidState& s, double h) {
  if (s.multiplierStep > 0 && s.multiplierStep != h) {
    const double scale = (h / s.multiplierStep) * (h / s.multiplierStep);
    for (double& l : s.constraints.lambda) l *= scale;
    for (VolumeConstraint& c : s.volumes) c.lambda *= scale;
    for (double& l : s.contactLambda) l *= scale;
  }
  s.multiplierStep = h;
}

SolveReport ParticleSolver::Impl::jointSolve(World& w, double h, double tolerance) {
  clock.begin("rows");
  const FluidElsewhere* const far = system.fluidElsewhere();
  rows.constraintsElsewhere = far != nullptr;
  constraintRows(exec, w.solid, obstacles.get(), w.scene.solver.contactDistance * w.dx, h, contactRow.data(), edgeRow.data(), rows);
  for (ConstraintRow& row : rows.rows)
    if (row.constraint == kContactRow) row.lambda = w.solid.contactLambda[std::size_t(rows.entries[std::size_t(row.begin)].node)];
  held.take(w.solid, h);
  if (anythingMoves(w)) system.setHolds(held.holds());
  w.report.constraintRows = Index(rows.rows.size());
  for (const SolidEdge& e : rows.edges) w.report.constraintRows += e.state == SolidEdge::taut ? 3 : e.state == SolidEdge::pulls;
  applyWeakConstraints(w, h);
  if (anythingMoves(w)) system.holdPressure(films);  // else nothing corrects the guess
  system.setRows(exec, w, rows, h);
  clock.begin("solve pressure");
  system.setRightHandSide(exec, uStar.view(), pushed.node, pushed.linear, pushed.angular, densityTerm.view(), h);
  const SolveReport report = solvePressure(w, tolerance);
  if (far) w.report.constraintRows += far->constraintRows();
  return report;
}

SolveReport ParticleSolver::Impl::solvePressure(World& w, double tolerance) {
  const SolveReport r = system.solve(exec, tolerance, w.scene.solver.maxIterations);
  w.report.pressureIterations += r.iterations;
  ++w.report.pressureSolves;
  if (w.scene.solver.clampSeparation) filmsChanged = separateFilms(w);
  system.applyResult(exec);
  return r;
}

// Water within one spacing of a node's triangles moves with it along the normal.
void ParticleSolver::Impl::addedMass(const World& w) {
  const std::size_t n = w.solid.x.size();
  wetMass.assign(n, 0.0);
  wetNormal.assign(n, Vec3d{});
  invMassNormal.assign(n, 0.0);
  if (n == 0) return;
  FluidElsewhere* const far = system.fluidElsewhere();
  if (far) {
    const bool alone = nothingElseActs(w.solid);  // than constraints and obstacles
    far->wetNodes(alone ? nullptr : wetMass.data(), alone ? nullptr : wetNormal.data());
  }
  const View<const Index> near = boundary.nearParticle();
  for (Index k = 0; k < near.n && !far; ++k) {
    const SlotBinding& b = system.slots()[std::size_t(boundary.slotBegin()[k])];
    const Feature& f = boundary.features()[boundary.slotBegin()[k]];
    if (b.node[0] < 0 || f.d > float(w.dx)) continue;
    const double m = w.scene.fluids[w.fluid.kind[near[k]]].density * w.particleVolume;
    for (int q = 0; q < 3; ++q) {
      const double share = m * b.b[q];
      wetMass[b.node[q]] += share;
      // n n^T counts, not n: both sides of a sheet add up
      Vec3d& sum = wetNormal[b.node[q]];
      sum += Vec3d(b.n) * (dot(sum, Vec3d(b.n)) < 0 ? -share : share);
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    wetNormal[i] = normalized(wetNormal[i]);
    invMassNormal[i] = w.solid.w[i] > 0 ? 1.0 / (1.0 / w.solid.w[i] + wetMass[i]) : 0.0;
  }
}

// The bodies where the velocities `from` plus the pressure's accelerations take them; `reached` gets the velocities.
void ParticleSolver::Impl::placeSolids(World& w, double h, const SolidVelocities& from, SolidVelocities& reached) {
  SolidState& s = w.solid;
  reached = from;
  for (std::size_t i = 0; i < s.x.size(); ++i) {
    if (s.w[i] == 0) continue;
    reached.node[i] += system.nodeAcceleration()[i] * h;
    s.x[i] = s.xPrev[i] + reached.node[i] * h;
  }
  for (std::size_t i = 0; i < s.rigid.size(); ++i) {
    if (s.rigid[i].invMass == 0) continue;
    reached.linear[i] += system.rigidLinearAcceleration()[i] * h;
    reached.angular[i] += system.rigidAngularAcceleration()[i] * h;
  }
  held.hold(reached.linear, reached.angular);
  for (std::size_t i = 0; i < s.rigid.size(); ++i) {
    RigidBody& r = s.rigid[i];
    if (r.invMass == 0) continue;
    addRigidVelocity(r, reached.linear[i] - r.v, reached.angular[i] - r.omega, h);
  }
}

// Gauss-Seidel on the constraints and contacts from the joint solve's positions. Afterwards `projected` holds the velocities the
// sweeps ended with; contact impulses of rigid bodies are added to `start`.
void ParticleSolver::Impl::projectConstraints(World& w, double h) {
  clock.begin("project constraints");
  SolidState& s = w.solid;
  FluidElsewhere* const far = system.fluidElsewhere();
  rowLambda.resizeUninitialized(rows.rows.size());
  for (std::size_t k = 0; k < rows.rows.size(); ++k) rowLambda[k] = system.multiplier(Index(k));
  edgeLambda.resizeUninitialized(rows.edges.size());
  for (std::size_t k = 0; k < rows.edges.size(); ++k) edgeLambda[k] = system.edgeMultiplier(Index(k));
  storeMultipliers(s, rows, h, rowLambda.data(), edgeLambda.data());
  weakConstraint.assign(s.constraints.items.size(), 0);
  for (const auto& weak : rows.weak) weakConstraint[weak.first] = 1;
  projected = linear;
  ConstraintSweeps* const elsewhere = far && !s.constraints.items.empty() ? &far->sweeps() : nullptr;
  const auto sweep = [&](int times) {
    held.seed(s);
    projectSolids(exec, s, obstacles.get(), w.scene.solver.contactDistance * w.dx, h, times, invMassNormal.data(), wetNormal.data(),
                  weakConstraint.data(), elsewhere);
    noteImpacts(s);
    held.note(s, h, {system.rigidLinearAcceleration(), system.rigidAngularAcceleration()});
    for (std::size_t i = 0; i < s.x.size(); ++i)
      if (s.w[i] > 0) projected.node[i] = (s.x[i] - s.xPrev[i]) * (1.0 / h);
    for (std::size_t i = 0; i < s.rigid.size(); ++i) {
      if (s.rigid[i].invMass == 0) continue;
      projected.linear[i] = s.rigid[i].v;
      projected.angular[i] = s.rigid[i].omega;
    }
  };
  // after a converged solve the first sweep finds nothing to do
  sweep(1);
  const int more = w.scene.solver.constraintIterations - 1;
  if (more > 0 && interfaceMismatch(w, linear, projected) > w.scene.solver.couplingTolerance) sweep(more);
  held.endProjection(s, {projected.linear, projected.angular}, {linear.linear, linear.angular}, start.linear, start.angular);
}

// That of a fall by one spacing: velocities are not measured by less.
double ParticleSolver::Impl::slowSpeed(const World& w) const { return std::sqrt(2 * std::max(norm(w.scene.gravity), 1e-3) * w.dx); }

// Coulomb friction of nodes on obstacles, by the normal impulses of the last solve.
void ParticleSolver::Impl::contactFriction(World& w, double h) {
  SolidState& s = w.solid;
  for (std::size_t k = 0; k < rows.rows.size(); ++k) {
    if (rows.rows[k].constraint != kContactRow) continue;
    const RowEntry& e = rows.entries[std::size_t(rows.rows[k].begin)];
    double d, mu;
    Vec3d n, v;
    if (!obstacles->nearest(s.x[e.node], 4 * w.dx, d, n, v, mu) || mu == 0) continue;
    Vec3d& u = linear.node[e.node];
    const Vec3d slip = (u - v) - n * dot(u - v, n);
    const double speed = norm(slip), most = mu * std::max(0.0, system.multiplier(Index(k))) / h * s.w[e.node];
    if (speed > 0) u -= slip * std::min(1.0, most / speed);
    s.x[e.node] = s.xPrev[e.node] + u * h;
  }
}

// Root mean square difference of two sets of velocities, relative to their size or to the speed of a fall by one spacing.
double ParticleSolver::Impl::interfaceMismatch(const World& w, const SolidVelocities& a, const SolidVelocities& b) const {
  double diff = 0, size = 0, count = 0;
  const auto add = [&](const Vec3d& p, const Vec3d& q) {
    diff += norm2(p - q);
    size += norm2(p);
    ++count;
  };
  for (std::size_t i = 0; i < a.node.size(); ++i)
    if (w.solid.w[i] > 0) add(a.node[i], b.node[i]);
  for (std::size_t i = 0; i < a.linear.size(); ++i) {
    const RigidBody& r = w.solid.rigid[i];
    if (r.invMass == 0) continue;
    add(a.linear[i], b.linear[i]);
    add(a.angular[i] * r.reach, b.angular[i] * r.reach);
  }
  if (count == 0) return 0;
  const double floor2 = 2 * std::max(norm(w.scene.gravity), 1e-3) * w.dx;
  return std::sqrt(diff / count) / std::sqrt(std::max(size / count, floor2));
}

void ParticleSolver::Impl::coupledPressure(World& w, double h) {
  SolidState& s = w.solid;
  start.node = s.v;
  start.linear.resize(s.rigid.size());
  start.angular.resize(s.rigid.size());
  for (std::size_t i = 0; i < s.rigid.size(); ++i) {
    start.linear[i] = s.rigid[i].v;
    start.angular[i] = s.rigid[i].omega;
  }
  // gas has pressed on the nodes since their prediction; no approach of theirs
  predicted.linear = start.linear;
  predicted.angular = start.angular;
  impacts.clear();
  held.begin(s);
  Buffer<float>& p = system.pressure();
  p.resize(std::size_t(w.fluid.n));
  if (w.fluid.n) std::memcpy(p.data(), w.fluid.p.data(), std::size_t(w.fluid.n) * sizeof(float));

  const double tolerance = w.scene.solver.couplingTolerance;
  addedMass(w);
  rescaleMultipliers(s, h);
  s.work.solvable = solvableShare(w.scene.solver.dt, h);
  contactRow.assign(s.x.size(), ActiveRow::byState);
  guessFilms(w);
  const bool moving = anythingMoves(w);
  const int most = w.scene.solver.maxCouplingIterations;
  const FluidElsewhere* const far = system.fluidElsewhere();
  edgeRow.assign(s.constraints.items.size(), ActiveRow::byState);
  const Index particles = far ? far->particles() : w.fluid.n;
  const bool firstIsLoose = s.couplingIterations > 2 && most > 1 && particles > 0;
  SolveTolerance solveTolerance(w.scene.solver, moving, firstIsLoose);
  int iteration = 0;
  double mismatch = 0;
  bool changed = false;
  SolveReport solve;
  for (;;) {
    ++iteration;
    const bool first = iteration == 1 && firstIsLoose;
    solve = jointSolve(w, h, solveTolerance.next());
    placeSolids(w, h, pushed, linear);
    if (!moving) break;
    changed = contactsChanged(w);
    changed |= bodyContactsChanged(w);
    changed |= releaseHeld(w, h);
    changed |= filmsChanged;
    changed |= sortEdges(w);
    const auto ends = [&] { return (mismatch <= tolerance && !changed && !first) || iteration >= most; };
    // does the solve agree with the projection it was linearised at?
    if (iteration > 1) {
      mismatch = interfaceMismatch(w, linear, projected);
      if (ends()) break;
    }
    projectConstraints(w, h);
    // or had the projection nothing left to do?
    mismatch = interfaceMismatch(w, linear, projected);
    if (ends()) {
      placeSolids(w, h, pushed, linear);
      break;
    }
    solveTolerance.after(iteration, changed, mismatch);
  }
  s.couplingIterations = iteration;
  if (held.any())  // what contacts gave: all but the pressure
    for (std::size_t i = 0; i < s.rigid.size(); ++i) {
      pushed.linear[i] = linear.linear[i] - system.rigidLinearAcceleration()[i] * h;
      pushed.angular[i] = linear.angular[i] - system.rigidAngularAcceleration()[i] * h;
    }
  if (moving) {
    restoreMomentum(w, h);
    contactFriction(w, h);
  }
  if (!solve.converged) {
    w.report.converged = false;
    w.report.reason = "pressure solve: iteration limit";
  } else if (!(mismatch <= tolerance)) {  // not-a-number as well
    w.report.converged = false;
    w.report.reason = "coupling: velocities do not match at the interface";
  } else if (changed) {
    w.report.converged = false;
    w.report.reason = "coupling: contacts or films still change";
  }
  w.report.couplingIterations = std::max(w.report.couplingIterations, iteration);
  w.report.couplingResidual = mismatch;
}

// The velocities the coupling ended with; positions are already there.
void ParticleSolver::Impl::moveSolids(World& w, double h) {
  clock.begin("move solids");
  SolidState& s = w.solid;
  for (std::size_t i = 0; i < s.x.size(); ++i)
    if (s.w[i] > 0) s.v[i] = linear.node[i];
  bounce(w, h);
  for (const RigidBody& r : s.rigid) {
    placeRigidNodes(s, r);
    rigidNodeVelocities(s, r);
  }
}

}  // namespace meniscus
