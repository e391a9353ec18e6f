// Which cells of a grid lie in solids, so that a fluid's surface can go on into them and end at what is drawn of them.
#pragma once

#include <vector>

#include "engine/render/picture.h"

namespace meniscus::render {

class SolidCells {
 public:
  // Of the meshes that are solid and whose nodes the host has.
  void find(const Grid& grid, const std::vector<Mesh>& meshes);
  // Gives values of cells in solids the mean of their neighbours' outside, some cells far; the others stay.
  void extend(const Grid& grid, std::vector<float>& values);
  bool any() const { return any_; }

 private:
  void cross(const Grid& grid, const glm::vec3 (&corner)[3]);

  bool any_ = false;
  std::vector<char> solid_, flips_, known_;
};

}  // namespace meniscus::render
