// The coupling of rigid bodies with the fluid on a device: the bodies' part of engine/particle/coupling.cpp, in which the device
// solves for the pressure and the program for the contacts of the bodies with obstacles.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "engine/base/error.h"
#include "engine/particle/boundary_impl.h"
#include "engine/particle/device_bodies.h"
#include "engine/solid/contact.h"
#include "engine/solid/rigid.h"

namespace meniscus {
namespace {

// A sub-step that ends with velocities further apart has found no solution, unless it is as short as this share of the step.
constexpr double kNoSolution = 0.1, kShortest = 1.0 / 64;
// Way back of a body in contacts, in contact distances (see boundary_contacts.cpp).
constexpr float kMostShift = 0.1f;

void put(const Vec3d& linear, const Vec3d& angular, std::size_t i, double* out) {
  for (int k = 0; k < 3; ++k) {
    out[6 * i + std::size_t(k)] = linear[k];
    out[6 * i + 3 + std::size_t(k)] = angular[k];
  }
}
Vec3d vectorAt(const double* v) { return {v[0], v[1], v[2]}; }

Vec3d momentum(const SolidState& s) {
  Vec3d sum{};
  for (const RigidBody& b : s.rigid)
    if (b.invMass > 0) sum += b.v * b.mass;
  return sum;
}

}  // namespace

void BodiesOfWorld::beginCoupling(double h, double* velocity, const DeviceNodes* nodes) {
  const SolidState& s = world_.solid;
  coupled_ = true;
  for (Rates* r : {&predicted_, &linear_, &projected_, &acceleration_}) {
    r->linear.resize(s.rigid.size());
    r->angular.resize(s.rigid.size());
  }
  for (std::size_t i = 0; i < s.rigid.size(); ++i) {
    const RigidBody& r = s.rigid[i];
    predicted_.linear[i] = r.v;
    predicted_.angular[i] = r.omega;
    put(r.v - (r.invMass > 0 ? world_.scene.gravity * h : Vec3d{}), r.omega, i, velocity);
  }
  if (nodes) return nodes_->fillStart(*nodes, h);
  start_ = predicted_;
  h_ = h;
  held_.begin(world_.solid);
  impacts_.clear();
  invMassNormal_.assign(s.x.size(), 0.0);
  wetNormal_.assign(s.x.size(), Vec3d{});
  iteration_ = 0;
  residual_ = 0;
  firstIsLoose_ = s.couplingIterations > 2 && world_.scene.solver.maxCouplingIterations > 1;
  solveTolerance_ = SolveTolerance(world_.scene.solver, true, firstIsLoose_);
}

void BodiesOfWorld::beforeSolve(double* velocity, double* hold, const double** islands, int* islandNumbers, double* tolerance) {
  held_.take(world_.solid, h_);
  Rates from = start_;
  held_.hold(from.linear, from.angular);
  for (std::size_t i = 0; i < from.linear.size(); ++i) put(from.linear[i], from.angular[i], i, velocity);
  const std::vector<RigidHold>& holds = held_.holds().own;
  std::memcpy(hold, holds.data(), holds.size() * sizeof(RigidHold));
  *islands = held_.holds().islands.data();
  *islandNumbers = int(held_.holds().islands.size());
  *tolerance = solveTolerance_.next();
}

// True: another solve is wanted.
bool BodiesOfWorld::afterSolve(double h, const double* acceleration, bool converged, bool filmsChanged) {
  const SolverDef& solver = world_.scene.solver;
  const bool first = iteration_ == 0 && firstIsLoose_;
  ++iteration_;
  solved_ = converged;
  changed_ = filmsChanged;
  for (std::size_t i = 0; i < world_.solid.rigid.size(); ++i) {
    acceleration_.linear[i] = vectorAt(acceleration + 6 * i);
    acceleration_.angular[i] = vectorAt(acceleration + 6 * i + 3);
  }
  placeBodies(h);
  if (held_.any())
    changed_ |= held_.release(world_.solid, h, {start_.linear, start_.angular}, {acceleration_.linear, acceleration_.angular},
                              {linear_.linear, linear_.angular}, solver.couplingTolerance * slowSpeed());
  const auto ends = [&] {
    return (residual_ <= solver.couplingTolerance && !changed_ && !first) || iteration_ >= solver.maxCouplingIterations;
  };
  // does the solve agree with the projection that it started from?
  if (iteration_ > 1) {
    residual_ = mismatch(linear_, projected_);
    if (ends()) return false;
  }
  // what this solve started from; the projection adds to it for the next one
  const Rates from = start_;
  project(h);
  // or had the projection nothing left to do?
  residual_ = mismatch(linear_, projected_);
  if (!ends()) {
    solveTolerance_.after(iteration_, changed_, residual_);
    return true;
  }
  const Rates next = start_;
  start_ = from;
  placeBodies(h);
  start_ = next;
  return false;
}

// The bodies where the velocities they start from plus the pressure's accelerations take them.
void BodiesOfWorld::placeBodies(double h) {
  SolidState& s = world_.solid;
  linear_ = start_;
  held_.hold(linear_.linear, linear_.angular);
  for (std::size_t i = 0; i < s.rigid.size(); ++i) {
    if (s.rigid[i].invMass == 0) continue;
    linear_.linear[i] += acceleration_.linear[i] * h;
    linear_.angular[i] += acceleration_.angular[i] * h;
  }
  held_.hold(linear_.linear, linear_.angular);
  for (std::size_t i = 0; i < s.rigid.size(); ++i) {
    RigidBody& r = s.rigid[i];
    if (r.invMass == 0) continue;
    addRigidVelocity(r, linear_.linear[i] - r.v, linear_.angular[i] - r.omega, h);
  }
}

void BodiesOfWorld::project(double h) {
  SolidState& s = world_.solid;
  const auto sweep = [&](int times) {
    held_.seed(s);
    projectSolids(exec_, s, &obstacles_, world_.scene.solver.contactDistance * world_.dx, h, times, invMassNormal_.data(),
                  wetNormal_.data());
    noteImpacts();
    held_.note(s, h, {acceleration_.linear, acceleration_.angular});
    for (std::size_t i = 0; i < s.rigid.size(); ++i) {
      if (s.rigid[i].invMass == 0) continue;
      projected_.linear[i] = s.rigid[i].v;
      projected_.angular[i] = s.rigid[i].omega;
    }
  };
  projected_ = linear_;
  // after a converged solve the first sweep finds nothing to do
  sweep(1);
  const int more = world_.scene.solver.constraintIterations - 1;
  if (more > 0 && mismatch(linear_, projected_) > world_.scene.solver.couplingTolerance) sweep(more);
  held_.endProjection(s, {projected_.linear, projected_.angular}, {linear_.linear, linear_.angular}, start_.linear, start_.angular);
}

// Contacts of the projection just made that carried.
void BodiesOfWorld::noteImpacts() {
  noteTouches(world_.solid);
  const auto rateOf = [this](std::size_t k) { return RigidRate{predicted_.linear[k], predicted_.angular[k]}; };
  for (RigidContact c : world_.solid.work.rigidContacts) {
    if (!(c.lambda > 0)) continue;
    c.approach = approachOf(world_.solid, c, rateOf);
    impacts_.push_back(c);
  }
}

// Root mean square difference, relative to the velocities' size or to the speed of a fall by one spacing.
double BodiesOfWorld::mismatch(const Rates& a, const Rates& b) const {
  double diff = 0, size = 0, count = 0;
  const auto add = [&](const Vec3d& p, const Vec3d& q) {
    diff += norm2(p - q);
    size += norm2(p);
    ++count;
  };
  for (std::size_t i = 0; i < a.linear.size(); ++i) {
    const RigidBody& r = world_.solid.rigid[i];
    if (r.invMass == 0) continue;
    add(a.linear[i], b.linear[i]);
    add(a.angular[i] * r.reach, b.angular[i] * r.reach);
  }
  if (count == 0) return 0;
  const double slow = slowSpeed();
  return std::sqrt(diff / count) / std::sqrt(std::max(size / count, slow * slow));
}

double BodiesOfWorld::slowSpeed() const { return std::sqrt(2 * std::max(norm(world_.scene.gravity), 1e-3) * world_.dx); }

void BodiesOfWorld::addContactImpulse(const Vec3d& j) {
  world_.impulseOnSolidsFromStatic += j;
  world_.impulseExchanged += norm(j);
}

// Restitution of the impacts; what a resting contact has given is left as it is.
void BodiesOfWorld::bounce(double h) {
  SolidState& s = world_.solid;
  leaveImpacts(s, restingSpeed(s, h), impacts_.data(), impacts_.size());
  const Vec3d before = momentum(s);
  bounceRigid(s, {impacts_.data(), Index(impacts_.size())}, h);
  addContactImpulse(momentum(s) - before);
}

void BodiesOfWorld::endNodes(double h, DeviceRigid* rigids, double* velocity, const DeviceNodes& nodes) {
  requireSolution(world_.report.couplingResidual, h);
  nodes_->end(h, nodes);
  const SolidVelocities& v = nodes_->velocities();
  for (std::size_t i = 0; i < v.linear.size(); ++i) put(v.linear[i], v.angular[i], i, velocity);
  place(rigids);
}

void BodiesOfWorld::requireSolution(double residual, double h) const {
  if (residual > kNoSolution && h > kShortest * dt_)
    throw Error(ErrorKind::deviceNotAvailable,
                "a sub-step found no solution with its solids; only the CPU's solver does it again in shorter ones");
}

void BodiesOfWorld::endCoupling(double h, DeviceRigid* rigids, double* velocity, const DeviceNodes* nodes) {
  if (nodes) return endNodes(h, rigids, velocity, *nodes);
  SolidState& s = world_.solid;
  const SolverDef& solver = world_.scene.solver;
  requireSolution(residual_, h);
  s.couplingIterations = iteration_;
  mostIterations_ = std::max(mostIterations_, iteration_);
  if (!solved_)
    reason_ = "pressure solve: iteration limit";
  else if (!(residual_ <= solver.couplingTolerance))  // not-a-number as well
    reason_ = "coupling: velocities do not match at the interface";
  else if (changed_)
    reason_ = "coupling: contacts or films still change";
  for (std::size_t i = 0; i < s.rigid.size(); ++i) {
    put(linear_.linear[i], linear_.angular[i], i, velocity);
    // what the projections before the last solve added
    const RigidBody& r = s.rigid[i];
    if (r.invMass > 0) addContactImpulse((linear_.linear[i] - acceleration_.linear[i] * h - predicted_.linear[i]) * r.mass);
  }
  bounce(h);
  for (const RigidBody& r : s.rigid) {
    placeRigidNodes(s, r);
    rigidNodeVelocities(s, r);
  }
  place(rigids);
}

// The serial part of Boundary::resolveContacts, for the particles that share their contacts with bodies that give way.
void BodiesOfWorld::contacts(DeviceContactRow* rows, int count, const DeviceContact* contacts, int contactCount) {
  World& w = world_;
  Buffer<Vec4f> x, u;
  Buffer<std::uint8_t> kind, resting;
  for (auto* b : {&x, &u}) b->resize(std::size_t(count));
  kind.resize(std::size_t(count));
  resting.assign(w.solid.rigid.size() + w.solid.bodies.size(), 0);
  for (int k = 0; k < count; ++k) {
    x[k] = loadVec4(rows[k].x);
    u[k] = loadVec4(rows[k].u);
    kind[k] = std::uint8_t(rows[k].kind);
  }
  for (const RigidContact& c : impacts_) {
    resting[c.rigid] = 1;
    if (c.other >= 0) resting[c.other] = 1;
  }
  if (nodes_) {
    const View<const std::uint8_t> all = nodes_->resting();
    std::copy(all.data, all.data + all.n, resting.data());
  }
  ContactStage stage;
  stage.blocks.resize(1);
  stage.given.resize(w.solid.rigid.size());
  for (int k = 0; k < contactCount; ++k) {
    const DeviceContact& c = contacts[k];
    stage.blocks[0].contacts.push_back(
        {c.row, c.surface, Vec3f{c.n[0], c.n[1], c.n[2]}, c.b0, c.b1, Vec3f{c.moved[0], c.moved[1], c.moved[2]}, c.squeezed != 0});
  }
  w.fluid.kind.swap(kind);  // the masses of these particles; those of the world are on the device
  stage.reaction.begin(w, std::as_const(resting).view());
  for (const Contact& c : stage.blocks[0].contacts)
    stage.reaction.moved(boundary_->surface(c.surface), c, particleMass(w, c.particle), u[c.particle]);
  stage.reaction.shiftBack(w, x.view(), std::as_const(u).view(), double(kMostShift * boundary_->impl().contact));
  applyContactImpulses(w, *boundary_, stage, std::as_const(x).view(), u.view());
  stage.reaction.restoreSpin(w, std::as_const(x).view(), u.view());
  w.fluid.kind.swap(kind);
  for (int k = 0; k < count; ++k) {
    storeVec4(rows[k].x, x[k]);
    storeVec4(rows[k].u, u[k]);
  }
}

}  // namespace meniscus
