#include "engine/solid/strain.h"

#include <algorithm>
#include <cmath>

#include "kernels/solid/singular_values.h"

namespace meniscus {
namespace {

double larger(double a, double b) { return std::fabs(a) >= std::fabs(b) ? a : b; }

double edgeStretch(const Vec3d* rest, const Vec3d* now) {
  const double length = norm(rest[1] - rest[0]);
  return length > 0 ? norm(now[1] - now[0]) / length - 1 : 0;
}

// Principal stretches are the roots of the eigenvalues of R^-1 D, the Gram matrices of two edges at rest and deformed.
double triangleStretch(const Vec3d* rest, const Vec3d* now) {
  const Vec3d a = rest[1] - rest[0], b = rest[2] - rest[0], c = now[1] - now[0], d = now[2] - now[0];
  const double r = dot(a, a) * dot(b, b) - dot(a, b) * dot(a, b);
  if (!(r > 0)) return 0;
  const double trace = (dot(b, b) * dot(c, c) - 2 * dot(a, b) * dot(c, d) + dot(a, a) * dot(d, d)) / r;
  const double determinant = (dot(c, c) * dot(d, d) - dot(c, d) * dot(c, d)) / r;
  const double root = std::sqrt(std::fmax(0.25 * trace * trace - determinant, 0));
  return larger(std::sqrt(std::fmax(0.5 * trace + root, 0)) - 1, std::sqrt(std::fmax(0.5 * trace - root, 0)) - 1);
}

double tetStretch(const Vec3d* rest, const Vec3d* now) {
  const Mat3d R = Mat3d::columns(rest[1] - rest[0], rest[2] - rest[0], rest[3] - rest[0]);
  if (determinant(R) == 0) return 0;
  const Mat3d D = Mat3d::columns(now[1] - now[0], now[2] - now[0], now[3] - now[0]);
  const auto sv = SingularValues<double>::of(D * inverse(R));
  return larger(larger(sv.sigma[0] - 1, sv.sigma[1] - 1), sv.sigma[2] - 1);
}

}  // namespace

double elementStretch(const Vec3d* rest, const Vec3d* now, int points) {
  return points == 2 ? edgeStretch(rest, now) : points == 3 ? triangleStretch(rest, now) : tetStretch(rest, now);
}

void nodeStretch(const SolidState& s, const Body& b, float* stretch) {
  std::fill(stretch, stretch + (b.nodeEnd - b.nodeBegin), 0.f);
  const bool solid = b.tetEnd > b.tetBegin;
  const int corners = solid ? 4 : 3;
  for (Index e = solid ? b.tetBegin : b.triBegin; e < (solid ? b.tetEnd : b.triEnd); ++e) {
    const Index* v = (solid ? s.tet.data() : s.tri.data()) + std::size_t(corners) * std::size_t(e);
    Vec3d rest[4], now[4];
    for (int k = 0; k < corners; ++k) {
      rest[k] = s.xRest[std::size_t(v[k])];
      now[k] = s.x[std::size_t(v[k])];
    }
    const double of = elementStretch(rest, now, corners);
    for (int k = 0; k < corners; ++k) {
      float& at = stretch[v[k] - b.nodeBegin];
      at = float(larger(double(at), of));
    }
  }
}

}  // namespace meniscus
