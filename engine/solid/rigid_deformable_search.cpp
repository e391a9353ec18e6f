// Where rigid bodies are near bodies that deform, at the start of a sub-step.
#include <algorithm>
#include <cmath>

#include "engine/solid/rigid.h"
#include "engine/solid/rigid_pairs.h"
#include "kernels/contact/triangle.h"
#include "kernels/solid/rotation.h"

namespace meniscus {
namespace {

// Contacts are looked for within this many margins and the way that both bodies are predicted to go.
constexpr double kReach = 4;
// The nearest points of a triangle and a convex body, each the nearest to the other: so many times, or until they move by less than
// this share of the margin.
constexpr int kTurns = 12;
constexpr double kSettled = 1e-3;
// Cosine between a corner's normal and that of what it can touch.
constexpr double kFaces = 0.2;
constexpr std::size_t kCorners = 4;  // before one triangle

struct Box {
  Vec3d lo{1e300, 1e300, 1e300}, hi{-1e300, -1e300, -1e300};
  void add(const Vec3d& p) {
    lo = minOf(lo, p);
    hi = maxOf(hi, p);
  }
  bool overlaps(const Box& b) const {
    return lo.x <= b.hi.x && b.lo.x <= hi.x && lo.y <= b.hi.y && b.lo.y <= hi.y && lo.z <= b.hi.z && b.lo.z <= hi.z;
  }
  bool holds(const Vec3d& p) const {
    return p.x >= lo.x && p.y >= lo.y && p.z >= lo.z && p.x <= hi.x && p.y <= hi.y && p.z <= hi.z;
  }
};

// One rigid body before one that deforms.
template <class Moving>
class Search {
 public:
  // way: of the body's nodes in the sub-step; all: where they are
  Search(const SolidState& s, const Moving& m, const Body& body, const Box& all, double way, double margin,
         std::vector<BodyContact>& out)
      : s_(s), m_(m), b_(s.rigid[std::size_t(m.surface.rigid())]), body_(body), margin_(margin), out_(out) {
    const double own = norm(b_.x - b_.xPrev) + norm(rotationToVector(b_.q * b_.qPrev.conjugate())) * b_.reach;
    reach_ = kReach * margin_ + own + way;
    const double r = b_.reach + reach_;
    near_ = {b_.xPrev - Vec3d{r, r, r}, b_.xPrev + Vec3d{r, r, r}};
    if (!near_.overlaps(all)) return;
    for (Index i = body_.nodeBegin; i < body_.nodeEnd; ++i)
      if (near_.holds(s_.xPrev[std::size_t(i)])) node(i);
    for (Index t = body_.triBegin; t < body_.triEnd; ++t) triangle(t);
  }

 private:
  Vec3d toBody(const Vec3d& x) const { return b_.qPrev.conjugate().rotate(x - b_.xPrev); }

  // weights of the nodes add up to one; p: the rigid body's point and n: out of it, both in its frame
  void add(const Index (&node)[4], const double (&weight)[4], const Vec3d& p, const Vec3d& n, double d) {
    BodyContact c{};
    for (int k = 0; k < 4; ++k) {
      c.node[k] = node[k];
      c.weight[k] = weight[k];
    }
    c.rigid = m_.surface.rigid();
    c.local = p;
    c.n = b_.qPrev.rotate(n);
    c.distance = d;
    c.acts = false;
    out_.push_back(c);
  }

  void node(Index i) {
    const Vec3d p = toBody(s_.xPrev[std::size_t(i)]);
    double d;
    Vec3d n;
    if (m_.surface.distance(p, reach_, d, n)) add({i, i, i, i}, {1, 0, 0, 0}, p - n * d, n, d);
  }

  void triangle(Index t) {
    const Index* v = &s_.tri[std::size_t(3 * t)];
    Vec3d x[3];
    Box box;
    for (int k = 0; k < 3; ++k) {
      x[k] = s_.xPrev[std::size_t(v[k])];
      box.add(x[k]);
    }
    if (!near_.overlaps(box)) return;
    for (Vec3d& p : x) p = toBody(p);
    const Vec3d e1 = x[1] - x[0], e2 = x[2] - x[0], normal = normalized(cross(e1, e2));
    const PackedTriangle packed = PackedTriangle::make({}, Vec3f(e1), Vec3f(e2), 0.f);
    nearest(v, x, packed);
    if (m_.corners.empty()) return;
    Box own;
    for (const Vec3d& p : x) own.add(p);
    const Vec3d around{reach_, reach_, reach_};
    const std::size_t first = out_.size();
    m_.cornerCells.each(own.lo - around, own.hi + around, [&](Index k) {
      corner(v, x, packed, normal, m_.corners[std::size_t(k)], m_.cornerNormals[std::size_t(k)]);
    });
    keepNearest(first);
  }

