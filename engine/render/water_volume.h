// The distance to the water's surface as it is drawn: sampled more finely than the simulation's cells, so that these are not seen.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/render/picture.h"
#include "engine/render/solid_cells.h"

namespace meniscus::render {

class WaterVolume {
 public:
  // Takes a grid's level set, where it has changed; in solid meshes it goes on as beside them. True where it was taken.
  bool take(const Grid& grid, const std::vector<Mesh>& meshes);

  const glm::ivec3& samples() const { return samples_; }      // by axis; each a whole number of times the cells
  const float* distance() const { return distance_.data(); }  // m, negative in water; at most a few cells; x fastest
  // The box of the water, with the surface and what the shading reads around it; empty (low >= high): there is none.
  const glm::vec3& wetLow() const { return wetLow_; }
  const glm::vec3& wetHigh() const { return wetHigh_; }
  bool wet() const { return wetLow_.x < wetHigh_.x; }

 private:
  void refine(int axis, int factor, const glm::ivec3& from, const std::vector<float>& values, std::vector<float>& to) const;
  void evenShells(float cell);
  void bound(const Grid& grid);

  const float* taken_ = nullptr;
  std::uint64_t revision_ = 0;
  glm::ivec3 cells_{0}, samples_{0};
  SolidCells solids_;
  std::vector<float> distance_, some_;
  glm::vec3 wetLow_{0}, wetHigh_{0};
};

}  // namespace meniscus::render
