// Based on: Garland, Heckbert 1997, "Surface simplification using quadric error metrics" (where the merged vertex goes), and
// Dey, Edelsbrunner, Guha, Nekhayev 1999, "Topology preserving edge contraction" (the link condition). Edges go in the order of
// their length, not of their error: even triangles serve a simulation better than few.
#include "engine/scene/mesh_simplify.h"

#include <algorithm>
#include <cmath>
#include <queue>

#include "engine/scene/generate.h"
#include "engine/scene/mesh_edges.h"

namespace meniscus {

namespace {

// Sum of squared distances to planes: x^T A x + 2 b x + c, with c left out.
struct Quadric {
  Mat3d a{};
  Vec3d b{};
  void add(const Quadric& q) {
    a = a + q.a;
    b += q.b;
  }
};

struct Collapse {
  double length2;
  Index a, b;                                // a < b; b goes
  unsigned stamp;                            // sum of the vertices' stamps when it was queued: older entries are void
  bool operator<(const Collapse& o) const {  // the queue's top is the shortest, then the one of the lowest numbers
    if (length2 != o.length2) return length2 > o.length2;
    return a != o.a ? a > o.a : b > o.b;
  }
};

class Simplifier {
 public:
  explicit Simplifier(MeshFile& m)
      : m_(m),
        trianglesOf_(m.x.size()),
        quadric_(m.x.size()),
        stamp_(m.x.size(), 0),
        border_(m.x.size(), 0),
        gone_(m.tri.size() / 3, 0) {
    for (std::size_t k = 0; k < m.tri.size(); ++k) trianglesOf_[std::size_t(m.tri[k])].push_back(Index(k / 3));
    addPlanes();
    forEachEdge(sortedSides(m.tri), [&](const TriangleSide* first, const TriangleSide* last) {
      if (last - first == 2) return;
      border_[std::size_t(first->lo)] = border_[std::size_t(first->hi)] = 1;
      if (last - first == 1) addBorderPlane(*first);
    });
  }

  bool run(double shortest) {
    limit2_ = shortest * shortest;
    bool changed = false;
    // an edge that may not go now may go once its surroundings have changed
    for (int pass = 0; pass < 4; ++pass) {
      for (Index v = 0; v < Index(m_.x.size()); ++v) enqueueEdgesOf(v, true);
      bool now = false;
      while (!queue_.empty()) {
        const Collapse c = queue_.top();
        queue_.pop();
        const bool isVoid = trianglesOf_[std::size_t(c.a)].empty() || trianglesOf_[std::size_t(c.b)].empty();
        if (!isVoid && c.stamp == stamp_[std::size_t(c.a)] + stamp_[std::size_t(c.b)]) now = collapse(c.a, c.b) || now;
      }
      changed = changed || now;
      if (!now) break;
    }
    return changed;
  }

  void compact() {
    std::size_t to = 0;
    for (std::size_t t = 0; t < gone_.size(); ++t) {
      if (gone_[t]) continue;
      for (std::size_t k = 0; k < 3; ++k) m_.tri[3 * to + k] = m_.tri[3 * t + k];
      m_.face[to++] = m_.face[t];
    }
    m_.tri.resize(3 * to);
    m_.face.resize(to);
    std::vector<Index> number(m_.x.size(), -1);
    Index n = 0;
    for (std::size_t v = 0; v < m_.x.size(); ++v) {
      if (trianglesOf_[v].empty()) continue;
      m_.x[std::size_t(n)] = m_.x[v];
      number[v] = n++;
    }
    m_.x.resize(std::size_t(n));
    for (Index& v : m_.tri) v = number[std::size_t(v)];
  }

 private:
  Index* corners(Index t) { return &m_.tri[3 * std::size_t(t)]; }
  const Vec3d& at(Index v) const { return m_.x[std::size_t(v)]; }

  void addPlane(Index v, const Vec3d& n, double d, double weight) {
    quadric_[std::size_t(v)].add({Mat3d::outer(n, n) * weight, n * (d * weight)});
  }
  void addPlanes() {
    for (Index t = 0; t < Index(gone_.size()); ++t) {
      const Index* v = corners(t);
      const Vec3d c = cross(at(v[1]) - at(v[0]), at(v[2]) - at(v[0]));
      const Vec3d n = normalized(c);
      for (int k = 0; k < 3; ++k) addPlane(v[k], n, -dot(n, at(v[0])), norm(c) / 6);
    }
  }
  // A plane through an open edge, upright on its triangle, keeps the border in place.
  void addBorderPlane(const TriangleSide& s) {
    const Index* v = corners(s.triangle);
    const Vec3d up = cross(at(v[1]) - at(v[0]), at(v[2]) - at(v[0])), e = at(s.hi) - at(s.lo);
    const Vec3d n = normalized(cross(up, e));
    for (const Index p : {s.lo, s.hi}) addPlane(p, n, -dot(n, at(s.lo)), norm2(e));
  }

  // Neighbours of v, ascending.
  std::vector<Index> neighbours(Index v) {
    std::vector<Index> n;
    for (const Index t : trianglesOf_[std::size_t(v)])
      for (int k = 0; k < 3; ++k)
        if (corners(t)[k] != v) n.push_back(corners(t)[k]);
    std::sort(n.begin(), n.end());
    n.erase(std::unique(n.begin(), n.end()), n.end());
    return n;
  }

