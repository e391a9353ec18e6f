#include "engine/solid/implicit/contact_edges.h"

#include <algorithm>
#include <cmath>

#include "engine/base/stop.h"

namespace meniscus::implicit {
namespace {

// Of the thickness: edges that part sideways by less are parallel. What their ends are nearer or farther by is then the square of
// that over twice the thickness.
constexpr double kAside = 0.04;
constexpr double kTilt = 0.05;  // sine by which a face beside an edge may lead nearer
constexpr double kBend =
    0.02;  // angle between faces that are one: the edge is above their nodes by a quarter of that times its length

}  // namespace

EdgeContacts::EdgeContacts(const ContactMesh& mesh) : m_(mesh) {
  for (const auto& [ends, elements] : m_.elementsOfEdge) {
    if (elements.size() > 2) continue;  // no manifold
    Edge e{ends.first, ends.second, {-1, -1}};
    for (std::size_t k = 0; k < elements.size(); ++k)
      for (const int i : m_.element[std::size_t(elements[k])])
        if (i != e.a && i != e.b) e.opposite[k] = i;
    all_.push_back(e);
  }
  begin();
}

EdgeSides EdgeContacts::sidesOf(const Edge& e) const {
  EdgeSides sides;
  for (const int o : e.opposite)
    if (o >= 0) sides.add(m_.at(e.a), m_.at(e.b), m_.at(o));
  return sides;
}

void EdgeContacts::begin() {
  edges_.clear();
  SurfaceMesh mesh{m_.tree.mesh().x, {}};
  for (const Edge& e : all_) {
    const EdgeSides sides = sidesOf(e);
    if (sides.count == 2 && norm(sides.into[0] + sides.into[1]) <= kBend) continue;
    edges_.push_back(e);
    mesh.tri.insert(mesh.tri.end(), {e.a, e.b, e.b});
  }
  tree_ = SurfaceTree(std::move(mesh));
}

bool EdgeContacts::mayTouch(const Edge& a, const Edge& b) const {
  if (a.a == b.a || a.a == b.b || a.b == b.a || a.b == b.b) return false;
  if (m_.nodeSolid[std::size_t(a.a)] == m_.nodeSolid[std::size_t(b.a)] && m_.surfaceOf(a.a).rigid) return false;
  return !(m_.given(a.a) && m_.given(a.b) && m_.given(b.a) && m_.given(b.b));
}

// False where the two have no points that are nearest to one another, or others beside them are nearer.
bool EdgeContacts::cross(const Edge& a, const Edge& b, ContactPoint& out) const {
  EdgeCrossing c;
  if (!crossEdges(m_.at(a.a), m_.at(a.b), m_.at(b.a), m_.at(b.b), kAside * m_.scene.thickness, c)) return false;
  const ContactSurface &mine = m_.surfaceOf(a.a), &theirs = m_.surfaceOf(b.a);
  const EdgeSides ours = sidesOf(a), others = sidesOf(b);
  const auto stickOut = [&](const Vec3d& n) { return ours.sticksOut(n, kTilt, kBend) && others.sticksOut(-n, kTilt, kBend); };
  double side = 1;
  if (!stickOut(c.n)) {  // one within the other?
    const bool known = &mine != &theirs && (mine.filled || theirs.filled);
    if (!known || c.distance > m_.scene.thickness || !stickOut(-c.n)) return false;
    side = -1;
  }
  out = {};
  out.edges = true;
  out.add(a.a, 1 - c.s);
  out.add(a.b, c.s);
  out.add(b.a, c.t - 1);
  out.add(b.b, -c.t);
  out.normal = Eigen::Vector3d(c.n.x, c.n.y, c.n.z) * side;
  out.gap = side * c.distance - m_.scene.thickness;
  out.friction = std::max(mine.friction, theirs.friction);
  out.restitution = std::max(mine.restitution, theirs.restitution);
  return true;
}

// The plane through both edges goes on beyond them: do they come near one another at the end, or where they pass?
bool EdgeContacts::meets(const Vector& end, const ContactPoint& c) const {
  const double from = c.gap + m_.scene.thickness, to = c.gapAt(3, m_.start, end) + m_.scene.thickness;
  const auto apart = [&](double t) {
    Vec3d x[4];
    for (std::size_t k = 0; k < 4; ++k) x[k] = m_.at(c.node[k]) * (1 - t) + m_.point(end, c.node[k]) * t;
    return edgeDistance(x[0], x[1], x[2], x[3]);
  };
  const double near = m_.scene.thickness + m_.scene.reach;
  return apart(1) < near || (from > 0 && to < 0 && apart(from / (from - to)) < near);
}

void EdgeContacts::find(const Vector& end, const std::vector<double>& moved, double most, std::vector<ContactPoint>& out) const {
  const double near = m_.scene.thickness + m_.scene.reach;
  for (std::size_t i = 0; i < edges_.size(); ++i) {
    const Edge& e = edges_[i];
    stopIfAsked();
    const double half = near + std::max(moved[std::size_t(e.a)], moved[std::size_t(e.b)]) + most;
    const Vec3d around{half, half, half};
    Box3 box;
    box.add(m_.at(e.a) - around);
    box.add(m_.at(e.a) + around);
    box.add(m_.at(e.b) - around);
    box.add(m_.at(e.b) + around);
    std::vector<std::size_t> beside;
    tree_.overlapping(box, [&](Index k) {
      if (std::size_t(k) > i && mayTouch(e, edges_[std::size_t(k)])) beside.push_back(std::size_t(k));
    });
    std::sort(beside.begin(), beside.end());
    for (const std::size_t k : beside) {
      ContactPoint c;
      if (!cross(e, edges_[k], c) || c.gap > half) continue;
      if (c.gapAt(3, m_.start, end) < m_.scene.reach && meets(end, c)) out.push_back(c);
    }
  }
}

}  // namespace meniscus::implicit
