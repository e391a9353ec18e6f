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

SceneObstacles::SceneObstacles(const DomainDef& domain, const SolidState& state) : domain_(domain), state_(state), pairs_(state) {
  for (const bool meshes : {false, true})
    for (std::size_t k = 0; k < state.rigid.size(); ++k)
      if (state.rigid[k].invMass == 0 && (state.rigid[k].body >= 0) == meshes) surfaces_.emplace_back(state, Index(k));
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

bool SceneObstacles::analytic(ObstacleWalls& all, std::vector<NodeObstacle>& solids) const {
  all = walls();
  solids.clear();
  for (const BodySurface& b : surfaces_)
    if (!b.isMesh()) solids.push_back(b.placed(state_));
  return solids.size() == surfaces_.size();
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
  for (const BodySurface& b : surfaces_) {
    const RigidBody& r = state_.rigid[std::size_t(b.rigid())];
    if (fixedOnly && (r.kinematic || !r.motion.empty())) continue;
    found |= b.look(state_, x, reach, best);
  }
  return found;
}

}  // namespace meniscus