  // Of many corners before one triangle, those that are nearest say all.
  void keepNearest(std::size_t first) {
    if (out_.size() - first <= kCorners) return;
    const auto nearer = [](const BodyContact& a, const BodyContact& b) { return a.distance < b.distance; };
    for (std::size_t k = first; k < first + kCorners; ++k)
      std::iter_swap(out_.begin() + std::ptrdiff_t(k), std::min_element(out_.begin() + std::ptrdiff_t(k), out_.end(), nearer));
    out_.resize(first + kCorners);
  }

  // Where the triangle is nearest to the body, if that is not at a node.
  void nearest(const Index* v, const Vec3d (&x)[3], const PackedTriangle& packed) {
    const Vec3d e1 = x[1] - x[0], e2 = x[2] - x[0];
    const double far = reach_ + norm(e1) + norm(e2);
    TrianglePoint at = closestOnTriangle(packed, Vec3f(-x[0]));
    Vec3d p = x[0] + e1 * double(at.b1) + e2 * double(at.b2), n;
    double d = 0;
    for (int k = 0; k < kTurns; ++k) {
      if (!m_.surface.distance(p, far, d, n)) return;
      if (d < 0) break;  // from within, the nearest surface leads to the rim of what is within
      at = closestOnTriangle(packed, Vec3f(p - n * d - x[0]));
      const Vec3d next = x[0] + e1 * double(at.b1) + e2 * double(at.b2);
      const double moved2 = norm2(next - p);
      p = next;
      if (moved2 < kSettled * kSettled * margin_ * margin_) break;
    }
    if (at.region >= TriangleRegion::vertex0 || !m_.surface.distance(p, reach_, d, n)) return;
    const double b1 = double(at.b1), b2 = double(at.b2);
    add({v[0], v[1], v[2], v[2]}, {1 - b1 - b2, b1, b2, 0}, p - n * d, n, d);
  }

  // A corner of the body, out of it along cn, before the triangle's face: on either side of a sheet, and outside of a closed
  // surface.
  void corner(const Index* v, const Vec3d (&x)[3], const PackedTriangle& packed, const Vec3d& normal, const Vec3d& c,
              const Vec3d& cn) {
    const double out = dot(normal, cn), side = body_.closed && !body_.twoSided ? -1 : out > 0 ? 1 : -1;
    const Vec3d n = normal * side;  // from the body to the triangle
    const double d = dot(x[0] - c, n);
    if (!(side * out > kFaces) || std::fabs(d) > reach_) return;
    const TrianglePoint at = closestOnTriangle(packed, Vec3f(c - x[0]));
    if (at.region != TriangleRegion::face) return;
    const double b1 = double(at.b1), b2 = double(at.b2);
    // behind a thin wall the triangle is before the wall's other side
    double between;
    Vec3d facing;
    const Vec3d p = x[0] + (x[1] - x[0]) * b1 + (x[2] - x[0]) * b2;
    if (!m_.surface.distance(p, 2 * reach_, between, facing) || !(dot(facing, n) > kFaces)) return;
    add({v[0], v[1], v[2], v[2]}, {1 - b1 - b2, b1, b2, 0}, c, n, d);
  }

  const SolidState& s_;
  const Moving& m_;
  const RigidBody& b_;
  const Body& body_;
  const double margin_;
  std::vector<BodyContact>& out_;
  double reach_ = 0;
  Box near_;
};

}  // namespace

void RigidPairs::searchDeformables(const SolidState& s, double margin, std::vector<BodyContact>& out) const {
  if (!(margin > 0)) return;
  for (const Body& body : s.bodies) {
    if (body.rigid >= 0 || body.triEnd == body.triBegin) continue;
    Box all;
    double way = 0;
    for (std::size_t i = std::size_t(body.nodeBegin); i < std::size_t(body.nodeEnd); ++i) {
      all.add(s.xPrev[i]);
      way = std::max(way, norm(s.x[i] - s.xPrev[i]));
    }
    for (const Moving& m : moving_) Search<Moving>(s, m, body, all, way, margin, out);
  }
}

}  // namespace meniscus
