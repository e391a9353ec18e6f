// Points and normals by which a surface of triangles is shaded: smooth, but for its sharp edges.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/core/vec.h"

namespace meniscus {

// Where triangles meet at a sharp edge, each side has points of its own. Numbered from the surface's, of which x and tri are given;
// it stays right while the surface moves as a whole, and for one without sharp edges while it deforms.
struct ShadedSurface {
  std::vector<std::int32_t> point;  // of each point here: the one it is at
  std::vector<std::int32_t> tri;    // 3 a triangle, of points here
  std::vector<std::int32_t> face;   // triangles whose areas make the normal of point k: faceBegin[k] .. faceBegin[k + 1]
  std::vector<std::int32_t> faceBegin;

  // Unit, or zero where the triangles have no area; of the surface's points x and triangles.
  std::vector<Vec3d> normals(const std::vector<Vec3d>& x, const std::vector<std::int32_t>& tri) const;
};

// Triangles that meet at less than this angle [degrees] are smooth there; 180: everywhere. x in m; tri: 3 a triangle, of x.
ShadedSurface shadedSurface(const std::vector<Vec3d>& x, const std::vector<std::int32_t>& tri, double degrees);

inline constexpr double kSmoothOfRigid = 40;  // degrees, of bodies that move as a whole

}  // namespace meniscus
