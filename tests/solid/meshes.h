// Meshes and materials the solid tests share.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "engine/solid/solid.h"

namespace meniscus::testing_meshes {

// (nx+1)(ny+1) nodes over [0, lx] x [0, ly] in the plane z = 0, cells cut by alternating diagonals, normals +z.
inline SurfaceMesh sheet(Index nx, Index ny, double lx, double ly) {
  SurfaceMesh m;
  for (Index j = 0; j <= ny; ++j)
    for (Index i = 0; i <= nx; ++i) m.x.push_back({lx * i / nx, ly * j / ny, 0});
  for (Index j = 0; j < ny; ++j) {
    for (Index i = 0; i < nx; ++i) {
      const Index a = j * (nx + 1) + i, b = a + 1, c = a + nx + 1, d = c + 1;
      if ((i + j) % 2)
        m.tri.insert(m.tri.end(), {a, b, d, a, d, c});
      else
        m.tri.insert(m.tri.end(), {a, b, c, b, d, c});
    }
  }
  return m;
}

// Sphere by subdividing an icosahedron `level` times: 20 * 4^level triangles, outward.
inline SurfaceMesh icosphere(int level, double radius) {
  const double p = (1 + std::sqrt(5.0)) / 2;
  SurfaceMesh m;
  m.x = {{-1, p, 0},  {1, p, 0},  {-1, -p, 0}, {1, -p, 0}, {0, -1, p},  {0, 1, p},
         {0, -1, -p}, {0, 1, -p}, {p, 0, -1},  {p, 0, 1},  {-p, 0, -1}, {-p, 0, 1}};
  m.tri = {0, 11, 5, 0, 5, 1, 0, 1, 7, 0, 7, 10, 0, 10, 11, 1, 5, 9, 5, 11, 4,  11, 10, 2,  10, 7, 6, 7, 1, 8,
           3, 9,  4, 3, 4, 2, 3, 2, 6, 3, 6, 8,  3, 8,  9,  4, 9, 5, 2, 4,  11, 6,  2,  10, 8,  6, 7, 9, 8, 1};
  for (int l = 0; l < level; ++l) {
    std::map<std::pair<Index, Index>, Index> middle;
    const auto mid = [&](Index a, Index b) {
      const auto [it, fresh] = middle.try_emplace(std::minmax(a, b), Index(m.x.size()));
      if (fresh) m.x.push_back((m.x[std::size_t(a)] + m.x[std::size_t(b)]) * 0.5);
      return it->second;
    };
    std::vector<Index> next;
    for (std::size_t t = 0; t < m.tri.size(); t += 3) {
      const Index a = m.tri[t], b = m.tri[t + 1], c = m.tri[t + 2], ab = mid(a, b), bc = mid(b, c), ca = mid(c, a);
      next.insert(next.end(), {a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca});
    }
    m.tri = next;
  }
  for (Vec3d& x : m.x) x = normalized(x) * radius;
  return m;
}

// Box surface with its lower corner at the origin, 12 triangles, outward.
inline SurfaceMesh box(const Vec3d& size) {
  SurfaceMesh m;
  for (int k = 0; k < 8; ++k) m.x.push_back({k & 1 ? size.x : 0, k & 2 ? size.y : 0, k & 4 ? size.z : 0});
  m.tri = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
  return m;
}

// Tetrahedra over [0, l]: nx ny nz cells of six each, mirrored from cell to cell so that no direction is preferred.
inline TetMesh block(Index nx, Index ny, Index nz, const Vec3d& l) {
  TetMesh m;
  const auto node = [&](Index i, Index j, Index k) { return (k * (ny + 1) + j) * (nx + 1) + i; };
  for (Index k = 0; k <= nz; ++k)
    for (Index j = 0; j <= ny; ++j)
      for (Index i = 0; i <= nx; ++i) m.x.push_back({l.x * i / nx, l.y * j / ny, l.z * k / nz});
  constexpr int path[6][2] = {{1, 3}, {1, 5}, {2, 3}, {2, 6}, {4, 5}, {4, 6}};  // from corner 0 along edges to corner 7
  std::map<std::array<Index, 3>, std::array<Index, 3>> open;                    // faces seen once
  for (Index k = 0; k < nz; ++k) {
    for (Index j = 0; j < ny; ++j) {
      for (Index i = 0; i < nx; ++i) {
        const int flip = (i & 1) | (j & 1) << 1 | (k & 1) << 2;
        const auto corner = [&](int c) {
          c ^= flip;
          return node(i + (c & 1), j + (c >> 1 & 1), k + (c >> 2 & 1));
        };
        for (const auto& p : path) {
          Index t[4] = {corner(0), corner(p[0]), corner(p[1]), corner(7)};
          const Vec3d o = m.x[std::size_t(t[0])];
          if (dot(m.x[std::size_t(t[1])] - o, cross(m.x[std::size_t(t[2])] - o, m.x[std::size_t(t[3])] - o)) < 0)
            std::swap(t[1], t[2]);
          m.tet.insert(m.tet.end(), t, t + 4);
          constexpr int face[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
          for (const auto& f : face) {
            const std::array<Index, 3> tri = {t[f[0]], t[f[1]], t[f[2]]};
            std::array<Index, 3> key = tri;
            std::sort(key.begin(), key.end());
            if (!open.erase(key)) open[key] = tri;
          }
        }
      }
    }
  }
  for (const auto& f : open) m.tri.insert(m.tri.end(), f.second.begin(), f.second.end());
  return m;
}

// A soft solid of the density of water. Young's modulus in Pa.
inline SolidDef softDef(double youngsModulus, double poissonRatio) {
  SolidDef d;
  d.name = "soft";
  d.kind = SolidKind::soft;
  d.material.density = 1000;
  d.material.youngsModulus = youngsModulus;
  d.material.poissonRatio = poissonRatio;
  return d;
}

}  // namespace meniscus::testing_meshes
