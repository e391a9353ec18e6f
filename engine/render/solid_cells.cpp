#include "engine/render/solid_cells.h"

#include <algorithm>
#include <cmath>

namespace meniscus::render {

namespace {

constexpr int kLayers = 3;  // cells by which values go on: what is deeper in a solid is not seen

std::size_t countOf(const glm::ivec3& n) { return std::size_t(n.x) * std::size_t(n.y) * std::size_t(n.z); }

glm::vec3 nodeOf(const Floats& f, std::int32_t k) {
  const auto* p = reinterpret_cast<const float*>(reinterpret_cast<const char*>(f.data) + std::size_t(k) * f.stride);
  return {p[0], p[1], p[2]};
}

// Twice the area that a and b span with p in the plane of y and z; its sign tells the side.
float side(const glm::vec3& a, const glm::vec3& b, float y, float z) { return (b.y - a.y) * (z - a.z) - (b.z - a.z) * (y - a.y); }

}  // namespace

// Lines along x through the centres of cells, a little beside them so that none meets an edge of a regular mesh: where one crosses
// the triangle it goes into the solid or out of it.
void SolidCells::cross(const Grid& grid, const glm::vec3 (&corner)[3]) {
  constexpr float kBeside = 1.37e-4f;
  glm::vec3 low = (glm::min(corner[0], glm::min(corner[1], corner[2])) - grid.low) / grid.cell - (.5f + kBeside),
            high = (glm::max(corner[0], glm::max(corner[1], corner[2])) - grid.low) / grid.cell - (.5f + kBeside);
  if (!(high.y >= 0 && high.z >= 0 && low.y < float(grid.cells.y) && low.z < float(grid.cells.z))) return;
  const int y0 = std::max(0, int(std::ceil(low.y))), y1 = std::min(grid.cells.y - 1, int(std::floor(high.y)));
  const int z0 = std::max(0, int(std::ceil(low.z))), z1 = std::min(grid.cells.z - 1, int(std::floor(high.z)));
  for (int j = z0; j <= z1; ++j)
    for (int i = y0; i <= y1; ++i) {
      const float y = grid.low.y + (float(i) + .5f + kBeside) * grid.cell, z = grid.low.z + (float(j) + .5f + kBeside) * grid.cell;
      const float a = side(corner[1], corner[2], y, z), b = side(corner[2], corner[0], y, z), c = side(corner[0], corner[1], y, z);
      if (!((a > 0 && b > 0 && c > 0) || (a < 0 && b < 0 && c < 0))) continue;
      const float x = (a * corner[0].x + b * corner[1].x + c * corner[2].x) / (a + b + c);
      const float from = std::ceil((x - grid.low.x) / grid.cell - .5f);
      if (!(from < float(grid.cells.x))) continue;
      const auto row = (std::size_t(j) * std::size_t(grid.cells.y) + std::size_t(i)) * std::size_t(grid.cells.x);
      flips_[row + std::size_t(std::max(from, 0.f))] ^= 1;
    }
}

void SolidCells::find(const Grid& grid, const std::vector<Mesh>& meshes) {
  const std::size_t n = countOf(grid.cells);
  solid_.assign(n, 0);
  any_ = false;
  for (const Mesh& mesh : meshes) {
    if (!mesh.solid || !mesh.position.data) continue;
    any_ = true;
    flips_.assign(n, 0);
    for (std::size_t t = 0; t < mesh.triangleCount; ++t) {
      const std::int32_t* k = mesh.triangles + 3 * t;
      const glm::vec3 corner[3] = {nodeOf(mesh.position, k[0]), nodeOf(mesh.position, k[1]), nodeOf(mesh.position, k[2])};
      cross(grid, corner);
    }
    char in = 0;
    for (std::size_t i = 0; i < n; ++i) {
      if (i % std::size_t(grid.cells.x) == 0) in = 0;
      in ^= flips_[i];
      solid_[i] |= in;
    }
  }
}

void SolidCells::extend(const Grid& grid, std::vector<float>& values) {
  const glm::ivec3 n = grid.cells;
  const std::size_t step[3] = {1, std::size_t(n.x), std::size_t(n.x) * std::size_t(n.y)};
  for (int layer = 0; layer < kLayers; ++layer) {
    known_.assign(solid_.size(), 0);
    std::size_t k = 0;
    for (int z = 0; z < n.z; ++z)
      for (int y = 0; y < n.y; ++y)
        for (int x = 0; x < n.x; ++x, ++k) {
          if (!solid_[k]) continue;
          const int at[3] = {x, y, z};
          float sum = 0;
          int count = 0;
          for (int axis = 0; axis < 3; ++axis) {
            if (at[axis] > 0 && !solid_[k - step[axis]]) sum += values[k - step[axis]], ++count;
            if (at[axis] + 1 < n[axis] && !solid_[k + step[axis]]) sum += values[k + step[axis]], ++count;
          }
          if (count == 0) continue;
          values[k] = sum / float(count);
          known_[k] = 1;
        }
    for (std::size_t i = 0; i < known_.size(); ++i)
      if (known_[i]) solid_[i] = 0;
  }
}

}  // namespace meniscus::render
