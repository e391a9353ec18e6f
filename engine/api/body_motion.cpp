// Where bodies are as a whole, how they move, and how they are moved.
#include <cmath>
#include <limits>

#include "engine/api/body_at.h"
#include "engine/api/convert.h"
#include "engine/api/grid_bodies.h"
#include "engine/api/motion.h"
#include "engine/solid/prescribed.h"
#include "engine/solid/rigid.h"
#include "engine/world/change_solids.h"

using namespace meniscus;
using namespace meniscus::api;

namespace {

// All nodes that are not held.
void setNodeMotion(const BodyAt& b, const Vec3d& linear, const Vec3d& angular) {
  const Vec3d c = motionOfNodes(b.state, *b.place.body).center;
  for (Index i = b.place.body->nodeBegin; i < b.place.body->nodeEnd; ++i)
    if (b.state.w[std::size_t(i)] > 0) b.state.v[std::size_t(i)] = linear + cross(angular, b.state.x[std::size_t(i)] - c);
}

// Largest distance [m] of what matters of the body from its origin.
double reachOf(const BodyAt& b) {
  const DomainDef& d = b.world.scene.domain;
  return std::min(b.rigid().reach, norm(d.max - d.min));
}

// Largest distance [m] of a point of the body from its centre of mass, or more.
double extentOf(const BodyAt& b) {
  if (!b.deformable()) return b.rigid().reach;
  const Vec3d c = motionOfNodes(b.state, *b.place.body).center;
  double most = 0;
  for (Index i = b.place.body->nodeBegin; i < b.place.body->nodeEnd; ++i)
    most = std::max(most, norm(b.state.x[std::size_t(i)] - c));
  return most;
}

// From the frame of the shape, which callers turn, to that of the principal axes.
Quatd axesOf(const BodyAt& b) {
  if (b.def.kind != SolidKind::rigid || !b.place.body) return {};
  return b.def.transform.rotate.normalizedQuat().conjugate() * b.rigid().start.rotate;
}

}  // namespace

