// Volume, centre and inertia of primitives and of closed triangle surfaces.
#include <fmt/format.h>

#include <cmath>

#include "engine/base/error.h"
#include "engine/solid/rigid.h"

namespace meniscus {
namespace {

constexpr double kPi = 3.14159265358979323846;

// Second moments (integrals of x x^T) about the centre, and the inertia from them.
Mat3d inertiaOfMoments(const Mat3d& c) { return Mat3d::identity() * trace(c) - c; }

}  // namespace

// The body is a signed sum of tetrahedra from a point o to the triangles. Of a tetrahedron (0, a, b, c) with volume v and
// s = a + b + c: centre s/4, second moment v/20 (s s^T + a a^T + b b^T + c c^T).
MassProperties massProperties(const SurfaceMesh& mesh) {
  MassProperties m;
  if (mesh.x.empty()) return m;
  Vec3d lo = mesh.x[0], hi = lo;
  for (const Vec3d& p : mesh.x) {
    lo = minOf(lo, p);
    hi = maxOf(hi, p);
  }
  const Vec3d o = (lo + hi) * 0.5;
  Vec3d first{};
  Mat3d second{};
  for (std::size_t t = 0; t + 2 < mesh.tri.size(); t += 3) {
    const Vec3d a = mesh.x[std::size_t(mesh.tri[t])] - o, b = mesh.x[std::size_t(mesh.tri[t + 1])] - o,
                c = mesh.x[std::size_t(mesh.tri[t + 2])] - o;
    const double v = dot(a, cross(b, c)) / 6;
    const Vec3d s = a + b + c;
    m.volume += v;
    first += s * (v / 4);
    second = second + (Mat3d::outer(s, s) + Mat3d::outer(a, a) + Mat3d::outer(b, b) + Mat3d::outer(c, c)) * (v / 20);
  }
  const Vec3d center = first / m.volume;
  m.center = o + center;
  m.inertia = inertiaOfMoments(second - Mat3d::outer(center, center) * m.volume);
  return m;
}

MassProperties massProperties(const ShapeDef& shape) {
  MassProperties m;
  const double r = shape.radius, h = shape.height, r2 = r * r;
  switch (shape.kind) {
    case ShapeKind::box: {
      const Vec3d s = shape.size;
      m.volume = s.x * s.y * s.z;
      m.inertia = inertiaOfMoments(Mat3d::diagonal({s.x * s.x, s.y * s.y, s.z * s.z}) * (m.volume / 12));
      break;
    }
    case ShapeKind::sphere:
      m.volume = 4.0 / 3 * kPi * r2 * r;
      m.inertia = Mat3d::identity() * (0.4 * m.volume * r2);
      break;
    case ShapeKind::cylinder:
      m.volume = kPi * r2 * h;
      m.inertia = inertiaOfMoments(Mat3d::diagonal({r2 / 4, r2 / 4, h * h / 12}) * m.volume);
      break;
    case ShapeKind::capsule: {
      // the two half balls have their centres of mass 3r/8 beyond the ends of the cylinder
      const double vc = kPi * r2 * h, vs = 4.0 / 3 * kPi * r2 * r;
      m.volume = vc + vs;
      const double xx = vc * r2 / 4 + vs * r2 / 5;
      const double zz = vc * h * h / 12 + vs * (r2 / 5 + h * h / 4 + 3 * h * r / 8);
      m.inertia = inertiaOfMoments(Mat3d::diagonal({xx, xx, zz}));
      break;
    }
    case ShapeKind::plane:
    case ShapeKind::mesh:
    case ShapeKind::sheet:
      break;
  }
  return m;
}

Quatd quaternionOf(const Mat3d& m) {
  const double t = trace(m);
  Quatd q;
  if (t > 0) {
    q = {1 + t, m.r[2].y - m.r[1].z, m.r[0].z - m.r[2].x, m.r[1].x - m.r[0].y};
  } else if (m.r[0].x > m.r[1].y && m.r[0].x > m.r[2].z) {
    q = {m.r[2].y - m.r[1].z, 1 + m.r[0].x - m.r[1].y - m.r[2].z, m.r[0].y + m.r[1].x, m.r[0].z + m.r[2].x};
  } else if (m.r[1].y > m.r[2].z) {
    q = {m.r[0].z - m.r[2].x, m.r[0].y + m.r[1].x, 1 + m.r[1].y - m.r[0].x - m.r[2].z, m.r[1].z + m.r[2].y};
  } else {
    q = {m.r[1].x - m.r[0].y, m.r[0].z + m.r[2].x, m.r[1].z + m.r[2].y, 1 + m.r[2].z - m.r[0].x - m.r[1].y};
  }
  return q.normalizedQuat();
}

ShapeDef scaledShape(const ShapeDef& shape, const Vec3d& scale, const std::string& name) {
  ShapeDef s = shape;
  const auto same = [](double a, double b) { return std::fabs(a - b) <= 1e-9 * (std::fabs(a) + std::fabs(b)); };
  const bool round = s.kind == ShapeKind::sphere || s.kind == ShapeKind::capsule;
  if ((round || s.kind == ShapeKind::cylinder) && !same(scale.x, scale.y))
    throw Error(ErrorKind::input, fmt::format("{}: scale x and y must be equal for round shapes; use a mesh for an ellipse", name));
  if (round && !same(scale.x, scale.z))
    throw Error(ErrorKind::input,
                fmt::format("{}: scale must be the same in x, y and z for spheres and capsules; use a mesh", name));
  s.size = {s.size.x * scale.x, s.size.y * scale.y, s.size.z * scale.z};
  s.radius *= scale.x;
  s.height *= scale.z;
  return s;
}

}  // namespace meniscus
