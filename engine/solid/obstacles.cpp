#include "engine/solid/obstacles.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/solid/contact.h"
#include "engine/solid/motion.h"
#include "engine/solid/primitive_pose.h"
#include "kernels/solid/rotation.h"

namespace meniscus {
namespace {

// The rotation of least angle from z to the unit vector n.
Quatd turnTo(const Vec3d& n) {
  if (n.z < -1 + 1e-12) return {0, 1, 0, 0};
  return Quatd{1 + n.z, -n.y, n.x, 0}.normalizedQuat();
}

}  // namespace

PrimitiveShape<double> primitiveOf(const ShapeDef& s) {
  PrimitiveShape<double> p;
  p.container = s.container;
  p.half = s.size * 0.5;
  p.radius = s.radius;
  p.halfHeight = 0.5 * s.height;
  switch (s.kind) {
    case ShapeKind::box:
      p.kind = PrimitiveKind::box;
      break;
    case ShapeKind::sphere:
      p.kind = PrimitiveKind::sphere;
      break;
    case ShapeKind::cylinder:
      p.kind = PrimitiveKind::cylinder;
      break;
    case ShapeKind::capsule:
      p.kind = PrimitiveKind::capsule;
      break;
    default:
      p.kind = PrimitiveKind::plane;
      break;
  }
  return p;
}

Quatd frameOf(const ShapeDef& s) { return s.kind == ShapeKind::plane ? turnTo(normalized(s.normal)) : Quatd{}; }

SceneObstacles::SceneObstacles(const DomainDef& domain, const SolidState& state) : domain_(domain), state_(state) {
  for (std::size_t k = 0; k < state.rigid.size(); ++k) {
    if (state.rigid[k].invMass > 0) continue;
    if (state.rigid[k].body >= 0)
      addMesh(k);
    else
      addPrimitive(k);
  }
}

void SceneObstacles::addPrimitive(std::size_t rigid) {
  const RigidBody& b = state_.rigid[rigid];
  const ShapeDef shape = scaledShape(b.shape, b.scale, b.name);
  const bool plane = shape.kind == ShapeKind::plane;
  primitives_.push_back({rigid, primitiveOf(shape), frameOf(shape), !plane && !shape.container});
}

void SceneObstacles::addMesh(std::size_t rigid) {
  const RigidBody& b = state_.rigid[rigid];
  const Body& body = state_.bodies[std::size_t(b.body)];
  std::vector<Index> tri;
  for (Index t = 3 * body.triBegin; t < 3 * body.triEnd; ++t) tri.push_back(state_.tri[t] - body.nodeBegin);
  meshes_.push_back({rigid, TriangleTree(state_.xRest.data() + body.nodeBegin, tri, body.closed), b.shape.container ? -1.0 : 1.0});
}

bool SceneObstacles::nearest(const Vec3d& x, double reach, double& distance, Vec3d& n, Vec3d& v, double& friction) const {
  NearestObstacle f;
  const bool any = search(x, reach, f);
  distance = f.distance;
  if (!any) return false;
  n = f.n;
  v = f.v;
  friction = f.friction;
  return true;
}

Index SceneObstacles::nearestRigid(const Vec3d& x, double reach) const {
  NearestObstacle f;
  return search(x, reach, f) ? f.rigid : -1;
}

ObstacleWalls SceneObstacles::walls() const {
  ObstacleWalls w{domain_.min, domain_.max, {}, domain_.friction};
  for (int k = 0; k < 6; ++k) w.wall[k] = domain_.walls[k];
  return w;
}

NodeObstacle SceneObstacles::placed(const Primitive& p) const {
  const RigidBody& b = state_.rigid[p.rigid];
  return {p.shape, b.q * p.turn, b.x, b.v, b.omega, b.reach, b.material.friction, Index(p.rigid), p.bounded};
}

bool SceneObstacles::analytic(ObstacleWalls& all, std::vector<NodeObstacle>& solids) const {
  all = walls();
  solids.clear();
  for (const Primitive& p : primitives_) solids.push_back(placed(p));
  return meshes_.empty();
}

void SceneObstacles::keepStartingGaps(SolidState& s, double margin) const {
  s.work.clearance.assign(s.x.size(), std::numeric_limits<double>::infinity());
  for (const Body& b : s.bodies)
    for (Index i = b.nodeBegin; b.rigid < 0 && i < b.nodeEnd; ++i) {
      NearestObstacle f;
      if (search(s.xRest[i], margin, f, true)) s.work.clearance[i] = std::max(0.0, f.distance);
    }
  // to the others where they start: a solver may be made anew while they are somewhere else. Key frames that a program gave later
  // do not say where that was.
  std::vector<std::pair<Vec3d, Quatd>> now;
  for (RigidBody& b : s.rigid) {
    now.emplace_back(b.x, b.q);
    if (b.invMass != 0) continue;
    const Pose key = b.motion.empty() || b.motion.front().time > 0 ? Pose{{}, {}} : poseAt(b.motion, 0);
    b.x = b.start.translate + key.x;
    b.q = (key.q * b.start.rotate).normalizedQuat();
  }
  s.work.rigidClearance.clear();
  Buffer<double> gaps;
  for (std::size_t k = 0; k < s.rigid.size(); ++k)
    for (const double gap : startingGaps(s, *this, Index(k), margin)) gaps.push_back(gap);
  s.work.rigidClearance = gaps;
  for (std::size_t k = 0; k < s.rigid.size(); ++k) std::tie(s.rigid[k].x, s.rigid[k].q) = now[k];
}

bool SceneObstacles::search(const Vec3d& x, double reach, NearestObstacle& best, bool fixedOnly) const {
  best.distance = reach;
  bool found = walls().look(x, best);
  const auto counts = [&](std::size_t rigid) {
    return !fixedOnly || (!state_.rigid[rigid].kinematic && state_.rigid[rigid].motion.empty());
  };
  for (const Primitive& p : primitives_)
    if (counts(p.rigid)) found |= placed(p).look(x, best);
  const auto take = [&](std::size_t rigid, double d, const Vec3d& normal) {
    const RigidBody& b = state_.rigid[rigid];
    best = {d, normal, pointVelocity(b, x - normal * d), b.material.friction, Index(rigid)};
    found = true;
  };
  for (const Mesh& m : meshes_) {
    if (!counts(m.rigid)) continue;
    const RigidBody& b = state_.rigid[m.rigid];
    TriangleTree::Hit hit;
    // a container is left through its surface: its inside is found however far the surface is, its outside within reach
    const double within = m.side < 0 ? reach : best.distance > 0 ? best.distance : 0;
    if (!m.tree.closest(b.q.conjugate().rotate(x - b.x), within, hit)) continue;
    const double d = m.side * hit.distance;
    if (d < best.distance) take(m.rigid, d, b.q.rotate(hit.n * m.side));
  }
  return found;
}

}  // namespace meniscus
