#include "engine/particle/remote_pressure.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "engine/base/error.h"
#include "engine/solid/obstacles.h"
#include "kernels/solid/project_constraint.h"

namespace meniscus {
namespace {

// The device keeps what went wrong and says it once its own call is over.
void ask(int status) {
  if (status != 0) throw Error(ErrorKind(status), "a joint solve on a device");
}

}  // namespace

bool RemoteSweeps::begin(const SolidState& s, double dt, const double* invMassNormal, const Vec3d* normal,
                         const std::uint8_t* leftOut, const Obstacles* obstacles, double margin) {
  static_assert(sizeof(Constraint) == sizeof(StoredConstraint) && offsetof(Constraint, type) == offsetof(StoredConstraint, type) &&
                offsetof(Constraint, rest) == offsetof(StoredConstraint, rest) && int(ConstraintType::count) == kConstraintKinds);
  const ConstraintSet& c = s.constraints;
  DeviceSweep d{};
  d.constraints = Index(c.items.size());
  d.restCount = Index(s.rest.size());
  d.colours = Index(c.colourBegin.size()) - 1;
  d.fresh = fresh_;
  d.constraint = c.items.data();
  d.rest = s.rest.data();
  d.colourBegin = c.colourBegin.data();
  d.lambda = c.lambda.data();
  d.xPrev = &s.xPrev.data()->x;
  d.w = s.w.data();
  d.wNormal = invMassNormal;
  d.normal = &normal->x;
  d.leftOut = leftOut;
  d.x = &s.x.data()->x;
  ObstacleWalls walls{};
  const auto* const ofScene = dynamic_cast<const SceneObstacles*>(obstacles);
  d.contacts = ofScene && ofScene->analytic(walls, obstacles_);
  if (d.contacts) {
    friction_.assign(s.x.size(), 0.0);
    for (const Body& b : s.bodies)
      if (b.rigid < 0) std::fill(friction_.begin() + b.nodeBegin, friction_.begin() + b.nodeEnd, b.material.friction);
    d.walls = &walls;
    d.obstacle = obstacles_.data();
    d.obstacles = Index(obstacles_.size());
    d.friction = friction_.data();
    d.clearance = s.work.clearance.size() == s.x.size() ? s.work.clearance.data() : nullptr;
    d.margin = margin;
  }
  d.dt = dt;
  d.solvable = s.work.solvable;
  ask(device_->beginSweeps(device_->device, &d));
  fresh_ = false;
  return d.contacts != 0;
}
bool RemoteSweeps::sweep(Buffer<Vec3d>& x, int times, double most) {
  double moved = 0;
  answer_ = x;
  ask(device_->sweep(device_->device, times, &answer_.data()->x, &moved));
  if (!(moved <= most)) return false;
  std::copy(answer_.data(), answer_.data() + answer_.size(), x.data());
  return true;
}
void RemoteSweeps::end(Buffer<double>& lambda, Buffer<NodeContact>& contacts) {
  static_assert(sizeof(NodeContact) == sizeof(NodeAtObstacle) && offsetof(NodeContact, moved) == offsetof(NodeAtObstacle, moved) &&
                offsetof(NodeContact, depth) == offsetof(NodeAtObstacle, depth));
  ask(device_->endSweeps(device_->device, lambda.data(), contacts.data()));
}

// Seldom others than before; weak ones do not hang on where the nodes are.
void RemotePressure::tabulateEdges(const SolidState& s, double dt, double solvable) {
  EdgeTable& t = edgeTable_;
  const auto same = [](const auto& a, const auto& b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof a[0]) == 0);
  };
  const bool sameEdges = same(t.items, s.constraints.items) && same(t.rest, s.rest);
  if (sameEdges && same(t.w, s.w) && t.dt == dt && t.solvable == solvable) return;
  t.dt = dt;
  t.solvable = solvable;
  t.w = s.w;
  if (!sameEdges) {
    t.items = s.constraints.items;
    t.rest = s.rest;
    t.stored.clear();
    t.there = false;
    for (Index i = 0; i < Index(t.items.size()); ++i) {
      const Constraint& c = t.items[std::size_t(i)];
      if (c.type == ConstraintType::distance)
        t.stored.push_back({c.node[0], c.node[1], i, c.compliance, c.stiffness, c.damping, t.rest[std::size_t(c.rest)]});
    }
  }
  t.weak = false;
  for (const StoredEdge& e : t.stored) {
    const double gWg = s.w[std::size_t(e.a)] + s.w[std::size_t(e.b)];
    if (e.stiffness == 0 || !(gWg > 0)) continue;
    const CompliantValue value = damped(0, complianceTilde(e, gWg, dt), e.damping / dt, 0);
    t.weak |= isWeak(gWg, Xpbd<double>::solvableAlphaTilde(value.alphaTilde, solvable, gWg));
  }
}

