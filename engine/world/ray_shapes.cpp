#include "engine/world/ray_shapes.h"

#include <cmath>
#include <initializer_list>
#include <utility>

namespace meniscus {
namespace {

// The two roots of a t^2 + 2 b t + c, ascending.
bool roots(double a, double b, double c, double (&t)[2]) {
  const double d = b * b - a * c;
  if (!(a > 0) || !(d >= 0)) return false;
  const double q = -(b + std::copysign(std::sqrt(d), b));  // without cancellation
  t[0] = q / a;
  t[1] = q != 0 ? c / q : t[0];
  if (t[0] > t[1]) std::swap(t[0], t[1]);
  return true;
}

struct Caster {
  const Vec3d &origin, &ray;
  double& share;
  Vec3d& n;
  bool found = false;

  Vec3d at(double t) const { return origin + ray * t; }
  // within(point): does the surface reach there?
  template <class Within, class Normal>
  void take(double t, const Within& within, const Normal& normal) {
    if (!(t >= 0 && t <= share) || !within(at(t))) return;
    share = t;
    n = normal(at(t));
    found = true;
  }
  template <class Within>
  void flat(int axis, double place, double outward, const Within& within) {
    if (ray[axis] == 0) return;
    Vec3d normal{};
    normal[axis] = outward;
    take((place - origin[axis]) / ray[axis], within, [&](const Vec3d&) { return normal; });
  }
  template <class Within>
  void ball(const Vec3d& center, double radius, const Within& within) {
    const Vec3d r = origin - center;
    double t[2];
    if (!roots(norm2(ray), dot(r, ray), norm2(r) - radius * radius, t)) return;
    for (const double k : t) take(k, within, [&](const Vec3d& x) { return normalized(x - center); });
  }
  void side(double radius, double halfHeight) {
    double t[2];
    if (!roots(ray.x * ray.x + ray.y * ray.y, origin.x * ray.x + origin.y * ray.y,
               origin.x * origin.x + origin.y * origin.y - radius * radius, t))
      return;
    for (const double k : t)
      take(
          k, [&](const Vec3d& x) { return std::fabs(x.z) <= halfHeight; },
          [](const Vec3d& x) {
            return normalized(Vec3d{x.x, x.y, 0});
          });
  }
  void box(const Vec3d& half) {
    for (int k = 0; k < 3; ++k)
      for (const double sign : {-1.0, 1.0})
        flat(k, sign * half[k], sign, [&](const Vec3d& x) {
          const int i = (k + 1) % 3, j = (k + 2) % 3;
          return std::fabs(x[i]) <= half[i] && std::fabs(x[j]) <= half[j];
        });
  }
};

}  // namespace

bool castOnPrimitive(const PrimitiveShape<double>& s, const Vec3d& origin, const Vec3d& ray, double& share, Vec3d& n) {
  Caster c{origin, ray, share, n};
  const auto everywhere = [](const Vec3d&) { return true; };
  switch (s.kind) {
    case PrimitiveKind::plane:
      c.flat(2, 0, 1, everywhere);
      break;
    case PrimitiveKind::box:
      c.box(s.half);
      break;
    case PrimitiveKind::sphere:
      c.ball({}, s.radius, everywhere);
      break;
    case PrimitiveKind::capsule:
      c.side(s.radius, s.halfHeight);
      for (const double sign : {-1.0, 1.0})
        c.ball({0, 0, sign * s.halfHeight}, s.radius, [&](const Vec3d& x) { return sign * x.z >= s.halfHeight; });
      break;
    case PrimitiveKind::cylinder:
      c.side(s.radius, s.halfHeight);
      for (const double sign : {-1.0, 1.0})
        c.flat(2, sign * s.halfHeight, sign, [&](const Vec3d& x) { return x.x * x.x + x.y * x.y <= s.radius * s.radius; });
      break;
  }
  return c.found;
}

}  // namespace meniscus
