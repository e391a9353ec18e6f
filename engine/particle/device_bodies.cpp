#include "engine/particle/device_bodies.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/error.h"
#include "engine/solid/body_contact.h"
#include "engine/solid/motion.h"
#include "engine/solid/rigid.h"

namespace meniscus {
namespace {

void copy3(const Vec3d& from, double (&to)[3]) {
  for (int k = 0; k < 3; ++k) to[k] = from[k];
}
void copy9(const Mat3d& from, double (&to)[9]) {
  for (int k = 0; k < 9; ++k) to[k] = from.r[k / 3][k % 3];
}

BodiesOfWorld& of(void* user) { return *static_cast<BodiesOfWorld*>(user); }

}  // namespace

BodiesOfWorld::BodiesOfWorld(World& world, const Boundary* boundary, CoupledNodes* nodes, double dt)
    : world_(world), boundary_(boundary), nodes_(nodes), dt_(dt), exec_(1), obstacles_(world.scene.domain, world.solid) {
  world.solid.work.touches.clear();
  // a world that no solver of the CPU's has seen
  if (world.solid.work.rigidClearance.size() != 6 * world.solid.rigid.size())
    obstacles_.keepStartingGaps(world.solid, world.scene.solver.contactDistance * world.dx);
  if (nodes_) nodes_->begin();
}

template <class Call>
int BodiesOfWorld::guarded(const Call& call) {
  try {
    call();
    return 0;
  } catch (const Error& e) {
    error_ = std::current_exception();
    return int(e.kind);
  } catch (...) {
    error_ = std::current_exception();
    return int(ErrorKind::internal);
  }
}

DeviceBodies BodiesOfWorld::calls() {
  DeviceBodies c;
  c.user = this;
  c.fastest = [](void* user, double remaining, double* speed) {
    return of(user).guarded([&] { *speed = of(user).fastest(remaining); });
  };
  c.move = [](void* user, double h, DeviceRigid* rigids, const DeviceNodes* nodes) {
    return of(user).guarded([&] { of(user).move(h, rigids, nodes); });
  };
  c.viscous = [](void* user, double h, const double* rigidChange, const double* nodeChange, double* gained) {
    return of(user).guarded([&] { of(user).viscous(h, rigidChange, nodeChange, gained); });
  };
  c.beginCoupling = [](void* user, double h, double* velocity, const DeviceNodes* nodes) {
    return of(user).guarded([&] { of(user).beginCoupling(h, velocity, nodes); });
  };
  c.beforeSolve = [](void* user, double* velocity, double* hold, const double** islands, int* islandNumbers, double* tolerance) {
    return of(user).guarded([&] { of(user).beforeSolve(velocity, hold, islands, islandNumbers, tolerance); });
  };
  c.afterSolve = [](void* user, double h, const double* acceleration, int converged, int filmsChanged, int* again) {
    return of(user).guarded([&] { *again = of(user).afterSolve(h, acceleration, converged != 0, filmsChanged != 0); });
  };
  c.endCoupling = [](void* user, double h, DeviceRigid* rigids, double* velocity, const DeviceNodes* nodes) {
    return of(user).guarded([&] { of(user).endCoupling(h, rigids, velocity, nodes); });
  };
  c.regions = [](void* user, double h, int count, const DeviceRegion* regions, float* more) {
    return of(user).guarded([&] { of(user).nodes_->regions(h, count, regions, more); });
  };
  c.couple = [](void* user, double h, const DeviceJoint* device) {
    return of(user).guarded([&] { of(user).nodes_->couple(h, *device); });
  };
  c.contacts = [](void* user, DeviceContactRow* rows, int count, const DeviceContact* contacts, int contactCount) {
    return of(user).guarded([&] { of(user).contacts(rows, count, contacts, contactCount); });
  };
  c.finish = [](void* user, double h, const double* force, double volumeChange, double surface) {
    return of(user).guarded([&] { of(user).finish(h, force, volumeChange, surface); });
  };
  return c;
}

// As ParticleSolver's rule for the length of sub-steps: the bodies' speeds now, and what key frames ask for.
double BodiesOfWorld::fastest(double remaining) const {
  const SolidState& s = world_.solid;
  const double across = norm(world_.scene.domain.max - world_.scene.domain.min), end = world_.time + remaining;
  constexpr double kMostSpeed = 1e8;  // m/s
  double fastest = 0;
  for (const RigidBody& r : s.rigid) {
    if (!(norm(r.v) <= kMostSpeed) || !(norm(r.omega) <= kMostSpeed))
      throw Error(ErrorKind::simulation, fmt::format("the simulation is no longer finite: {} has no valid velocity", r.name));
    if (r.body < 0) {
      fastest = std::max(fastest, norm(r.v) + norm(r.omega) * std::min(r.reach, across));
    } else {
      const Body& b = s.bodies[std::size_t(r.body)];
      for (Index i = b.nodeBegin; i < b.nodeEnd; ++i) fastest = std::max(fastest, norm(s.v[i]));
    }
    if (r.kinematic) fastest = std::max(fastest, greatestSpeed(r.motion, std::min(r.reach, across), world_.time, end));
  }
  if (nodes_) fastest = std::max(fastest, nodes_->fastest(remaining, kMostSpeed));
  return fastest;
}

void BodiesOfWorld::move(double h, DeviceRigid* out, const DeviceNodes* nodes) {
  coupled_ = false;
  predictSolids(exec_, world_.solid, world_.scene.gravity, world_.time, h);
  findContacts();
  place(out);
  if (!nodes) return;
  nodes_->fill(*nodes);
  nodes_->fillStart(*nodes, h);
}

// A device has no rows of rigid bodies with nodes.
void BodiesOfWorld::findContacts() {
  SolidState& s = world_.solid;
  findBodyContacts(s, obstacles_.pairs(), world_.scene.solver.contactDistance * world_.dx);
  std::vector<BodyContact>& all = s.work.bodyContacts;
  for (const BodyContact& c : all)
    if (c.rigid >= 0 && c.acts)
      throw Error(ErrorKind::deviceNotAvailable,
                  fmt::format("\"{}\" touches \"{}\"; only the CPU's solver has rigid bodies that touch "
                              "bodies that deform: use --device cpu",
                              s.rigid[std::size_t(c.rigid)].name, s.bodies[bodyOfNode(s, c.node[0])].name));
  all.erase(std::remove_if(all.begin(), all.end(), [](const BodyContact& c) { return c.rigid >= 0; }), all.end());
}

void BodiesOfWorld::place(DeviceRigid* out) const {
  const Vec3d& origin = world_.scene.domain.min;
  for (const RigidBody& r : world_.solid.rigid) {
    DeviceRigid& d = *out++;
    copy3(r.xPrev - origin, d.xStart);
    copy3(r.x - origin, d.x);
    copy9(r.qPrev.matrix(), d.rotationStart);
    copy9(r.q.matrix(), d.rotation);
    copy3(r.v, d.v);
    copy3(r.omega, d.omega);
    d.invMass = r.invMass;
    copy9(inWorldAxes(r.qPrev, r.invInertia), d.invInertia);
  }
}

// As Viscosity::finish.
void BodiesOfWorld::viscous(double h, const double* rigidChange, const double* nodeChange, double* gained) {
  SolidState& s = world_.solid;
  Vec3d sum{};
  for (std::size_t i = 0; nodeChange && i < s.x.size(); ++i) {
    if (s.w[i] <= 0) continue;
    const Vec3d d{nodeChange[3 * i], nodeChange[3 * i + 1], nodeChange[3 * i + 2]};
    s.v[i] += d;
    s.x[i] += d * h;
    sum += d * (1 / s.w[i]);
  }
  for (std::size_t i = 0; i < s.rigid.size(); ++i) {
    RigidBody& r = s.rigid[i];
    if (r.invMass == 0) continue;
    const double* const d = rigidChange + 6 * i;
    addRigidVelocity(r, {d[0], d[1], d[2]}, {d[3], d[4], d[5]}, h);
    placeRigidNodes(s, r);
    sum += Vec3d{d[0], d[1], d[2]} * r.mass;
  }
  for (int k = 0; k < 3; ++k) gained[k] = sum[k];
}

void BodiesOfWorld::finish(double h, const double* force, double volumeChange, double surface) {
  SolidState& s = world_.solid;
  for (std::size_t i = 0; i < s.rigid.size(); ++i) {
    s.rigid[i].fluidForce = {force[3 * i], force[3 * i + 1], force[3 * i + 2]};
    if (!coupled_) rigidNodeVelocities(s, s.rigid[i]);
  }
  if (nodes_) nodes_->measure(h, volumeChange, surface);
  world_.time += h;
}

void BodiesOfWorld::complete(StepReport& r) const {
  if (nodes_) {
    const StepReport& s = world_.report;
    r.couplingIterations = s.couplingIterations;
    r.couplingResidual = s.couplingResidual;
    r.constraintRows = s.constraintRows;
    r.converged = s.converged;
    r.reason = s.reason;
    return;
  }
  r.couplingIterations = std::max(r.couplingIterations, mostIterations_);
  r.couplingResidual = residual_;
  if (reason_.empty()) return;
  r.converged = false;
  r.reason = reason_;
}

}  // namespace meniscus