  void enqueueEdgesOf(Index v, bool onlyHigher) {
    for (const Index u : neighbours(v)) {
      const double length2 = norm2(at(u) - at(v));
      if ((onlyHigher && u < v) || length2 >= limit2_) continue;
      queue_.push({length2, std::min(u, v), std::max(u, v), stamp_[std::size_t(u)] + stamp_[std::size_t(v)]});
    }
  }

  // Where the quadrics are least, in the middle where they do not say; held to the neighbourhood of the edge.
  Vec3d mergedPlace(Index a, Index b) const {
    if (border_[std::size_t(a)] != border_[std::size_t(b)]) return border_[std::size_t(a)] ? at(a) : at(b);
    Quadric q = quadric_[std::size_t(a)];
    q.add(quadric_[std::size_t(b)]);
    const Vec3d middle = (at(a) + at(b)) * 0.5;
    const double pull = 1e-3 * trace(q.a);  // towards the middle along directions without curvature
    if (!(pull > 0)) return middle;
    const Vec3d x = inverse(q.a + Mat3d::identity() * pull) * (middle * pull - q.b);
    return norm2(x - middle) <= norm2(at(a) - at(b)) ? x : middle;
  }

  // Triangles of v that stay must keep their side and must not become slivers.
  bool keepsShape(Index v, Index other, const Vec3d& x) {
    for (const Index t : trianglesOf_[std::size_t(v)]) {
      Index* c = corners(t);
      if (c[0] == other || c[1] == other || c[2] == other) continue;
      Vec3d before[3], after[3];
      for (int k = 0; k < 3; ++k) {
        before[k] = at(c[k]);
        after[k] = c[k] == v ? x : before[k];
      }
      const Vec3d n0 = cross(before[1] - before[0], before[2] - before[0]), n1 = cross(after[1] - after[0], after[2] - after[0]);
      const double longest2 = std::max({norm2(after[1] - after[0]), norm2(after[2] - after[1]), norm2(after[0] - after[2])});
      if (dot(n0, n1) < 0.3 * norm(n0) * norm(n1) || norm(n1) < 0.1 * longest2) return false;
    }
    return true;
  }

  bool collapse(Index a, Index b) {
    std::vector<Index> shared;  // triangles at the edge
    for (const Index t : trianglesOf_[std::size_t(b)]) {
      const Index* c = corners(t);
      if (c[0] == a || c[1] == a || c[2] == a) shared.push_back(t);
    }
    const bool bothBorder = border_[std::size_t(a)] && border_[std::size_t(b)];
    if (shared.size() > 2 || (bothBorder && shared.size() == 2)) return false;  // the second would pinch the surface
    const std::vector<Index> na = neighbours(a), nb = neighbours(b);
    std::vector<Index> common;
    std::set_intersection(na.begin(), na.end(), nb.begin(), nb.end(), std::back_inserter(common));
    if (common.size() != shared.size() || na.size() + nb.size() < 9) return false;  // link condition; not down to a tetrahedron
    const Vec3d x = mergedPlace(a, b);
    if (!keepsShape(a, b, x) || !keepsShape(b, a, x)) return false;
    for (const Index t : shared) {
      gone_[std::size_t(t)] = 1;
      for (int k = 0; k < 3; ++k) {
        std::vector<Index>& list = trianglesOf_[std::size_t(corners(t)[k])];
        list.erase(std::remove(list.begin(), list.end(), t), list.end());
      }
    }
    for (const Index t : trianglesOf_[std::size_t(b)]) {
      for (int k = 0; k < 3; ++k)
        if (corners(t)[k] == b) corners(t)[k] = a;
      trianglesOf_[std::size_t(a)].push_back(t);
    }
    trianglesOf_[std::size_t(b)].clear();
    m_.x[std::size_t(a)] = x;
    quadric_[std::size_t(a)].add(quadric_[std::size_t(b)]);
    border_[std::size_t(a)] = char(border_[std::size_t(a)] | border_[std::size_t(b)]);
    ++stamp_[std::size_t(a)];
    enqueueEdgesOf(a, false);
    return true;
  }

  MeshFile& m_;
  std::vector<std::vector<Index>> trianglesOf_;
  std::vector<Quadric> quadric_;
  std::vector<unsigned> stamp_;
  std::vector<char> border_, gone_;
  std::priority_queue<Collapse> queue_;
  double limit2_ = 0;
};

}  // namespace

bool simplifySurface(MeshFile& m, double edge) {
  const double before = enclosedVolume({m.x, m.tri});
  Simplifier s(m);
  if (!s.run(0.6 * edge)) return false;
  s.compact();
  bool closed = true;
  forEachEdge(sortedSides(m.tri),
              [&](const TriangleSide* first, const TriangleSide* last) { closed = closed && last - first == 2; });
  const double after = enclosedVolume({m.x, m.tri});
  if (closed && before > 0 && after > 0) {
    // the rest of the volume by a scale about the middle, well below an edge's length
    Vec3d middle{};
    for (const Vec3d& p : m.x) middle += p / double(m.x.size());
    const double f = std::cbrt(before / after);
    for (Vec3d& p : m.x) p = middle + (p - middle) * f;
  }
  return true;
}

}  // namespace meniscus
