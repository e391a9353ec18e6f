// Primitive shapes cut into triangles.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/scene/scene.h"

namespace meniscus {

// In the shape's own frame, metres; counter-clockwise from outside. Points are shared by all triangles that meet in them.
struct Patch {
  std::vector<Vec3d> x;
  std::vector<std::int32_t> tri;

  void quad(int a, int b, int c, int d) {
    for (int k : {a, b, c, a, c, d}) tri.push_back(k);
  }
};

// A circle has 32 segments, a half circle from pole to pole 16. A plane is a square of this width. Meshes and sheets, which have
// nodes of their own: nothing.
Patch primitivePatch(const ShapeDef& shape, double planeWidth);

}  // namespace meniscus
