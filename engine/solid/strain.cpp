#include "engine/solid/strain.h"

#include <algorithm>
#include <cmath>

#include "kernels/solid/singular_values.h"

namespace meniscus {
namespace {

double larger(double a, double b) { return std::fabs(a) >= std::fabs(b) ? a : b; }

// Principal stretches are the roots of the eigenvalues of R^-1 D, the Gram matrices of two edges at rest and deformed.
double triangleStretch(const SolidState& s, const Index* v) {
  const auto at = [](const Buffer<Vec3d>& x, Index i) { return x[std::size_t(i)]; };
  const Vec3d a = at(s.xRest, v[1]) - at(s.xRest, v[0]), b = at(s.xRest, v[2]) - at(s.xRest, v[0]);
  const Vec3d c = at(s.x, v[1]) - at(s.x, v[0]), d = at(s.x, v[2]) - at(s.x, v[0]);
  const double r = dot(a, a) * dot(b, b) - dot(a, b) * dot(a, b);
  if (!(r > 0)) return 0;
  const double trace = (dot(b, b) * dot(c, c) - 2 * dot(a, b) * dot(c, d) + dot(a, a) * dot(d, d)) / r;
  const double determinant = (dot(c, c) * dot(d, d) - dot(c, d) * dot(c, d)) / r;
  const double root = std::sqrt(std::fmax(0.25 * trace * trace - determinant, 0));
  return larger(std::sqrt(std::fmax(0.5 * trace + root, 0)) - 1, std::sqrt(std::fmax(0.5 * trace - root, 0)) - 1);
}

double tetStretch(const SolidState& s, const Index* v) {
  Vec3d rest[3], now[3];
  for (int k = 0; k < 3; ++k) {
    rest[k] = s.xRest[std::size_t(v[k + 1])] - s.xRest[std::size_t(v[0])];
    now[k] = s.x[std::size_t(v[k + 1])] - s.x[std::size_t(v[0])];
  }
  const Mat3d R = Mat3d::columns(rest[0], rest[1], rest[2]);
  if (determinant(R) == 0) return 0;
  const auto sv = SingularValues<double>::of(Mat3d::columns(now[0], now[1], now[2]) * inverse(R));
  return larger(larger(sv.sigma[0] - 1, sv.sigma[1] - 1), sv.sigma[2] - 1);
}

}  // namespace

void nodeStretch(const SolidState& s, const Body& b, float* stretch) {
  std::fill(stretch, stretch + (b.nodeEnd - b.nodeBegin), 0.f);
  const bool solid = b.tetEnd > b.tetBegin;
  const int corners = solid ? 4 : 3;
  for (Index e = solid ? b.tetBegin : b.triBegin; e < (solid ? b.tetEnd : b.triEnd); ++e) {
    const Index* v = (solid ? s.tet.data() : s.tri.data()) + std::size_t(corners) * std::size_t(e);
    const double of = solid ? tetStretch(s, v) : triangleStretch(s, v);
    for (int k = 0; k < corners; ++k) {
      float& at = stretch[v[k] - b.nodeBegin];
      at = float(larger(double(at), of));
    }
  }
}

}  // namespace meniscus
