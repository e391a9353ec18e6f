// Edges of a triangle list with the triangles at them.
#pragma once

#include <algorithm>
#include <vector>

#include "kernels/core/macros.h"

namespace meniscus {

// One side of a triangle: the edge lo < hi, run through from lo to hi if `forward`.
struct TriangleSide {
  Index lo, hi;
  Index triangle;
  bool forward;
};

// All sides, sorted by edge and then by triangle: those of one edge stand together.
inline std::vector<TriangleSide> sortedSides(const std::vector<Index>& tri) {
  std::vector<TriangleSide> sides;
  sides.reserve(tri.size());
  for (std::size_t k = 0; k < tri.size(); ++k) {
    const Index a = tri[k], b = tri[k % 3 == 2 ? k - 2 : k + 1];
    sides.push_back({std::min(a, b), std::max(a, b), Index(k / 3), a < b});
  }
  std::sort(sides.begin(), sides.end(), [](const TriangleSide& p, const TriangleSide& q) {
    if (p.lo != q.lo) return p.lo < q.lo;
    if (p.hi != q.hi) return p.hi < q.hi;
    return p.triangle < q.triangle;
  });
  return sides;
}

// Calls f(first, last) for the run of sides of each edge.
template <class F>
void forEachEdge(const std::vector<TriangleSide>& sides, F&& f) {
  for (std::size_t i = 0; i < sides.size();) {
    std::size_t j = i + 1;
    while (j < sides.size() && sides[j].lo == sides[i].lo && sides[j].hi == sides[i].hi) ++j;
    f(&sides[i], &sides[0] + j);
    i = j;
  }
}

}  // namespace meniscus
