#include "engine/render/water_volume.h"

#include <algorithm>
#include <cmath>

namespace meniscus::render {

namespace {

constexpr int kSamples = 96;  // along the longest axis, that cells are divided for at least
constexpr int kMostFactor = 4;
constexpr float kBand = 2.5f;  // cells: what is farther from the surface does not tell on its shape

// Weights of the four cells about a place by the uniform cubic B-spline, which is smooth to its second derivative and leaves planes
// as they are. t: from the second of them, in cells.
void weights(float t, float (&w)[4]) {
  const float s = 1 - t;
  w[0] = s * s * s / 6;
  w[1] = (4 - 6 * t * t + 3 * t * t * t) / 6;
  w[2] = (4 - 6 * s * s + 3 * s * s * s) / 6;
  w[3] = t * t * t / 6;
}

}  // namespace

// One axis at a time, as the spline is a product.
void WaterVolume::refine(int axis, int factor, const glm::ivec3& from, const std::vector<float>& values,
                         std::vector<float>& to) const {
  glm::ivec3 size = from;
  size[axis] *= factor;
  to.resize(std::size_t(size.x) * std::size_t(size.y) * std::size_t(size.z));
  const std::size_t stride = axis == 0 ? 1 : axis == 1 ? std::size_t(from.x) : std::size_t(from.x) * std::size_t(from.y);
  const int last = from[axis] - 1;
  const auto cell = [&](int k) { return std::size_t(std::clamp(k, 0, last)) * stride; };
  const std::size_t inner = stride, outer = to.size() / (inner * std::size_t(size[axis]));
  for (int k = 0; k < size[axis]; ++k) {
    const float at = (float(k) + .5f) / float(factor) - .5f;
    const int below = int(std::floor(at));
    float w[4];
    weights(at - float(below), w);
    const std::size_t a = cell(below - 1), b = cell(below), c = cell(below + 1), d = cell(below + 2);
    for (std::size_t o = 0; o < outer; ++o) {
      const float* v = values.data() + o * inner * std::size_t(from[axis]);
      float* r = to.data() + (o * std::size_t(size[axis]) + std::size_t(k)) * inner;
      for (std::size_t i = 0; i < inner; ++i) r[i] = w[0] * v[i + a] + w[1] * v[i + b] + w[2] * v[i + c] + w[3] * v[i + d];
    }
  }
}

// A dry cell behind a shell that holds water says that the surface is far. It becomes as far from the shell as the water is deep
// there, so that the smoothed surface stays at the shell.
void WaterVolume::evenShells(float cell) {
  some_ = distance_;
  const std::size_t step[3] = {1, std::size_t(cells_.x), std::size_t(cells_.x) * std::size_t(cells_.y)};
  std::size_t k = 0;
  for (int z = 0; z < cells_.z; ++z)
    for (int y = 0; y < cells_.y; ++y)
      for (int x = 0; x < cells_.x; ++x, ++k) {
        if (!(distance_[k] > cell)) continue;
        const int at[3] = {x, y, z};
        const auto beside = [&](std::size_t n) {
          if (distance_[n] < 0) some_[k] = std::min(some_[k], std::max(.5f * cell, -distance_[n]));
        };
        for (int axis = 0; axis < 3; ++axis) {
          if (at[axis] > 0) beside(k - step[axis]);
          if (at[axis] + 1 < cells_[axis]) beside(k + step[axis]);
        }
      }
  distance_.swap(some_);
}

void WaterVolume::bound(const Grid& grid) {
  glm::ivec3 low = samples_, high(-1);
  std::size_t k = 0;
  for (int z = 0; z < samples_.z; ++z)
    for (int y = 0; y < samples_.y; ++y)
      for (int x = 0; x < samples_.x; ++x, ++k)
        if (distance_[k] < 0) {
          low = glm::min(low, glm::ivec3(x, y, z));
          high = glm::max(high, glm::ivec3(x, y, z));
        }
  // where the sample beside the last wet one is; beyond the box's sides there is nothing
  const glm::vec3 sample = glm::vec3(grid.cells) * grid.cell / glm::vec3(samples_);
  wetLow_ = glm::max(grid.low, grid.low + (glm::vec3(low) - .5f) * sample);
  wetHigh_ = glm::min(grid.high(), grid.low + (glm::vec3(high) + 1.5f) * sample);
  if (high.x < 0) wetLow_ = wetHigh_ = grid.low;
}

bool WaterVolume::take(const Grid& grid, const std::vector<Mesh>& meshes) {
  if (taken_ == grid.levelSet && revision_ == grid.revision && cells_ == grid.cells) return false;
  taken_ = grid.levelSet;
  revision_ = grid.revision;
  cells_ = grid.cells;
  const int longest = std::max({cells_.x, cells_.y, cells_.z});
  const int factor = std::clamp((kSamples + longest - 1) / longest, 1, kMostFactor);
  const std::size_t n = std::size_t(cells_.x) * std::size_t(cells_.y) * std::size_t(cells_.z);
  distance_.resize(n);
  const float far = kBand * grid.cell;  // also of what is not a number
  for (std::size_t k = 0; k < n; ++k) distance_[k] = grid.levelSet[k] < far ? std::max(grid.levelSet[k], -far) : far;
  solids_.find(grid, meshes);
  if (solids_.any()) solids_.extend(grid, distance_);
  evenShells(grid.cell);
  samples_ = cells_;
  for (int axis = 0; axis < 3; ++axis) {
    refine(axis, factor, samples_, distance_, some_);
    samples_[axis] *= factor;
    distance_.swap(some_);
  }
  bound(grid);
  return true;
}

}  // namespace meniscus::render
