#include "apps/validate/block.h"

#include <utility>

namespace meniscus::validate {

Block block(int nx, int ny, int nz, const Vec3d& size, const Vec3d& origin) {
  Block b;
  const auto node = [&](int i, int j, int k) { return (k * (ny + 1) + j) * (nx + 1) + i; };
  for (int k = 0; k <= nz; ++k)
    for (int j = 0; j <= ny; ++j)
      for (int i = 0; i <= nx; ++i)
        for (const double c : {origin.x + size.x * i / nx, origin.y + size.y * j / ny, origin.z + size.z * k / nz})
          b.x.push_back(float(c));
  constexpr int order[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  for (int k = 0; k < nz; ++k)
    for (int j = 0; j < ny; ++j)
      for (int i = 0; i < nx; ++i)
        for (const auto& o : order) {
          // from one corner of the cell to the opposite one; in every other cell along an axis, mirrored
          int at[3] = {i + (i & 1), j + (j & 1), k + (k & 1)};
          const int step[3] = {i & 1 ? -1 : 1, j & 1 ? -1 : 1, k & 1 ? -1 : 1};
          std::int32_t tet[4] = {node(at[0], at[1], at[2])};
          for (int s = 0; s < 3; ++s) {
            at[o[s]] += step[o[s]];
            tet[s + 1] = node(at[0], at[1], at[2]);
          }
          const bool odd = (o[0] > o[1]) != ((o[1] > o[2]) != (o[0] > o[2]));
          if (odd != ((i + j + k) % 2 != 0)) std::swap(tet[2], tet[3]);
          b.tets.insert(b.tets.end(), tet, tet + 4);
        }
  return b;
}

mnsShape Block::shape() const {
  mnsShape s = mnsDefaultShape();
  s.kind = MNS_SHAPE_MESH;
  s.vertices = x.data();
  s.vertexCount = std::int32_t(x.size() / 3);
  s.tetrahedra = tets.data();
  s.tetrahedronCount = std::int32_t(tets.size() / 4);
  return s;
}

}  // namespace meniscus::validate