void RemotePressure::begin(const World& world, const DeviceJoint& device, Index particles, double dt, double solvable) {
  tabulateEdges(world.solid, dt, solvable);
  firstSolve_ = true;

  device_ = &device;
  sweeps_.start(device);
  particles_ = particles;
  filmsChanged_ = false;
  world_ = &world;
  fluidRows_ = constraintRows_ = near_ = 0;
  nodes_ = Index(world.solid.x.size());
  coupled_ = true;
  constraintsAct_ = false;
  layout_ = RowLayout::make(0, 0, 0);
  nodeW_ = world.solid.w;
  nodeB_.resizeUninitialized(std::size_t(nodes_));
  inNodes_ = false;
  for (const double w : nodeW_) inNodes_ |= w > 0;
  const std::size_t rigids = world.solid.rigid.size();
  rigidB_.assign(rigids, {});
  rigidBOmega_.assign(rigids, {});
  rigidHold_.assign(rigids, {});
  bodyVelocity_.assign(6 * rigids, 0.0);
  bodyAcceleration_.assign(6 * rigids, 0.0);
}

void RemotePressure::setRightHandSide(Exec&, View<const Vec4f>, const Buffer<Vec3d>& nodeVelocity,
                                      const std::vector<Vec3d>& rigidLinear, const std::vector<Vec3d>& rigidAngular,
                                      View<const float>, double dt) {
  dt_ = dt;
  nodeVelocity_ = nodeVelocity.data();
  for (std::size_t i = 0; i < rigidLinear.size(); ++i)
    for (int k = 0; k < 3; ++k) {
      bodyVelocity_[6 * i + std::size_t(k)] = rigidLinear[i][k];
      bodyVelocity_[6 * i + 3 + std::size_t(k)] = rigidAngular[i][k];
    }
}

SolveReport RemotePressure::solve(Exec&, double tolerance, int) {
  DeviceJointRows r{};
  r.edges = layout_.edgeCount();
  r.rows = constraintRows_;
  r.entries = rowBegin_[std::size_t(constraintRows_)];
  const SolidState& s = world_->solid;
  if (hasEdges()) {
    edgeLambda_.resize(std::size_t(r.edges));
    r.firstOfStep = firstSolve_;
    r.storedEdge = edgeTable_.there ? nullptr : edgeTable_.stored.data();
    r.constraints = Index(s.constraints.lambda.size());
    r.nodeX = &s.x.data()->x;
    r.nodeStart = &s.xPrev.data()->x;
    r.edgeLambda = s.constraints.lambda.data();
    r.dt = dt_;
    r.solvable = s.work.solvable;
    r.multiplierScale = multiplierScale_;
    r.diagFloor = diagFloor_;
    r.edgeMultiplier = edgeLambda_.data();
  } else {
    r.edge = edges_.data();
    r.edgeRate = r.edges > 0 ? &edgeRate_.data()->x : nullptr;
  }
  r.rowBegin = rowBegin_.data();
  r.rowNode = rowNode_.data();
  r.rowGrad = r.entries > 0 ? &rowGrad_.data()->x : nullptr;
  r.compliance = rowCompliance_.data();
  r.rate = rowRate_.data();
  r.measure = rowMeasure_.data();
  r.diagonal = diag_.data() + layout_.rows;
  r.entryBegin = nodeEntryBegin_.data();
  r.entryRow = nodeEntryRow_.data();
  r.entryGrad = r.entries > 0 ? &nodeEntryGrad_.data()->x : nullptr;
  r.nodeVelocity = nodes_ > 0 ? &nodeVelocity_->x : nullptr;
  r.bodyVelocity = bodyVelocity_.data();
  static_assert(sizeof(RigidHold) == 36 * sizeof(double));
  r.bodyHold = rigidHold_.empty() ? nullptr : &rigidHold_.data()->along[0].linear.x;
  r.tolerance = tolerance;
  r.constraintsAct = constraintsSetMeasure() ? 1 : hasEdges() && inNodes_ ? 2 : 0;
  r.quiet = kQuiet / (dt_ * dt_);
  r.quietConstraint = kQuietConstraint / (dt_ * dt_);
  r.x = p_.data();
  r.nodeAcceleration = nodes_ > 0 ? &nodeB_.data()->x : nullptr;
  r.bodyAcceleration = bodyAcceleration_.data();
  ask(device_->solve(device_->device, &r));
  firstSolve_ = false;
  edgeTable_.there |= hasEdges();
  edgeRows_ = Index(r.edgeRowCount);
  edgePush2_ = r.edgePush2;
  edgeAll2_ = r.edgeAll2;
  for (std::size_t i = 0; i < rigidB_.size(); ++i) {
    const double* const a = &bodyAcceleration_[6 * i];
    rigidB_[i] = {a[0], a[1], a[2]};
    rigidBOmega_[i] = {a[3], a[4], a[5]};
  }
  filmsChanged_ = r.filmsChanged != 0;
  return {r.iterations, 0, r.converged != 0};
}

void RemotePressure::wetNodes(double* mass, Vec3d* normal) { ask(device_->wetNodes(device_->device, mass, &normal->x)); }
void RemotePressure::waterInertia(const Vec3d* pivot, double* inertia) {
  ask(device_->waterInertia(device_->device, &pivot->x, inertia));
}
void RemotePressure::takeMotion(const double* motion) { ask(device_->takeMotion(device_->device, motion)); }

}  // namespace meniscus
