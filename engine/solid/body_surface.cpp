#include "engine/solid/body_surface.h"

#include "engine/solid/primitive_pose.h"
#include "engine/solid/rigid.h"

namespace meniscus {

BodySurface::BodySurface(const SolidState& s, Index rigid) : rigid_(rigid) {
  const RigidBody& b = s.rigid[std::size_t(rigid)];
  ball_ = b.reach;
  if (b.body < 0) {
    const ShapeDef shape = scaledShape(b.shape, b.scale, b.name);
    shape_ = primitiveOf(shape);
    turn_ = frameOf(shape);
    bounded_ = shape.kind != ShapeKind::plane && !shape.container;
    return;
  }
  const Body& body = s.bodies[std::size_t(b.body)];
  std::vector<Index> tri;
  for (Index t = 3 * body.triBegin; t < 3 * body.triEnd; ++t) tri.push_back(s.tri[t] - body.nodeBegin);
  tree_ = std::make_shared<const TriangleTree>(s.xRest.data() + body.nodeBegin, tri, body.closed);
  side_ = b.shape.container ? -1.0 : 1.0;
}

NodeObstacle BodySurface::placed(const SolidState& s) const {
  const RigidBody& b = s.rigid[std::size_t(rigid_)];
  return {shape_, b.q * turn_, b.x, b.v, b.omega, b.reach, b.material.friction, rigid_, bounded_};
}

bool BodySurface::distance(const Vec3d& p, double reach, double& d, Vec3d& n) const {
  if (!tree_) {
    NearestObstacle best;
    best.distance = reach;
    const NodeObstacle own{shape_, turn_, {}, {}, {}, ball_, 0, rigid_, bounded_};
    if (!own.look(p, best)) return false;
    d = best.distance;
    n = best.n;
    return true;
  }
  TriangleTree::Hit hit;
  if (!tree_->closest(p, reach, hit)) return false;
  d = side_ * hit.distance;
  n = hit.n * side_;
  return d < reach;
}

bool BodySurface::look(const SolidState& s, const Vec3d& x, double reach, NearestObstacle& best) const {
  if (!tree_) return placed(s).look(x, best);
  const RigidBody& b = s.rigid[std::size_t(rigid_)];
  TriangleTree::Hit hit;
  // a container is left through its surface: its inside is found however far the surface is, its outside within reach
  const double within = side_ < 0 ? reach : best.distance > 0 ? best.distance : 0;
  if (!tree_->closest(b.q.conjugate().rotate(x - b.x), within, hit)) return false;
  const double d = side_ * hit.distance;
  if (!(d < best.distance)) return false;
  const Vec3d n = b.q.rotate(hit.n * side_);
  best = {d, n, pointVelocity(b, x - n * d), b.material.friction, rigid_};
  return true;
}

}  // namespace meniscus
