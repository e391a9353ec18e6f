#include "engine/offline/plane_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/base/error.h"
#include "engine/scene/region.h"

namespace meniscus::offline {
namespace {

constexpr double kPi = 3.14159265358979323846;

// Points from a to b in n parts, without b.
void addLine(std::vector<Vec3d>& x, const Vec3d& a, const Vec3d& b, int n) {
  for (int k = 0; k < n; ++k) x.push_back(a + (b - a) * (double(k) / n));
}

int parts(double length, double edge) {
  constexpr double kMost = 1e6;
  const double n = std::ceil(length / edge - 1e-9);
  if (!(n <= kMost))
    throw Error(ErrorKind::input,
                fmt::format("an edge of {:g} m cut into pieces of {:g} m has more than {:g} of them; give its shape a "
                            "larger \"resolution\"",
                            length, edge, kMost));
  return std::max(1, int(n));
}

void addCircle(std::vector<Vec3d>& x, const Vec3d& center, double radius, double edge) {
  const int n = std::max(6, parts(2 * kPi * radius, edge));
  for (int k = 0; k < n; ++k) {
    const double angle = 2 * kPi * (k + 0.5) / n;
    x.push_back(center + Vec3d{radius * std::cos(angle), 0, radius * std::sin(angle)});
  }
}

// The circle but for the arc about -z, which the rotation turns, whose chord is twice the mouth.
void addArc(std::vector<Vec3d>& x, const Vec3d& center, double radius, double mouth, const Quatd& turn, double edge) {
  const double first = std::asin(mouth / radius), all = 2 * (kPi - first);
  const int n = std::max(4, parts(all * radius, edge));
  for (int k = 0; k <= n; ++k) {
    const double angle = first + all * k / n;  // from -z towards +x
    x.push_back(center + turn.rotate({radius * std::sin(angle), 0, -radius * std::cos(angle)}));
  }
}

}  // namespace

PlaneShape planeShape(const SolidDef& solid, double y, double edge) {
  ShapeDef s = solid.shape;
  Transform t = solid.transform;
  if (!bakeScale(s, t)) throw Error(ErrorKind::input, "a round shape is scaled differently along its axes; give one factor");
  const double off = y - t.translate.y;
  Vec3d c = t.translate;
  c.y = y;
  const auto at = [&](double u, double v) { return c + t.rotate.rotate({u, 0, v}); };
  PlaneShape p;
  double half = 0;  // along y
  switch (s.kind) {
    case ShapeKind::box: {
      half = 0.5 * s.size.y;
      const double u = 0.5 * s.size.x, v = 0.5 * s.size.z;
      const Vec3d corner[4] = {at(-u, -v), at(u, -v), at(u, v), at(-u, v)};
      for (int k = 0; k < 4; ++k) addLine(p.x, corner[k], corner[(k + 1) % 4], parts(norm(corner[(k + 1) % 4] - corner[k]), edge));
      break;
    }
    case ShapeKind::sphere:
      half = s.radius;
      if (std::abs(off) < s.mouth) {
        addArc(p.x, c, std::sqrt(half * half - off * off), std::sqrt(s.mouth * s.mouth - off * off), t.rotate, edge);
        p.closed = false;
      } else if (std::abs(off) < half) {
        addCircle(p.x, c, std::sqrt(half * half - off * off), edge);
      }
      break;
    case ShapeKind::cylinder:
      half = 0.5 * s.height;
      addCircle(p.x, c, s.radius, edge);
      break;
    case ShapeKind::sheet: {
      half = 0.5 * s.size.y;
      const Vec3d a = at(-0.5 * s.size.x, 0), b = at(0.5 * s.size.x, 0);
      addLine(p.x, a, b, parts(s.size.x, edge));
      p.x.push_back(b);
      p.closed = false;
      break;
    }
    default:
      throw Error(ErrorKind::input, "has no chain in a plane; give a box, sphere, cylinder or sheet");
  }
  if (!(std::abs(off) < half))
    throw Error(ErrorKind::input,
                fmt::format("is not in the plane y = {:g} m that the grid is in two dimensions; move it there", y));
  // a box turned upside down has its corners the other way round
  if (p.closed && planeMass(p).area < 0) std::reverse(p.x.begin(), p.x.end());
  return p;
}

PlaneMass planeMass(const PlaneShape& shape) {
  PlaneMass m;
  Vec3d first{};
  double second = 0;
  const Vec3d o = shape.x[0];
  for (std::size_t k = 0; k < shape.x.size(); ++k) {
    const Vec3d a = shape.x[k] - o, b = shape.x[(k + 1) % shape.x.size()] - o;
    const double twice = a.x * b.z - a.z * b.x;
    m.area += 0.5 * twice;
    first += (a + b) * (twice / 6);
    second += twice / 12 * (dot(a, a) + dot(a, b) + dot(b, b));
  }
  if (m.area == 0) return m;
  const Vec3d r = first / m.area;
  m.center = o + r;
  m.inertia = second - m.area * dot(r, r);
  return m;
}

}  // namespace meniscus::offline
