#include "engine/solid/implicit/contact_overlaps.h"

#include <algorithm>
#include <map>

#include "kernels/contact/segment.h"

namespace meniscus::implicit {
namespace {

// The surface of a filled solid.
class Filled {
 public:
  Filled(const ContactMesh& mesh, int solid) : dimension_(mesh.scene.dimension) {
    SurfaceMesh own{mesh.tree.mesh().x, {}};
    for (const std::array<int, 3>& e : mesh.scene.surfaces[std::size_t(solid)].elements)
      own.tri.insert(own.tri.end(), e.begin(), e.end());
    tree_ = SurfaceTree(std::move(own));
  }

  // How far within it a point is [m]; 0: it is not.
  double depthOf(const Vec3d& x) const {
    if (!tree_.bounds().overlaps({x, x}) || !holds(x)) return 0;
    return tree_.nearest(x, 1e300).distance;
  }

  // Of the way from p to q, the parts where it crosses the surface, in order.
  std::vector<double> crossings(const Vec3d& p, const Vec3d& q) const {
    std::vector<double> all;
    Box3 box;
    box.add(p);
    box.add(q);
    tree_.overlapping(box, [&](Index t) {
      if (const double at = crossing(t, p, q); at >= 0) all.push_back(at);
    });
    std::sort(all.begin(), all.end());
    return all;
  }

 private:
  Vec3d corner(Index triangle, int k) const { return tree_.mesh().x[std::size_t(tree_.mesh().tri[std::size_t(3 * triangle + k)])]; }

  bool holds(const Vec3d& x) const {
    if (dimension_ == 3) return tree_.winding(x) != 0;
    bool within = false;
    for (Index k = 0; k < Index(tree_.mesh().tri.size()) / 3; ++k) {
      const Vec3d a = corner(k, 0), b = corner(k, 1);
      if ((a.y <= x.y) != (b.y <= x.y)) within ^= a.x + (x.y - a.y) / (b.y - a.y) * (b.x - a.x) > x.x;
    }
    return within;
  }

  // -1: none
  double crossing(Index triangle, const Vec3d& p, const Vec3d& q) const {
    const Vec3d a = corner(triangle, 0), e = corner(triangle, 1) - a, f = corner(triangle, 2) - a;
    Vec3d n{-e.y, e.x, 0};
    if (dimension_ == 3) {
      const PackedTriangle t = PackedTriangle::make(Vec3f{}, Vec3f(e), Vec3f(f), 0.f);
      if (!segmentMeetsTriangle(t, Vec3f(p - a), Vec3f(q - a))) return -1;
      n = cross(e, f);
    }
    const double from = dot(n, p - a), to = dot(n, q - a);
    if (from * to > 0 || from == to) return -1;
    const double at = from / (from - to);
    if (dimension_ == 3) return at;
    const double along = dot(e, p + (q - p) * at - a);
    return along >= 0 && along <= norm2(e) ? at : -1;
  }

  int dimension_;
  SurfaceTree tree_;
};

bool isGiven(const ContactMesh& m, const ContactSurface& s) {
  return std::all_of(s.elements.begin(), s.elements.end(),
                     [&m](const std::array<int, 3>& e) { return m.given(e[0]) && m.given(e[1]) && m.given(e[2]); });
}

// The deepest point of one solid in a filled one.
SolidOverlap deepest(const ContactMesh& m, int solid, int other, const Filled& filled) {
  SolidOverlap deepest{solid, other, 0, {}};
  const ContactSurface& s = m.scene.surfaces[std::size_t(solid)];
  const auto look = [&](const Vec3d& x) {
    const double depth = filled.depthOf(x);
    if (depth > deepest.depth) deepest = {solid, other, depth, x};
  };
  const auto pinned = [&](int node) { return !s.rigid && m.given(node); };
  for (const std::array<int, 3>& e : s.elements)
    for (int k = 0; k < m.scene.dimension; ++k) {
      const int i = e[std::size_t(k)], j = e[std::size_t((k + 1) % m.scene.dimension)];
      if (!pinned(i)) look(m.at(i));
      if (pinned(i) || pinned(j)) continue;
      const std::vector<double> in = filled.crossings(m.at(i), m.at(j));
      for (std::size_t c = 1; c < in.size(); ++c) look(m.at(i) + (m.at(j) - m.at(i)) * (0.5 * (in[c - 1] + in[c])));
    }
  return deepest;
}

}  // namespace

std::vector<SolidOverlap> overlapsOf(const ContactMesh& m) {
  std::map<std::pair<int, int>, SolidOverlap> found;
  const int n = int(m.scene.surfaces.size());
  for (int b = 0; b < n; ++b) {
    const ContactSurface& other = m.scene.surfaces[std::size_t(b)];
    if (!other.filled) continue;
    const Filled filled(m, b);
    const bool given = isGiven(m, other);
    for (int a = 0; a < n; ++a) {
      if (a == b || (given && isGiven(m, m.scene.surfaces[std::size_t(a)]))) continue;
      const SolidOverlap o = deepest(m, a, b, filled);
      if (!(o.depth > 0)) continue;
      SolidOverlap& known = found.try_emplace(std::minmax(a, b), o).first->second;
      if (o.depth > known.depth) known = o;
    }
  }
  std::vector<SolidOverlap> all;
  for (const auto& [pair, overlap] : found) all.push_back(overlap);
  return all;
}

}  // namespace meniscus::implicit
