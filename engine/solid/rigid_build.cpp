// Fixed, kinematic and rigid bodies from primitives and meshes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/base/error.h"
#include "engine/solid/build.h"
#include "engine/solid/motion.h"
#include "engine/solid/rigid.h"
#include "kernels/core/symmetric_eigen.h"

namespace meniscus {
namespace {

void checkMass(const SolidDef& def, double volume) {
  if (!(def.material.density > 0))
    throw Error(ErrorKind::input, fmt::format("{}: a rigid body needs a positive density", def.name));
  if (!(volume > 0)) throw Error(ErrorKind::input, fmt::format("{}: a rigid body needs a shape with a positive volume", def.name));
}

void setMass(RigidBody& b, double mass, const Vec3d& inertia) {
  b.mass = mass;
  b.invMass = 1 / mass;
  b.inertia = inertia;
  b.invInertia = {1 / inertia.x, 1 / inertia.y, 1 / inertia.z};
}

double reachOf(const ShapeDef& s) {
  switch (s.kind) {
    case ShapeKind::box:
      return 0.5 * norm(s.size);
    case ShapeKind::sphere:
      return s.radius;
    case ShapeKind::cylinder:
      return std::sqrt(s.radius * s.radius + 0.25 * s.height * s.height);
    case ShapeKind::capsule:
      return s.radius + 0.5 * s.height;
    default:
      return 0;
  }
}

// Nodes of a surface that moves with the body: rest positions in its frame.
void attachSurface(SolidState& s, RigidBody& b, const SolidDef& def, const SurfaceMesh& mesh, bool closed) {
  b.body = appendBody(s, def, mesh.x, mesh.tri);
  Body& body = s.bodies[std::size_t(b.body)];
  body.rigid = Index(s.rigid.size());
  body.closed = closed;
  body.twoSided = !closed;
  b.reach = 0;
  for (Index i = body.nodeBegin; i < body.nodeEnd; ++i) {
    s.xRest[i] = b.q.conjugate().rotate(s.x[i] - b.x);
    b.reach = std::max(b.reach, norm(s.xRest[i]));
  }
}

}  // namespace

Index addRigid(SolidState& s, const SolidDef& def, const SurfaceMesh* mesh) {
  RigidBody b;
  b.name = def.name;
  b.material = def.material;
  b.shape = def.shape;
  b.scale = def.transform.scale;
  b.start = def.transform;
  b.start.rotate = def.transform.rotate.normalizedQuat();
  b.kinematic = def.kind == SolidKind::kinematic;
  b.motion = def.motion;
  sortKeyFrames(b.motion);
  b.x = def.transform.translate;
  b.q = b.start.rotate;
  const bool rigid = def.kind == SolidKind::rigid;
  if (mesh) {
    const bool closed = isClosed(mesh->tri, uniqueEdges(mesh->tri));
    if (rigid) {
      if (!closed)
        throw Error(ErrorKind::input,
                    fmt::format("{}: a rigid body needs a closed surface; this one has a rim or flipped triangles", def.name));
      const MassProperties m = massProperties(*mesh);
      checkMass(def, m.volume);
      Mat3d axes;
      setMass(b, def.material.density * m.volume, symmetricEigen(m.inertia, axes) * def.material.density);
      b.x = m.center;
      b.q = quaternionOf(axes);
      b.start.translate = b.x;  // of the body's own frame, that of its principal axes
      b.start.rotate = b.q;
    }
    attachSurface(s, b, def, *mesh, closed);
  } else {
    const ShapeDef shape = scaledShape(def.shape, def.transform.scale, def.name);
    b.reach = reachOf(shape);
    if (rigid) {
      const MassProperties m = massProperties(shape);
      checkMass(def, m.volume);
      const Mat3d i = m.inertia * def.material.density;
      setMass(b, def.material.density * m.volume, {i.r[0].x, i.r[1].y, i.r[2].z});
    }
  }
  if (rigid) {
    b.v = def.velocity;
    b.omega = def.angularVelocity;
  } else {
    const Pose k = poseAt(b.motion, 0);
    b.x += k.x;
    b.q = (k.q * b.q).normalizedQuat();
  }
  b.xPrev = b.x;
  b.qPrev = b.qFree = b.q;
  b.omegaFree = b.omega;
  s.rigid.push_back(b);
  placeRigidNodes(s, b);
  rigidNodeVelocities(s, b);
  return Index(s.rigid.size()) - 1;
}

}  // namespace meniscus
