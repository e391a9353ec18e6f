// What a surface is, and the surface of tetrahedra.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "engine/base/error.h"
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

// Whether segment pq goes through triangle abc, or through its rim. What is nearer than `touching` [m] is at one place: an end as
// near to the triangle's plane lies in it (of a flat patch that has been turned, round-off puts corners on either side), and a
// segment as near to the rim meets it (two boxes with their sides in one plane cut each other along their edges alone).
bool pierces(const Vec3d& p, const Vec3d& q, const Vec3d& a, const Vec3d& b, const Vec3d& c, double touching) {
  const Vec3d n = cross(b - a, c - a);
  const double dp = dot(n, p - a), dq = dot(n, q - a), least = touching * norm(n);
  if (!(std::min(dp, dq) < -least && std::max(dp, dq) > least)) return false;
  const double side = dp > dq ? -1 : 1, reach = touching * norm(q - p);
  return side * volume6(p, q, a, b) >= -reach * norm(b - a) && side * volume6(p, q, b, c) >= -reach * norm(c - b) &&
         side * volume6(p, q, c, a) >= -reach * norm(a - c);
}

// Whether an edge of triangle e goes through triangle f. Corners are numbers of m.x; an edge that starts at a corner of the other
// triangle cannot go through it.
bool edgeCuts(const MeshFile& m, const Index* e, const Index* f, double touching) {
  const auto at = [&](Index v) { return m.x[std::size_t(v)]; };
  for (int k = 0; k < 3; ++k) {
    const Index p = e[k], q = e[(k + 1) % 3];
    const bool corners = std::any_of(f, f + 3, [&](Index v) { return v == p || v == q; });
    if (!corners && pierces(at(p), at(q), at(f[0]), at(f[1]), at(f[2]), touching)) return true;
  }
  return false;
}

}  // namespace

std::vector<std::pair<Index, Index>> selfIntersections(const MeshFile& m, std::size_t most) {
  constexpr double kTouching = 1e-9;  // of the mesh's extent and place: far above round-off, far below what a file's digits can say
  std::vector<std::pair<Index, Index>> found;
  const SurfaceTree tree({m.x, m.tri});
  const double touching = kTouching * std::max(norm(tree.bounds().lo), norm(tree.bounds().hi));
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
      if (edgeCuts(m, a, b, touching) || edgeCuts(m, b, a, touching))
        found.emplace_back(m.face[std::size_t(t)], m.face[std::size_t(u)]);
    });
  }
  return found;
}

void refuseSelfIntersections(const MeshFile& m, const std::string& remedy) {
  constexpr std::size_t kMost = 6;
  const std::vector<std::pair<Index, Index>> cuts = selfIntersections(m, kMost);
  if (cuts.empty()) return;
  std::string list;
  for (const auto& [p, q] : cuts) list += fmt::format("{}{} with {}", list.empty() ? "" : ", ", p, q);
  throw Error(ErrorKind::input, fmt::format("{}: the surface cuts itself (faces {}{}); {}", m.path, list,
                                            cuts.size() < kMost ? "" : ", ...", remedy));
}

}  // namespace meniscus
