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
  const ConstraintSet& c = s.constraints;
  DeviceSweep d{};
  d.constraints = Index(c.items.size());
  d.restCount = Index(s.rest.size());
  d.colours = Index(c.colourBegin.size()) - 1;
  d.fresh = fresh_;
  d.constraint = c.items.data();
  d.rest = s.rest.data();
  d.colourBegin = c.colourBegin.data();
  d.lambda = solved_ ? nullptr : c.lambda.data();
  d.again = begun_;
  if (!solved_) {
    d.xPrev = &s.xPrev.data()->x;
    d.w = s.w.data();
    d.wNormal = invMassNormal;
    d.normal = &normal->x;
  }
  d.leftOut = solved_ ? nullptr : leftOut;
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
  begun_ = true;
  contacts_ = d.contacts != 0;
  return contacts_;
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
  ask(device_->endSweeps(device_->device, solved_ ? nullptr : lambda.data(), solved_ ? nullptr : contacts.data()));
  begun_ = false;
}

void RemotePressure::begin(const World& world, const DeviceJoint& device, Index particles) {
  constraints_.tabulate(world.solid);
  firstSolve_ = true;
  device_ = &device;
  sweeps_.start(device, true);
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
  holds_.own.assign(rigids, {});
  holds_.islands.assign(1, 0.0);
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
  const SolidState& s = world_->solid;
  r.table = constraints_.table();
  r.firstOfStep = firstSolve_;
  r.nodeX = nodes_ > 0 ? &s.x.data()->x : nullptr;
  r.nodeStart = nodes_ > 0 && firstSolve_ ? &s.xPrev.data()->x : nullptr;
  r.lambda = firstSolve_ ? s.constraints.lambda.data() : nullptr;
  r.dt = dt_;
  r.solvable = s.work.solvable;
  r.multiplierScale = multiplierScale_;
  r.diagFloor = diagFloor_;
  r.rows = constraintRows_;
  r.entries = rowBegin_[std::size_t(constraintRows_)];
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
  r.bodyHold = holds_.own.empty() ? nullptr : &holds_.own.data()->along[0].linear.x;
  r.islands = holds_.islands.data();
  r.islandNumbers = std::int32_t(holds_.islands.size());
  r.tolerance = tolerance;
  r.constraintsAct = constraintsSetMeasure() ? 1 : inNodes_ ? 2 : 0;
  r.quiet = kQuiet / (dt_ * dt_);
  r.quietConstraint = kQuietConstraint / (dt_ * dt_);
  r.x = p_.data() + layout_.rows;
  r.nodeAcceleration = nodes_ > 0 ? &nodeB_.data()->x : nullptr;
  r.bodyAcceleration = bodyAcceleration_.data();
  ask(device_->solve(device_->device, &r));
  firstSolve_ = false;
  constraints_.sent();
  rowsThere_ = Index(r.constraintRows);
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

void RemotePressure::wetNodes(double* mass, Vec3d* normal) {
  ask(device_->wetNodes(device_->device, mass, normal ? &normal->x : nullptr));
}
void RemotePressure::waterInertia(const Vec3d* pivot, double* inertia, double* internal) {
  bodyNodes_.clear();
  for (const Body& b : world_->solid.bodies) bodyNodes_.insert(bodyNodes_.end(), {b.nodeBegin, b.nodeEnd});
  ask(device_->waterInertia(device_->device, &pivot->x, bodyNodes_.data(), inertia, internal));
}
void RemoteSweeps::readOutcome(SolidState& s) {
  Buffer<double>& lambda = s.constraints.lambda;
  if (lambda.empty()) return;
  depth_.resize(s.x.size());
  ask(device_->outcome(device_->device, lambda.data(), contacts_ ? depth_.data() : nullptr));
  for (std::size_t i = 0; contacts_ && i < depth_.size(); ++i) s.work.nodeContacts[i].depth = depth_[i];
}
void RemotePressure::takeMotion(const double* motion) { ask(device_->takeMotion(device_->device, motion)); }

}  // namespace meniscus
