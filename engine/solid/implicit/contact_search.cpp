#include "engine/solid/implicit/contact_search.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/solid/implicit/contact_axis.h"
#include "kernels/contact/segment.h"

namespace meniscus::implicit {

// The nearest point of an element, and the part of it that it lies on: all of it, an edge or a node.
struct ContactSearch::Hit {
  int element = -1;
  std::array<int, 3> feature{-1, -1, -1};  // the element; two nodes, the lower first; one node
  TriangleRegion region = TriangleRegion::face;
  std::array<double, 3> weight{0, 0, 0};
  Vec3d r{};  // from it to the node
  bool sameFeature(const Hit& b) const { return feature == b.feature; }
};

namespace {

constexpr double kApart = 0.5;  // of the thickness: what is that far apart has not met before the step

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

double ContactPoint::gapAt(int dimension, const Vector& start, const Vector& end) const {
  double g = gap;
  for (int a = 0; a < dimension; ++a) {
    double moved = end[node * dimension + a] - start[node * dimension + a];
    for (int k = 0; k < others; ++k) {
      const Eigen::Index i = other[std::size_t(k)] * dimension + a;
      moved -= weight[std::size_t(k)] * (end[i] - start[i]);
    }
    g += normal[a] * moved;
  }
  return g;
}

Vec3d ContactSearch::point(const Vector& x, int node) const {
  const Eigen::Index i = Eigen::Index(node) * scene_.dimension;
  return {x[i], x[i + 1], scene_.dimension == 3 ? x[i + 2] : 0};
}

ContactSearch::ContactSearch(ContactScene scene, const Vector& start) : scene_(std::move(scene)) {
  checkPositive("contact: thickness", scene_.thickness);
  checkPositive("contact: reach", scene_.reach);
  const int nodes = int(start.size()) / scene_.dimension;
  nodeSolid_.assign(std::size_t(nodes), -1);
  elementsOfNode_.resize(std::size_t(nodes));
  for (std::size_t s = 0; s < scene_.surfaces.size(); ++s) {
    for (const std::array<int, 3>& e : scene_.surfaces[s].elements) {
      element_.push_back(e);
      elementSolid_.push_back(int(s));
      for (int k = 0; k < scene_.dimension; ++k) {
        const int a = e[std::size_t(k)], b = e[std::size_t((k + 1) % 3)];
        nodeSolid_[std::size_t(a)] = int(s);
        elementsOfNode_[std::size_t(a)].push_back(int(element_.size()) - 1);
        if (scene_.dimension == 3) ++elementsOfEdge_[std::minmax(a, b)];
      }
    }
    double area = 0;
    for (const std::array<int, 3>& e : scene_.surfaces[s].elements) {
      const Vec3d a = point(start, e[0]), b = point(start, e[1]);
      area += a.x * b.y - a.y * b.x;
    }
    outward_.push_back(area < 0 ? -1 : 1);
  }
  begin(start);
  excludeOverlaps();
}

void ContactSearch::begin(const Vector& start) {
  start_ = start;
  SurfaceMesh mesh;
  for (Eigen::Index i = 0; i < start.size() / scene_.dimension; ++i) mesh.x.push_back(point(start, int(i)));
  for (const std::array<int, 3>& e : element_) mesh.tri.insert(mesh.tri.end(), e.begin(), e.end());
  tree_ = SurfaceTree(std::move(mesh));
}

Vec3d ContactSearch::normalOf(int element) const {
  const std::array<int, 3>& e = element_[std::size_t(element)];
  const Vec3d a = point(start_, e[0]), b = point(start_, e[1]);
  if (scene_.dimension == 3) return normalized(cross(b - a, point(start_, e[2]) - a));
  return normalized(Vec3d{b.y - a.y, a.x - b.x, 0}) * outward_[std::size_t(elementSolid_[std::size_t(element)])];
}

bool ContactSearch::mayTouch(int node, int element) const {
  const std::array<int, 3>& e = element_[std::size_t(element)];
  if (e[0] == node || e[1] == node || e[2] == node) return false;
  const int a = nodeSolid_[std::size_t(node)], b = elementSolid_[std::size_t(element)];
  if (a == b && scene_.surfaces[std::size_t(a)].rigid) return false;
  const auto given = [&](int i) { return scene_.given[std::size_t(i)] != 0; };
  if (given(node) && given(e[0]) && given(e[1]) && given(e[2])) return false;
  return a == b || never_.count(std::minmax(a, b)) == 0;
}

ContactSearch::Hit ContactSearch::hitOf(int node, int element) const {
  const std::array<int, 3>& e = element_[std::size_t(element)];
  const Vec3d x = point(start_, node), v[3] = {point(start_, e[0]), point(start_, e[1]), point(start_, e[2])};
  const PackedTriangle t = PackedTriangle::make(Vec3f{}, Vec3f(v[1] - v[0]), Vec3f(v[2] - v[0]), 0.f);
  const TrianglePoint p = closestOnTriangle(t, Vec3f(x - v[0]));
  Hit h{element, {element, -1, -1}, p.region, {1 - double(p.b1) - double(p.b2), double(p.b1), double(p.b2)}, {}};
  if (scene_.dimension == 2) h.weight = {h.weight[0], h.weight[1] + h.weight[2], 0};
  h.r = x - v[0] - (v[1] - v[0]) * h.weight[1] - (v[2] - v[0]) * h.weight[2];
  const int region = int(p.region);
  if (p.region >= TriangleRegion::vertex0) {
    h.feature = {-1, -1, e[std::size_t(region - 4)]};
  } else if (scene_.dimension == 2) {  // an edge is all of the element
    h.region = TriangleRegion::face;
  } else if (p.region != TriangleRegion::face) {
    const auto [a, b] = std::minmax(e[std::size_t(region - 1)], e[std::size_t(region % 3)]);
    h.feature = {-1, a, b};
  }
  return h;
}

// The number of elements that have the feature.
int ContactSearch::incident(const Hit& h) const {
  if (h.region == TriangleRegion::face) return 1;
  if (h.feature[1] < 0) return int(elementsOfNode_[std::size_t(h.feature[2])].size());
  return elementsOfEdge_.at({h.feature[1], h.feature[2]});
}

// Of the hits of all elements that have the feature. The side of an edge or node is that of the normals around it: Baerentzen and
// Aanaes 2005, here with the angles as weights at nodes.
ContactPoint ContactSearch::contactOf(int node, const Hit* first, const Hit* last) const {
  const std::array<int, 3>& e = element_[std::size_t(first->element)];
  const int solid = elementSolid_[std::size_t(first->element)];
  const ContactSurface &mine = scene_.surfaces[std::size_t(nodeSolid_[std::size_t(node)])],
                       &theirs = scene_.surfaces[std::size_t(solid)];
  Vec3d outward{};
  for (const Hit* h = first; h != last; ++h) {
    double angle = 1;
    if (scene_.dimension == 3 && h->region >= TriangleRegion::vertex0) {
      const std::array<int, 3>& t = element_[std::size_t(h->element)];
      const auto k = std::size_t(int(h->region) - 4);
      const Vec3d p = point(start_, t[k]), a = point(start_, t[(k + 1) % 3]) - p, b = point(start_, t[(k + 2) % 3]) - p;
      angle = std::atan2(norm(cross(a, b)), dot(a, b));
    }
    outward += normalOf(h->element) * angle;
  }
  // the plane's distance has no round-off from the single precision of the weights
  const bool face = first->region == TriangleRegion::face;
  const double height = dot(outward, first->r);
  double d = face ? std::fabs(height) : norm(first->r);
  Vec3d n = face ? outward * (height < 0 ? -1.0 : 1.0) : d > 0 ? first->r / d : normalized(outward);
  if (theirs.filled && solid != nodeSolid_[std::size_t(node)] && height < 0) {
    d = -d;
    n = -n;
  }
  ContactPoint c;
  c.node = node;
  c.normal = eigen(n);
  c.gap = d - scene_.thickness;
  c.friction = std::max(mine.friction, theirs.friction);
  c.restitution = std::max(mine.restitution, theirs.restitution);
  for (std::size_t k = 0; k < std::size_t(scene_.dimension); ++k)
    if (first->weight[k] != 0) {
      c.other[std::size_t(c.others)] = e[k];
      c.weight[std::size_t(c.others++)] = first->weight[k];
    }
  return c;
}

// Takes a normal of either surface in place of the contact's where that is the one to part them. Nodes that move one by one are
// stopped by what is nearest to them, and faces of what bends have no plane that lasts.
void ContactSearch::turn(const Hit* first, const Hit* last, const Vector& end, ContactPoint& c) const {
  const int solid = nodeSolid_[std::size_t(c.node)], other = elementSolid_[std::size_t(first->element)];
  const ContactSurface &mine = scene_.surfaces[std::size_t(solid)], &theirs = scene_.surfaces[std::size_t(other)];
  if (!mine.rigid || (first->region == TriangleRegion::face && !theirs.rigid)) return;
  const Vec3d n{c.normal[0], c.normal[1], c.normal[2]};
  ContactPatch patch[2];
  std::vector<Vec3d> axes;
  const auto take = [&](ContactPatch& p, int element, double side, bool filled) {
    for (std::size_t k = 0; k < std::size_t(scene_.dimension); ++k) {
      const int i = element_[std::size_t(element)][k];
      p.start.push_back(point(start_, i));
      p.end.push_back(point(end, i));
    }
    const Vec3d axis = normalOf(element) * side;
    axes.push_back(!filled && dot(axis, n) < 0 ? -axis : axis);
  };
  for (const int e : elementsOfNode_[std::size_t(c.node)]) take(patch[0], e, -1, mine.filled);
  for (const Hit* h = first; h != last; ++h) take(patch[1], h->element, 1, theirs.filled);
  const Vec3d axis = contactAxis(patch[0], patch[1], n, axes, kApart * scene_.thickness);
  const double d = c.gap + scene_.thickness;
  // what is not too near is not made to be
  c.gap = std::max(d * dot(axis, n), std::min(d, scene_.thickness)) - scene_.thickness;
  c.normal = eigen(axis);
}

void ContactSearch::addWalls(int node, const Vector& end, std::vector<ContactPoint>& out) const {
  const ContactSurface& solid = scene_.surfaces[std::size_t(nodeSolid_[std::size_t(node)])];
  for (std::size_t w = 0; w < scene_.walls.size(); ++w) {
    const ContactWall& wall = scene_.walls[w];
    ContactPoint c;
    c.node = node;
    c.wall = int(w);
    c.normal[wall.axis] = wall.side;
    c.gap = (start_[Eigen::Index(node) * scene_.dimension + wall.axis] - wall.at) * wall.side - scene_.thickness;
    c.friction = std::max(solid.friction, scene_.wallFriction);
    c.restitution = solid.restitution;
    if (c.gapAt(scene_.dimension, start_, end) < scene_.reach) out.push_back(c);
  }
}

std::vector<ContactPoint> ContactSearch::find(const Vector& end) const {
  const int nodes = int(nodeSolid_.size());
  const auto moved = [&](int i) { return norm(point(end, i) - point(start_, i)); };
  double most = 0;
  for (int i = 0; i < nodes; ++i) most = std::max(most, moved(i));
  std::vector<ContactPoint> out;
  std::vector<Hit> hits;
  for (int i = 0; i < nodes; ++i) {
    if (nodeSolid_[std::size_t(i)] < 0) continue;  // inside of its solid
    if (!scene_.given[std::size_t(i)]) addWalls(i, end, out);
    const double half = scene_.thickness + scene_.reach + moved(i) + most;
    const Vec3d x = point(start_, i), around{half, half, half};
    hits.clear();
    tree_.overlapping({x - around, x + around}, [&](Index e) {
      if (mayTouch(i, int(e))) hits.push_back(hitOf(i, int(e)));
    });
    std::sort(hits.begin(), hits.end(),
              [](const Hit& a, const Hit& b) { return a.feature != b.feature ? a.feature < b.feature : a.element < b.element; });
    for (std::size_t k = 0, last; k < hits.size(); k = last) {
      for (last = k + 1; last < hits.size() && hits[last].sameFeature(hits[k]);) ++last;
      // it is a local minimum where none of the elements around it leads nearer
      if (int(last - k) != incident(hits[k]) || norm(hits[k].r) > half) continue;
      ContactPoint c = contactOf(i, &hits[k], &hits[k] + (last - k));
      if (!(c.gapAt(scene_.dimension, start_, end) < scene_.reach)) continue;
      turn(&hits[k], &hits[k] + (last - k), end, c);
      if (!(c.gapAt(scene_.dimension, start_, end) < scene_.reach)) continue;
      // the plane through an edge or a node goes on beyond the surface: what passes beside that does not meet it
      bool met = hits[k].region == TriangleRegion::face;
      Vec3d way = point(end, i) - x;
      for (int j = 0; j < c.others; ++j) {
        const int o = c.other[std::size_t(j)];
        way -= (point(end, o) - point(start_, o)) * c.weight[std::size_t(j)];
      }
      for (std::size_t j = k; j < last && !met; ++j) {
        const std::array<int, 3>& e = element_[std::size_t(hits[j].element)];
        const Vec3d v[3] = {point(start_, e[0]), point(start_, e[1]), point(start_, e[2])};
        met = reaches(scene_.dimension, v, x, x + way, scene_.thickness + scene_.reach);
      }
      if (met) out.push_back(c);
    }
  }
  return out;
}

// tree: of the surface
bool ContactSearch::isWithin(const Vec3d& x, const SurfaceTree& tree) const {
  if (tree.nearest(x, scene_.thickness).triangle >= 0) return false;
  if (scene_.dimension == 3) return tree.winding(x) != 0;
  bool within = false;
  const SurfaceMesh& mesh = tree.mesh();
  for (std::size_t k = 0; k < mesh.tri.size(); k += 3) {
    const Vec3d &a = mesh.x[std::size_t(mesh.tri[k])], &b = mesh.x[std::size_t(mesh.tri[k + 1])];
    if ((a.y <= x.y) != (b.y <= x.y)) within ^= a.x + (x.y - a.y) / (b.y - a.y) * (b.x - a.x) > x.x;
  }
  return within;
}

void ContactSearch::excludeOverlaps() {
  for (std::size_t b = 0; b < scene_.surfaces.size(); ++b) {
    const ContactSurface& surface = scene_.surfaces[b];
    if (!surface.filled) continue;
    SurfaceMesh mesh{tree_.mesh().x, {}};
    for (const std::array<int, 3>& e : surface.elements) mesh.tri.insert(mesh.tri.end(), e.begin(), e.end());
    const SurfaceTree tree(std::move(mesh));
    for (int i = 0; i < int(nodeSolid_.size()); ++i) {
      const int a = nodeSolid_[std::size_t(i)];
      if (a < 0 || a == int(b) || never_.count(std::minmax(a, int(b))) != 0) continue;
      if (scene_.given[std::size_t(i)] && !scene_.surfaces[std::size_t(a)].rigid) continue;  // a pin may be in what holds it
      const Vec3d x = point(start_, i);
      if (tree.bounds().overlaps({x, x}) && isWithin(x, tree)) never_.insert(std::minmax(a, int(b)));
    }
  }
}

}  // namespace meniscus::implicit
