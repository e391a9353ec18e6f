// What a surface is, and the surface of tetrahedra.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "engine/scene/mesh_edges.h"
#include "engine/scene/mesh_repair.h"
#include "engine/scene/surface_tree.h"

namespace meniscus {

SurfaceReport inspectSurface(const MeshFile& m) {
  constexpr std::size_t kMost = 12;
  SurfaceReport r;
  forEachEdge(sortedSides(m.tri), [&](const TriangleSide* first, const TriangleSide* last) {
    const auto count = last - first;
    if (count == 2 && first[0].forward != first[1].forward) return;
    const bool hole = count == 1;
    ++(hole ? r.holeEdges : r.nonManifoldEdges);
    std::vector<Index>& list = hole ? r.holeFaces : r.nonManifoldFaces;
    for (const TriangleSide* s = first; s != last; ++s) {
      const Index face = m.face[std::size_t(s->triangle)];
      if (list.size() < kMost && std::find(list.begin(), list.end(), face) == list.end()) list.push_back(face);
    }
  });
  return r;
}

std::string listFaces(const std::vector<Index>& faces) {
  const bool cut = faces.size() >= 12;
  return fmt::format("{}{}", fmt::join(faces, ", "), cut ? ", ..." : "");
}

std::vector<Index> surfaceOfTets(const std::string& path, const std::vector<Vec3d>& x, std::vector<Index>& tet,
                                 std::vector<std::string>* notes) {
  const std::size_t n = tet.size() / 4;
  std::size_t negative = 0;
  for (std::size_t t = 0; t < n; ++t) {
    const auto at = [&](std::size_t k) { return x[std::size_t(tet[4 * t + k])] - x[std::size_t(tet[4 * t])]; };
    negative += dot(at(1), cross(at(2), at(3))) < 0;
  }
  if (negative == n && n > 0) {
    for (std::size_t t = 0; t < n; ++t) std::swap(tet[4 * t + 2], tet[4 * t + 3]);
    if (notes) notes->push_back(fmt::format("{}: all tetrahedra were numbered left-handedly and were turned", path));
  }
  struct Face {
    std::array<Index, 3> key, wound;
  };
  std::vector<Face> faces;
  const int side[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  for (std::size_t t = 0; t < n; ++t)
    for (const auto& s : side) {
      Face f;
      for (std::size_t k = 0; k < 3; ++k) f.key[k] = f.wound[k] = tet[4 * t + std::size_t(s[k])];
      std::sort(f.key.begin(), f.key.end());
      faces.push_back(f);
    }
  std::stable_sort(faces.begin(), faces.end(), [](const Face& a, const Face& b) { return a.key < b.key; });
  std::vector<Index> tri;
  for (std::size_t i = 0; i < faces.size();) {
    std::size_t j = i + 1;
    while (j < faces.size() && faces[j].key == faces[i].key) ++j;
    if (j == i + 1) tri.insert(tri.end(), faces[i].wound.begin(), faces[i].wound.end());
    i = j;
  }
  return tri;
}

namespace {

double volume6(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d) { return dot(b - a, cross(c - a, d - a)); }

// Whether segment pq goes through the inside of triangle abc, or touches it away from the segment's ends.
bool pierces(const Vec3d& p, const Vec3d& q, const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  const double dp = volume6(a, b, c, p), dq = volume6(a, b, c, q);
  if (dp * dq >= 0) return false;
  const double u = volume6(p, q, a, b), v = volume6(p, q, b, c), w = volume6(p, q, c, a);
  return (u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0);
}

}  // namespace

std::vector<std::pair<Index, Index>> selfIntersections(const MeshFile& m, std::size_t most) {
  std::vector<std::pair<Index, Index>> found;
  const SurfaceTree tree({m.x, m.tri});
  const Index n = Index(m.tri.size() / 3);
  for (Index t = 0; t < n && found.size() < most; ++t) {
    Box3 box;
    for (int k = 0; k < 3; ++k) box.add(m.x[std::size_t(m.tri[3 * std::size_t(t) + std::size_t(k)])]);
    tree.overlapping(box, [&](Index u) {
      if (u <= t || found.size() >= most) return;
      const Index *a = &m.tri[3 * std::size_t(t)], *b = &m.tri[3 * std::size_t(u)];
      int shared = 0;
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) shared += a[i] == b[j];
      if (shared > 1) return;  // neighbours: TetGen sees whether they are folded onto each other
      const auto cuts = [&](const Index* e, const Index* f) {
        for (int k = 0; k < 3; ++k) {
          const Index p = e[k], q = e[(k + 1) % 3];
          bool corners = false;  // an edge that starts at a corner of the other triangle cannot go through it
          for (int j = 0; j < 3; ++j) corners = corners || f[j] == p || f[j] == q;
          if (!corners && pierces(m.x[std::size_t(p)], m.x[std::size_t(q)], m.x[std::size_t(f[0])], m.x[std::size_t(f[1])],
                                  m.x[std::size_t(f[2])]))
            return true;
        }
        return false;
      };
      if (cuts(a, b) || cuts(b, a)) found.emplace_back(m.face[std::size_t(t)], m.face[std::size_t(u)]);
    });
  }
  return found;
}

}  // namespace meniscus
