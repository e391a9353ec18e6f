// Solids of a scene in a plane y = const, as bodies that can be seen in space.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/core/vec.h"

namespace meniscus {

struct PlaneSurface {
  std::vector<Vec3d> x, n;        // m; unit, outward
  std::vector<std::int32_t> tri;  // 3 a triangle
  std::vector<std::int32_t> of;   // of each point: the point of the plane that it stands for; -1: for all of them
};

// Share of a cell that lines beside a grid in a plane are drawn thick.
inline constexpr double kLineThickness = 0.6;

// Every line becomes a bar, as thick [m] in the plane as across it; but lines that enclose something solid (which must be convex)
// its front, its back and what is between, of its very size. x: points of the plane [m]; line: two points an edge, all in one
// direction along their chain.
PlaneSurface planeSurface(const std::vector<Vec3d>& x, const std::vector<std::int32_t>& line, double thickness, bool solid);

}  // namespace meniscus
