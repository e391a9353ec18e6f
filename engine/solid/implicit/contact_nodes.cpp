#include "engine/solid/implicit/contact_nodes.h"

#include <algorithm>
#include <cmath>

#include "engine/solid/implicit/contact_axis.h"
#include "kernels/contact/segment.h"

namespace meniscus::implicit {

namespace {

constexpr double kApart = 0.5;   // of the thickness: what is that far apart has not met before the step
constexpr double kNear = 1e-7;   // of the thickness: what is that near to an edge or a node is over it
constexpr double kTouch = 0.02;  // of the thickness: by distance, what is nearer may be on either side
constexpr double kSure = 0.05;   // cosine to a node's outward direction above which that says which side is out

Eigen::Vector3d eigen(const Vec3d& v) { return {v.x, v.y, v.z}; }

// Does the way from one point to another cross the element, or end nearer to it than `near`?
bool reaches(int dimension, const Vec3d (&v)[3], const Vec3d& from, const Vec3d& to, double near) {
  const Vec3d p = from - v[0], q = to - v[0], e = v[1] - v[0], f = v[2] - v[0];
  const PackedTriangle t = PackedTriangle::make(Vec3f{}, Vec3f(e), Vec3f(f), 0.f);
  const TrianglePoint c = closestOnTriangle(t, Vec3f(q));
  if (norm(q - e * double(c.b1) - f * double(c.b2)) < near) return true;
  if (dimension == 3) return segmentMeetsTriangle(t, Vec3f(p), Vec3f(q));
  const auto side = [](const Vec3d& a, const Vec3d& b) { return a.x * b.y - a.y * b.x; };
  return side(e, p) * side(e, q) <= 0 && side(q - p, -p) * side(q - p, e - p) <= 0;
}

}  // namespace

bool NodeContacts::mayTouch(int node, int element) const {
  const std::array<int, 3>& e = m_.element[std::size_t(element)];
  if (e[0] == node || e[1] == node || e[2] == node) return false;
  const int a = m_.nodeSolid[std::size_t(node)], b = m_.elementSolid[std::size_t(element)];
  if (a == b && m_.scene.surfaces[std::size_t(a)].rigid) return false;
  return !(m_.given(node) && m_.given(e[0]) && m_.given(e[1]) && m_.given(e[2]));
}

NodeContacts::Hit NodeContacts::hitOf(int node, int element) const {
  const std::array<int, 3>& e = m_.element[std::size_t(element)];
  const Vec3d v[3] = {m_.at(e[0]), m_.at(e[1]), m_.at(e[2])};
  Hit h;
  h.element = element;
  h.nearest = nearestWeights(v, m_.scene.dimension, m_.at(node));
  h.parts = nearParts(v, m_.scene.dimension, h.nearest, kNear * m_.scene.thickness);
  setFeature(node, h);
  return h;
}

// For the part that is tried: what it is called by all elements around it, and its nearest point.
void NodeContacts::setFeature(int node, Hit& h) const {
  const std::array<int, 3>& e = m_.element[std::size_t(h.element)];
  const int d = m_.scene.dimension, corners = h.corners();
  std::array<int, 3> of{};
  int count = 0;
  double sum = 0;
  for (int k = 0; k < d; ++k) {
    h.weight[std::size_t(k)] = corners >> k & 1 ? h.nearest[std::size_t(k)] : 0;
    sum += h.weight[std::size_t(k)];
    if (corners >> k & 1) of[std::size_t(count++)] = e[std::size_t(k)];
  }
  h.feature = {h.element, -1, -1};
  if (count == 1) h.feature = {-1, -1, of[0]};
  if (count == 2 && d == 3) h.feature = {-1, std::min(of[0], of[1]), std::max(of[0], of[1])};
  h.r = m_.at(node) - m_.at(e[0]);
  for (int k = 0; k < d; ++k) {
    double& w = h.weight[std::size_t(k)];
    w = count > 1 && sum > 0 ? w / sum : double(corners >> k & 1) / count;
    if (k > 0) h.r -= (m_.at(e[std::size_t(k)]) - m_.at(e[0])) * w;
  }
}

// The number of elements that have the feature.
int NodeContacts::incident(const Hit& h) const {
  if (h.isFace()) return 1;
  if (h.isNode()) return int(m_.elementsOfNode[std::size_t(h.feature[2])].size());
  return int(m_.elementsOfEdge.at({h.feature[1], h.feature[2]}).size());
}

// A feature is a local minimum where none of the elements around it leads nearer: where it is the part of all of them. Hits are
// first of the smallest parts that they may be of, and where those are no minimum, of the next ones.
void NodeContacts::group(int node) {
  for (bool again = true; again;) {
    again = false;
    std::sort(hits_.begin(), hits_.end(),
              [](const Hit& a, const Hit& b) { return a.feature != b.feature ? a.feature < b.feature : a.element < b.element; });
    found_.clear();
    for (std::size_t k = 0, last; k < hits_.size(); k = last) {
      for (last = k + 1; last < hits_.size() && hits_[last].feature == hits_[k].feature;) ++last;
      if (int(last - k) == incident(hits_[k]))
        found_.push_back({k, last, {}});
      else
        for (std::size_t j = k; j < last; ++j)
          if (hits_[j].part + 1 < hits_[j].parts.count) {
            ++hits_[j].part;
            again = true;
          }
    }
    if (again)
      for (Hit& h : hits_) setFeature(node, h);
  }
}

// In space, of an element's corner; in the plane its elements count alike.
double NodeContacts::angleAt(int node, int element) const {
  if (m_.scene.dimension == 2) return 1;
  const std::array<int, 3>& t = m_.element[std::size_t(element)];
  const auto k = std::size_t(std::find(t.begin(), t.end(), node) - t.begin());
  const Vec3d p = m_.at(t[k]), a = m_.at(t[(k + 1) % 3]) - p, b = m_.at(t[(k + 2) % 3]) - p;
  return std::atan2(norm(cross(a, b)), dot(a, b));
}

Vec3d NodeContacts::outwardOf(int node) const {
  Vec3d sum{};
  for (const int e : m_.elementsOfNode[std::size_t(node)]) sum += m_.normalOf(e) * angleAt(node, e);
  return normalized(sum);
}

// Of the hits of all elements that have the feature. The side of an edge or node is that of the normals around it: Baerentzen and
// Aanaes 2005, here with the angles as weights at nodes.
ContactPoint NodeContacts::contactOf(int node, const Hit* first, const Hit* last) const {
  const std::array<int, 3>& e = m_.element[std::size_t(first->element)];
  const int solid = m_.elementSolid[std::size_t(first->element)];
  const ContactSurface &mine = m_.surfaceOf(node), &theirs = m_.scene.surfaces[std::size_t(solid)];
  Vec3d outward{};
  for (const Hit* h = first; h != last; ++h)
    outward += m_.normalOf(h->element) * (h->isNode() ? angleAt(h->feature[2], h->element) : 1.0);
  // the plane's distance has no round-off from the weights
  const double height = dot(outward, first->r);
  double d = first->isFace() ? std::fabs(height) : norm(first->r);
  // the way to what a node is on to round-off has no direction
  const bool isOn = d <= kNear * m_.scene.thickness;
  Vec3d n = first->isFace() ? outward * (height < 0 ? -1.0 : 1.0) : isOn ? normalized(outward) : first->r / d;
  if (theirs.filled && solid != m_.nodeSolid[std::size_t(node)] && height < 0 && (first->isFace() || !isOn)) {
    d = -d;
    n = -n;
  }
  // a sheet that lies on a solid is outside of it, and its distance from the solid's nodes has no sign
  if (mine.filled && !theirs.filled && d <= kTouch * m_.scene.thickness && dot(n, outwardOf(node)) > kSure) {
    d = -d;
    n = -n;
  }
  ContactPoint c;
  c.add(node, 1);
  c.normal = eigen(n);
  c.gap = d - m_.scene.thickness;
  c.friction = std::max(mine.friction, theirs.friction);
  c.restitution = std::max(mine.restitution, theirs.restitution);
  for (std::size_t k = 0; k < std::size_t(m_.scene.dimension); ++k)
    if (first->weight[k] != 0) c.add(e[k], -first->weight[k]);
  return c;
}

// Takes a normal of either surface in place of the contact's where that is the one to part them. Nodes that move one by one are
// stopped by what is nearest to them, and faces of what bends have no plane that lasts.
void NodeContacts::turn(int node, const Hit* first, const Hit* last, const Vector& end, ContactPoint& c) const {
  const ContactSurface &mine = m_.surfaceOf(node),
                       &theirs = m_.scene.surfaces[std::size_t(m_.elementSolid[std::size_t(first->element)])];
  if (!mine.rigid || (first->isFace() && !theirs.rigid)) return;
  const Vec3d n{c.normal[0], c.normal[1], c.normal[2]};
  ContactPatch patch[2];
  std::vector<Vec3d> axes;
  const auto take = [&](ContactPatch& p, int element, double side, bool filled) {
    for (std::size_t k = 0; k < std::size_t(m_.scene.dimension); ++k) {
      const int i = m_.element[std::size_t(element)][k];
      p.start.push_back(m_.at(i));
      p.end.push_back(m_.point(end, i));
    }
    const Vec3d axis = m_.normalOf(element) * side;
    axes.push_back(!filled && dot(axis, n) < 0 ? -axis : axis);
  };
  for (const int e : m_.elementsOfNode[std::size_t(node)]) take(patch[0], e, -1, mine.filled);
  for (const Hit* h = first; h != last; ++h) take(patch[1], h->element, 1, theirs.filled);
  const Vec3d axis = contactAxis(patch[0], patch[1], n, axes, kApart * m_.scene.thickness);
  const double d = c.gap + m_.scene.thickness;
  // what is not too near is not made to be
  c.gap = std::max(d * dot(axis, n), std::min(d, m_.scene.thickness)) - m_.scene.thickness;
  c.normal = eigen(axis);
}

// The plane through an edge or a node goes on beyond the surface: what passes beside that does not meet it.
bool NodeContacts::meets(int node, const Hit* first, const Hit* last, const Vector& end, const ContactPoint& c) const {
  if (first->isFace()) return true;
  Vec3d way{};
  for (int k = 0; k < c.nodes; ++k) {
    const int i = c.node[std::size_t(k)];
    way += (m_.point(end, i) - m_.at(i)) * c.weight[std::size_t(k)];
  }
  for (const Hit* h = first; h != last; ++h) {
    const std::array<int, 3>& e = m_.element[std::size_t(h->element)];
    const Vec3d v[3] = {m_.at(e[0]), m_.at(e[1]), m_.at(e[2])}, x = m_.at(node);
    if (reaches(m_.scene.dimension, v, x, x + way, m_.scene.thickness + m_.scene.reach)) return true;
  }
  return false;
}

// Whether a node is within a filled solid, and which way is out of it, the nearest part of its surface says. To the others it is
// then not near: they would draw it through the solid, or into it.
void NodeContacts::keepWayOut(int node) {
  const auto solidOf = [&](const Found& f) { return m_.elementSolid[std::size_t(hits_[f.first].element)]; };
  const auto distance = [&](const Found& f) { return norm(hits_[f.first].r); };
  const auto isNegative = [&](const Found& f) { return f.contact.gap + m_.scene.thickness < 0; };
  const auto drawn = [&](const Found& f) {
    const int solid = solidOf(f);
    if (!m_.scene.surfaces[std::size_t(solid)].filled || solid == m_.nodeSolid[std::size_t(node)]) return false;
    const Found* nearest = &f;
    for (const Found& other : found_)
      if (solidOf(other) == solid && distance(other) < distance(*nearest)) nearest = &other;
    return nearest != &f && (isNegative(f) || isNegative(*nearest));
  };
  std::vector<char> drop;
  for (const Found& f : found_) drop.push_back(drawn(f));
  std::size_t kept = 0;
  for (std::size_t k = 0; k < found_.size(); ++k)
    if (!drop[k]) found_[kept++] = found_[k];
  found_.resize(kept);
}

void NodeContacts::find(int node, const Vector& end, double half, std::vector<ContactPoint>& out) {
  const Vec3d x = m_.at(node), around{half, half, half};
  hits_.clear();
  m_.tree.overlapping({x - around, x + around}, [&](Index e) {
    if (!mayTouch(node, int(e))) return;
    const Hit h = hitOf(node, int(e));
    if (norm2(h.r) <= half * half) hits_.push_back(h);
  });
  if (hits_.empty()) return;
  group(node);
  for (Found& f : found_) f.contact = contactOf(node, &hits_[f.first], hits_.data() + f.last);
  keepWayOut(node);
  const auto near = [&](const ContactPoint& c) { return c.gapAt(m_.scene.dimension, m_.start, end) < m_.scene.reach; };
  for (Found& f : found_) {
    const Hit *first = &hits_[f.first], *last = hits_.data() + f.last;
    if (!near(f.contact)) continue;
    turn(node, first, last, end, f.contact);
    if (near(f.contact) && meets(node, first, last, end, f.contact)) out.push_back(f.contact);
  }
}

}  // namespace meniscus::implicit
