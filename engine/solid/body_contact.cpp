#include "engine/solid/body_contact.h"

#include <algorithm>
#include <cmath>

#include "kernels/contact/triangle.h"
#include "kernels/search/cells.h"
#include "kernels/solid/xpbd.h"

namespace meniscus {
namespace {

// Contacts are looked for within this many margins and the way that both bodies are predicted to go: what they push each other, and
// water them, can be more than predicted.
constexpr double kReach = 4;
// Of what two surfaces are nearer to each other than the margin, a sub-step gives back this share. All of it at once would throw
// apart what was built too near.
constexpr double kRecovered = 0.1;
constexpr double kNoDirection = 1e-3;  // of the margin: below it, the triangle's normal says the direction
// Cosine between the closest direction and the normal of a sheet: what is less lies beside the sheet's rim, not before it.
constexpr double kBeside = 0.5;
// A contact at its distance acts from the start, or what rests on another would be let go in every sub-step.
constexpr double kTouching = 0.02;  // of the margin
// Of gWg. Nodes of each body before the triangles of the other say nearly the same twice; what gives way is a thousandth of the way
// that the contact's force would move its nodes in the sub-step.
constexpr double kGivesWay = 1e-3;

struct Box {
  Vec3d lo{1e300, 1e300, 1e300}, hi{-1e300, -1e300, -1e300};
  void add(const Vec3d& p) {
    lo = minOf(lo, p);
    hi = maxOf(hi, p);
  }
  bool holds(const Vec3d& p) const {
    return p.x >= lo.x && p.y >= lo.y && p.z >= lo.z && p.x <= hi.x && p.y <= hi.y && p.z <= hi.z;
  }
  bool valid() const { return lo.x <= hi.x && lo.y <= hi.y && lo.z <= hi.z; }
};

// Of a body: the box of its nodes at the start and as predicted, and the longest way between.
struct Extent {
  Box box;
  double way = 0;
};
Extent extentOf(const SolidState& s, const Body& b) {
  Extent e;
  for (std::size_t i = std::size_t(b.nodeBegin); i < std::size_t(b.nodeEnd); ++i) {
    e.box.add(s.xPrev[i]);
    e.box.add(s.x[i]);
    e.way = std::max(e.way, norm(s.x[i] - s.xPrev[i]));
  }
  return e;
}

// Nodes of a body in a box, by cells.
class NodeCells {
 public:
  NodeCells(const SolidState& s, const Body& b, const Box& box, double size) : lo_(box.lo) {
    for (Index i = b.nodeBegin; i < b.nodeEnd; ++i)
      if (box.holds(s.xPrev[std::size_t(i)])) node_.push_back(i);
    const Vec3d extent = box.hi - box.lo;
    const double most = 4.0 * double(node_.size()) + 64;  // cells
    const auto cells = [&extent](double l) { return (extent.x / l + 1) * (extent.y / l + 1) * (extent.z / l + 1); };
    while (cells(size) > most) size *= 1.5;
    cells_ = Cells::over(extent, float(size));
    begin_.assign(std::size_t(cells_.cells()) + 1, 0);
    std::vector<Index> of(node_.size());
    for (std::size_t k = 0; k < node_.size(); ++k) {
      of[k] = cells_.indexOf(cellOf(s.xPrev[std::size_t(node_[k])]));
      ++begin_[std::size_t(of[k]) + 1];
    }
    for (std::size_t c = 1; c < begin_.size(); ++c) begin_[c] += begin_[c - 1];
    std::vector<Index> cursor(begin_.begin(), begin_.end() - 1), sorted(node_.size());
    for (std::size_t k = 0; k < node_.size(); ++k) sorted[std::size_t(cursor[std::size_t(of[k])]++)] = node_[k];
    node_.swap(sorted);
  }
  bool empty() const { return node_.empty(); }
  template <class Visit>
  void each(const Vec3d& lo, const Vec3d& hi, const Visit& visit) const {
    const Vec3<Index> a = cellOf(lo), b = cellOf(hi);
    for (Index z = a.z; z <= b.z; ++z)
      for (Index y = a.y; y <= b.y; ++y) {
        const std::size_t first = std::size_t(cells_.indexOf({a.x, y, z}));
        for (Index k = begin_[first]; k < begin_[first + std::size_t(b.x - a.x) + 1]; ++k) visit(node_[std::size_t(k)]);
      }
  }

