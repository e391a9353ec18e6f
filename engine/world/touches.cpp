#include "engine/world/touches.h"

#include <algorithm>
#include <cmath>

#include "engine/scene/surface_tree.h"
#include "engine/solid/primitive_pose.h"

namespace meniscus {
namespace {

// Spacings beyond the distance at which particles rest before a surface.
constexpr double kBegin = 0.25, kEnd = 0.5;

// The box about the body in the domain's frame [m]; planes, and containers that are open to the outside, take all of it.
void boundsOf(const World& w, const RigidBody& b, double reach, Vec3d& lo, Vec3d& hi) {
  const double r = b.shape.kind == ShapeKind::plane ? norm(w.scene.domain.max - w.scene.domain.min) + norm(b.x) : b.reach + reach;
  lo = b.x - w.scene.domain.min - Vec3d{r, r, r};
  hi = b.x - w.scene.domain.min + Vec3d{r, r, r};
}

bool wetsPrimitive(const World& w, const ParticleGrid& grid, const RigidBody& b, double reach, Vec3d& at) {
  const PrimitivePose p = primitivePose(b);
  Vec3d lo, hi;
  boundsOf(w, b, reach, lo, hi);
  bool wet = false;
  grid.forEachIn(lo, hi, [&](Index i) {
    if (wet) return;
    const Vec3d x = w.scene.domain.min + Vec3d(w.fluid.x[std::size_t(i)].xyz());
    PrimitiveFeature<double> f[kMaxPrimitiveFeatures];
    const int n = primitiveFeatures(p.shape, p.turn.conjugate().rotate(x - b.x), reach, f);
    if (n == 0) return;
    wet = true;
    at = x - p.turn.rotate(f[0].n) * f[0].d;
  });
  return wet;
}

bool wetsSurface(const World& w, const ParticleGrid& grid, const Body& b, double reach, Vec3d& at) {
  const SolidState& s = w.solid;
  const Vec3d r{reach, reach, reach}, corner = w.scene.domain.min;
  bool wet = false;
  for (Index t = b.triBegin; t < b.triEnd && !wet; ++t) {
    const Index* v = s.tri.data() + 3 * std::size_t(t);
    const Vec3d p = s.x[std::size_t(v[0])] - corner, q = s.x[std::size_t(v[1])] - corner, o = s.x[std::size_t(v[2])] - corner;
    grid.forEachIn(minOf(p, minOf(q, o)) - r, maxOf(p, maxOf(q, o)) + r, [&](Index i) {
      if (wet) return;
      const Vec3d x = Vec3d(w.fluid.x[std::size_t(i)].xyz()), near = nearestOnTriangle(x, p, q, o);
      if (!(norm2(x - near) < reach * reach)) return;
      wet = true;
      at = near + corner;
    });
  }
  return wet;
}

}  // namespace

void TouchFinder::update(const World& w) {
  grid_.build(w);
  if (!obstacles_) obstacles_ = std::make_unique<SceneObstacles>(w.scene.domain, w.solid);
}

bool TouchFinder::wetted(const World& w, std::size_t number, bool before, Vec3d& x) const {
  if (w.fluid.n == 0) return false;
  const SolidState& s = w.solid;
  const double rest = std::max(0.5, w.scene.solver.contactDistance), reach = (rest + (before ? kEnd : kBegin)) * w.dx;
  if (number >= s.rigid.size()) {
    const Body& b = s.bodies[number - s.rigid.size()];
    return b.rigid < 0 && wetsSurface(w, grid_, b, reach, x);
  }
  const RigidBody& r = s.rigid[number];
  if (r.body >= 0) return wetsSurface(w, grid_, s.bodies[std::size_t(r.body)], reach, x);
  return wetsPrimitive(w, grid_, r, reach, x);
}

void TouchFinder::add(Index body, const Vec3d& x, double reach) {
  const Index rigid = obstacles_->nearestRigid(x, reach);
  if (rigid >= 0) addPair(body, rigid, x);
}

void TouchFinder::addPair(Index body, Index other, const Vec3d& x) {
  for (const Pair& p : pairs_)
    if (p.body == body && p.obstacle == other) return;
  pairs_.push_back({body, other, x});
}

const std::vector<TouchFinder::Pair>& TouchFinder::pairs(const World& w) {
  const SolidState& s = w.solid;
  const double reach = (w.scene.solver.contactDistance + 0.5) * w.dx;
  pairs_.clear();
  const auto touch = [&](Index rigid, Index other, const Vec3d& x) {
    if (other < 0)
      add(rigid, x, reach);
    else
      addPair(std::min(rigid, other), std::max(rigid, other), x);
  };
  for (const RigidTouch& t : s.work.touches) touch(t.rigid, t.other, t.x);
  for (const RigidContact& c : s.work.rigidContacts) {  // where others step the solids
    const RigidBody& b = s.rigid[std::size_t(c.rigid)];
    if (c.lambda > 0) touch(c.rigid, c.other, b.x + b.q.rotate(c.local));
  }
  for (const BodyContact& c : s.work.bodyContacts)
    if (c.rigid >= 0 && c.lambda > 0) {
      const RigidBody& b = s.rigid[std::size_t(c.rigid)];
      addPair(c.rigid, Index(s.rigid.size() + bodyOfNode(s, c.node[0])), b.x + b.q.rotate(c.local));
    }
  const bool known = s.work.nodeContacts.size() == s.x.size();
  for (std::size_t k = 0; known && k < s.bodies.size(); ++k) {
    if (s.bodies[k].rigid >= 0) continue;
    for (Index i = s.bodies[k].nodeBegin; i < s.bodies[k].nodeEnd; ++i)
      if (s.work.nodeContacts[std::size_t(i)].depth > 0 || s.contactLambda[std::size_t(i)] > 0)
        add(Index(s.rigid.size() + k), s.x[std::size_t(i)], reach);
  }
  std::sort(pairs_.begin(), pairs_.end(),
            [](const Pair& a, const Pair& b) { return a.body != b.body ? a.body < b.body : a.obstacle < b.obstacle; });
  return pairs_;
}

}  // namespace meniscus
