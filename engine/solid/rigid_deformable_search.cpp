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
class Search {
 public:
  Search(const SolidState& s, const BodySurface& surface, const std::vector<Vec3d>& corners, const PointCells& cells,
         const Body& body, double margin, std::vector<BodyContact>& out)
      : s_(s),
        surface_(surface),
        corners_(corners),
        cells_(cells),
        b_(s.rigid[std::size_t(surface.rigid())]),
        body_(body),
        margin_(margin),
        out_(out) {}

  void search() {
    double way = norm(b_.x - b_.xPrev) + norm(rotationToVector(b_.q * b_.qPrev.conjugate())) * b_.reach, nodes = 0;
    Box all;
    for (Index i = body_.nodeBegin; i < body_.nodeEnd; ++i) {
      nodes = std::max(nodes, norm(s_.x[std::size_t(i)] - s_.xPrev[std::size_t(i)]));
      all.add(s_.xPrev[std::size_t(i)]);
    }
    reach_ = kReach * margin_ + way + nodes;
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
    c.rigid = surface_.rigid();
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
    if (surface_.distance(p, reach_, d, n)) add({i, i, i, i}, {1, 0, 0, 0}, p - n * d, n, d);
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
    if (corners_.empty()) return;
    Box own;
    for (const Vec3d& p : x) own.add(p);
    const Vec3d around{reach_, reach_, reach_};
    const std::size_t first = out_.size();
    cells_.each(own.lo - around, own.hi + around, [&](Index k) { corner(v, x, packed, normal, corners_[std::size_t(k)]); });
    keepNearest(first);
  }

  // Of many corners before one triangle, those that are nearest say all.
  void keepNearest(std::size_t first) {
    if (out_.size() - first <= kCorners) return;
    const auto nearer = [](const BodyContact& a, const BodyContact& b) { return a.distance < b.distance; };
    std::stable_sort(out_.begin() + std::ptrdiff_t(first), out_.end(), nearer);
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
      if (!surface_.distance(p, far, d, n)) return;
      if (d < 0) break;  // from within, the nearest surface leads to the rim of what is within
      at = closestOnTriangle(packed, Vec3f(p - n * d - x[0]));
      const Vec3d next = x[0] + e1 * double(at.b1) + e2 * double(at.b2);
      const double moved2 = norm2(next - p);
      p = next;
      if (moved2 < kSettled * kSettled * margin_ * margin_) break;
    }
    if (at.region >= TriangleRegion::vertex0 || !surface_.distance(p, reach_, d, n)) return;
    const double b1 = double(at.b1), b2 = double(at.b2);
    add({v[0], v[1], v[2], v[2]}, {1 - b1 - b2, b1, b2, 0}, p - n * d, n, d);
  }

  // A corner of the body before the triangle's face.
  void corner(const Index* v, const Vec3d (&x)[3], const PackedTriangle& packed, const Vec3d& normal, const Vec3d& c) {
    if (std::fabs(dot(c - x[0], normal)) > reach_) return;
    const TrianglePoint at = closestOnTriangle(packed, Vec3f(c - x[0]));
    if (at.region != TriangleRegion::face) return;
    const double b1 = double(at.b1), b2 = double(at.b2), height = dot(c - x[0], normal);
    // a sheet has the body on the side of its centre, a closed surface always outside
    const double side = body_.closed ? 1 : dot(x[0], normal) < 0 ? 1 : -1;
    add({v[0], v[1], v[2], v[2]}, {1 - b1 - b2, b1, b2, 0}, c, normal * -side, height * side);
  }

  const SolidState& s_;
  const BodySurface& surface_;
  const std::vector<Vec3d>& corners_;
  const PointCells& cells_;
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
  for (const Moving& m : moving_)
    for (const Body& body : s.bodies)
      if (body.rigid < 0 && body.triEnd > body.triBegin) Search(s, m.surface, m.corners, m.cornerCells, body, margin, out).search();
}

}  // namespace meniscus