 private:
  Vec3<Index> cellOf(const Vec3d& p) const { return cells_.cellOf(Vec3f(p - lo_)); }
  Vec3d lo_;
  Cells cells_;
  std::vector<Index> node_, begin_;
};

// The closest triangle to each node so far.
struct Closest {
  double distance, aligned;  // m; cosine between the direction and the triangle's normal, without sign
  BodyContact contact;
};

// The triangle as the node sees it; false: it has no direction from there, or lies aside.
bool see(const SolidState& s, const Body& other, Index node, Index t, const PackedTriangle& packed, const Vec3d& normal,
         double margin, Closest& seen) {
  const Index* n = &s.tri[std::size_t(3 * t)];
  const Vec3d p = s.xPrev[std::size_t(node)] - s.xPrev[std::size_t(n[0])];
  const TrianglePoint at = closestOnTriangle(packed, Vec3f(p));
  BodyContact& c = seen.contact;
  c = {node, {n[0], n[1], n[2]}, {1.0 - double(at.b1) - double(at.b2), double(at.b1), double(at.b2)}, {}, 0, 0, false};
  Vec3d away = p;
  for (int k = 1; k < 3; ++k) away -= (s.xPrev[std::size_t(n[k])] - s.xPrev[std::size_t(n[0])]) * c.b[k];
  const double d = norm(away);
  seen.distance = d;
  const double along = dot(away, normal);
  // the sides of a closed surface are known, and a node within it is to come out
  const double side = other.closed && at.region == TriangleRegion::face && along < 0 ? -1 : 1;
  c.n = d > kNoDirection * margin ? away * (side / d) : normal * (other.closed || along >= 0 ? 1.0 : -1.0);
  c.distance = side * d;
  seen.aligned = std::fabs(dot(c.n, normal));
  return other.closed || seen.aligned > kBeside;
}

void findBetween(const SolidState& s, const Body& body, const Body& other, const Extent& a, const Extent& b, double margin,
                 std::vector<BodyContact>& out) {
  const double reach = kReach * margin + a.way + b.way;
  const Vec3d around{reach, reach, reach};
  const Box common{maxOf(a.box.lo, b.box.lo - around), minOf(a.box.hi, b.box.hi + around)};
  if (!common.valid()) return;
  const NodeCells cells(s, body, common, 2 * reach);
  if (cells.empty()) return;
  std::vector<Closest> best(std::size_t(body.nodeEnd - body.nodeBegin), Closest{reach, 0, {}});
  for (Index t = other.triBegin; t < other.triEnd; ++t) {
    const Index* n = &s.tri[std::size_t(3 * t)];
    const Vec3d &x0 = s.xPrev[std::size_t(n[0])], &x1 = s.xPrev[std::size_t(n[1])], &x2 = s.xPrev[std::size_t(n[2])];
    const Vec3d lo = minOf(x0, minOf(x1, x2)) - around, hi = maxOf(x0, maxOf(x1, x2)) + around;
    if (!Box{maxOf(lo, common.lo), minOf(hi, common.hi)}.valid()) continue;
    const Vec3d normal = normalized(cross(x1 - x0, x2 - x0));
    const PackedTriangle packed = PackedTriangle::make({}, Vec3f(x1 - x0), Vec3f(x2 - x0), 0.f);
    cells.each(lo, hi, [&](Index node) {
      Closest seen, &now = best[std::size_t(node - body.nodeBegin)];
      if (!(std::fabs(dot(s.xPrev[std::size_t(node)] - x0, normal)) <= now.distance)) return;
      if (!see(s, other, node, t, packed, normal, margin, seen)) return;
      if (seen.distance < now.distance || (seen.distance == now.distance && seen.aligned > now.aligned)) now = seen;
    });
  }
  for (const Closest& c : best)
    if (c.distance < reach) out.push_back(c.contact);
}

// grad C of a contact, by its four nodes.
struct Gradient {
  Index node[4];
  Vec3d grad[4];
  explicit Gradient(const BodyContact& c) : node{c.node, c.tri[0], c.tri[1], c.tri[2]}, grad{c.n} {
    for (int k = 0; k < 3; ++k) grad[k + 1] = c.n * -c.b[k];
  }
  double inverseMass(const SolidState& s) const {
    double gWg = 0;
    for (int k = 0; k < 4; ++k) gWg += s.w[std::size_t(node[k])] * norm2(grad[k]);
    return gWg;
  }
};

}  // namespace

double bodyContactValue(const SolidState& s, const BodyContact& c) {
  Vec3d r = s.x[std::size_t(c.node)];
  for (int k = 0; k < 3; ++k) r -= s.x[std::size_t(c.tri[k])] * c.b[k];
  return dot(c.n, r) - c.distance;
}

void findBodyContacts(SolidState& s, double margin) {
  std::vector<BodyContact>& contacts = s.work.bodyContacts;
  contacts.clear();
  std::vector<const Body*> bodies;
  for (const Body& b : s.bodies)
    if (b.rigid < 0 && b.triEnd > b.triBegin) bodies.push_back(&b);
  if (bodies.size() < 2 || !(margin > 0)) return;
  std::vector<Extent> extents;
  for (const Body* b : bodies) extents.push_back(extentOf(s, *b));
  for (std::size_t i = 0; i < bodies.size(); ++i)
    for (std::size_t k = 0; k < bodies.size(); ++k)
      if (i != k) findBetween(s, *bodies[i], *bodies[k], extents[i], extents[k], margin, contacts);
  for (BodyContact& c : contacts) {
    const double start = c.distance;
    c.distance = start < margin ? start + kRecovered * (margin - start) : margin;
    c.acts = start < margin * (1 + kTouching) || bodyContactValue(s, c) < 0;
  }
}

void addBodyContacts(const SolidState& s, RowList& out) {
  out.bodyContact.clear();
  out.firstBodyContact = Index(out.rows.size());
  for (std::size_t k = 0; k < s.work.bodyContacts.size(); ++k) {
    const BodyContact& c = s.work.bodyContacts[k];
    if (!c.acts) continue;
    const Gradient g(c);
    const double gWg = g.inverseMass(s);
    if (!(gWg > 0)) continue;
    const Index begin = Index(out.entries.size());
    for (int n = 0; n < 4; ++n)
      if (s.w[std::size_t(g.node[n])] > 0) out.entries.push_back({g.node[n], g.grad[n]});
    out.rows.push_back({kBodyContactRow, begin, Index(out.entries.size()), bodyContactValue(s, c),
                        std::max(kGivesWay, s.work.solvable) * gWg, c.lambda});
    out.bodyContact.push_back(Index(k));
  }
}

void projectBodyContacts(SolidState& s, const double* invMassNormal, const Vec3d* normal) {
  for (BodyContact& c : s.work.bodyContacts) {
    const double value = bodyContactValue(s, c);
    if (!(value < 0) && c.lambda == 0) continue;
    const Gradient g(c);
    Vec3d step[4];
    double gWg = 0;
    for (int n = 0; n < 4; ++n) {
      const std::size_t i = std::size_t(g.node[n]);
      step[n] = normal && s.w[i] > 0 ? applyInverseMass(s.w[i], invMassNormal[i], normal[i], g.grad[n]) : g.grad[n] * s.w[i];
      gWg += dot(g.grad[n], step[n]);
    }
    if (!(gWg > 0)) continue;
    const Xpbd<double> compliant{std::max(kGivesWay, s.work.solvable) * g.inverseMass(s), 0};
    const double change = std::max(-c.lambda, compliant.increment(value, c.lambda, 0, gWg));
    c.lambda += change;
    for (int n = 0; n < 4; ++n) {
      s.x[std::size_t(g.node[n])] += step[n] * change;
      s.work.nodeContacts[std::size_t(g.node[n])].moved += step[n] * change;
    }
  }
}

}  // namespace meniscus