extern "C" {

mnsResult mnsBody_GetTransform(mnsScene* scene, mnsBodyId body, mnsVec3* position, mnsQuat* rotation) {
  return read(scene, [&](mnsScene& s) {
    if (onGrid(s)) {
      const GridBody g = gridBody(s, body);
      if (position) *position = fromVec(g.report.x);
      if (rotation) *rotation = fromQuat(g.rotation);
      return MNS_OK;
    }
    const BodyAt b = bodyAt(s, body);
    if (b.deformable()) {
      if (position) *position = fromVec(motionOfNodes(b.state, *b.place.body).center);
      if (rotation) *rotation = fromQuat(b.def.transform.rotate);
      return MNS_OK;
    }
    const RigidBody& r = b.rigid();
    if (position) *position = fromVec(r.x);
    if (rotation) *rotation = fromQuat((r.q * axesOf(b).conjugate()).normalizedQuat());
    return MNS_OK;
  });
}

mnsResult mnsBody_GetVelocity(mnsScene* scene, mnsBodyId body, mnsVec3* linear, mnsVec3* angular) {
  return read(scene, [&](mnsScene& s) {
    RigidMotion m;
    if (onGrid(s)) {
      const offline::SolidReport r = gridBody(s, body).report;
      if (linear) *linear = fromVec(r.v);
      if (angular) *angular = fromVec(r.angular);
      return MNS_OK;
    }
    const BodyAt b = bodyAt(s, body);
    if (b.deformable()) {
      m = motionOfNodes(b.state, *b.place.body);
    } else {
      m.linear = b.rigid().v;
      m.angular = b.rigid().omega;
    }
    if (linear) *linear = fromVec(m.linear);
    if (angular) *angular = fromVec(m.angular);
    return MNS_OK;
  });
}

mnsResult mnsBody_GetMass(mnsScene* scene, mnsBodyId body, double* mass) {
  return read(scene, [&](mnsScene& s) {
    needPointer(mass, "mass");
    if (onGrid(s)) {
      const offline::SolidReport r = gridBody(s, body).report;
      *mass = r.moves ? r.mass : std::numeric_limits<double>::infinity();
      return MNS_OK;
    }
    const BodyAt b = bodyAt(s, body);
    if (b.deformable())
      *mass = motionOfNodes(b.state, *b.place.body).mass;
    else
      *mass = b.rigid().invMass > 0 ? b.rigid().mass : std::numeric_limits<double>::infinity();
    return MNS_OK;
  });
}

mnsResult mnsBody_GetFluidForce(mnsScene* scene, mnsBodyId body, mnsVec3* force) {
  return read(scene, [&](mnsScene& s) {
    needPointer(force, "force");
    const BodyAt b = bodyAt(s, body);
    if (b.deformable())
      fail(MNS_ERROR_WRONG_KIND, "the body \"{}\" is deformable; the fluid's force is known of bodies that move as a whole",
           b.def.name);
    *force = fromVec(b.rigid().fluidForce);
    return MNS_OK;
  });
}

mnsResult mnsBody_MoveTo(mnsScene* scene, mnsBodyId body, mnsVec3 position, mnsQuat rotation, double seconds) {
  return write(scene, [&](mnsScene& s) {
    const BodyAt b = bodyAt(s, body);
    needKinematic(b);
    const Pose to{toPlace(position, "position"), toQuat(rotation, "rotation")};
    needPositive(seconds, "seconds");
    RigidBody& r = b.rigid();
    needResolved(b.world, speedBetween({0, r.x, r.q}, {seconds, to.x, to.q}, reachOf(b)), "the body");
    moveBody(r, to, b.world.time, seconds);
    return MNS_OK;
  });
}

mnsResult mnsBody_SetTransform(mnsScene* scene, mnsBodyId body, mnsVec3 position, mnsQuat rotation) {
  return write(scene, [&](mnsScene& s) {
    const BodyAt b = bodyAt(s, body);
    needRigid(b);
    const Vec3d x = toPlace(position, "position");
    const Quatd q = toQuat(rotation, "rotation") * axesOf(b);
    placeRigidSolid(b.world, std::size_t(b.order), {x, q.normalizedQuat()});
    s.published.renewBodies();
    return MNS_OK;
  });
}

mnsResult mnsBody_SetVelocity(mnsScene* scene, mnsBodyId body, mnsVec3 linear, mnsVec3 angular) {
  return write(scene, [&](mnsScene& s) {
    const BodyAt b = bodyAt(s, body);
    needFree(b);
    const Vec3d v = toVec(linear, "linear"), omega = toVec(angular, "angular");
    needSpeed(norm(v) + norm(omega) * extentOf(b), "the velocity of the body");
    if (b.deformable()) {
      setNodeMotion(b, v, omega);
    } else {
      b.rigid().v = v;
      b.rigid().omega = omega;
      rigidNodeVelocities(b.state, b.rigid());
    }
    s.published.renewBodies();
    return MNS_OK;
  });
}

mnsResult mnsBody_ApplyImpulse(mnsScene* scene, mnsBodyId body, mnsVec3 impulse, const mnsVec3* point) {
  return write(scene, [&](mnsScene& s) {
    const BodyAt b = bodyAt(s, body);
    needFree(b);
    const Vec3d j = toVec(impulse, "impulse"), at = point ? toVec(*point, "point") : Vec3d{};
    const RigidMotion change = changeByImpulse(b.state, b.place, j, point ? &at : nullptr);
    needSpeed(fastestAfter(b.state, b.place, change), "the velocity of the body");
    addMotion(b.state, b.place, change);
    s.published.renewBodies();
    return MNS_OK;
  });
}

mnsResult mnsBody_ApplyForce(mnsScene* scene, mnsBodyId body, mnsVec3 force, const mnsVec3* point) {
  return write(scene, [&](mnsScene& s) {
    const BodyAt b = bodyAt(s, body);
    needFree(b);
    s.forces.push_back({b.order, toVec(force, "force"), point != nullptr, point ? toVec(*point, "point") : Vec3d{}, {}});
    return MNS_OK;
  });
}

}  // extern "C"
