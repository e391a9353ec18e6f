#include "engine/output/primitive_patch.h"

#include <cmath>
#include <utility>

namespace meniscus {
namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr int kSegments = 32;  // of a circle; half as many from pole to pole

Patch boxPatch(const Vec3d& size) {
  Patch p;
  for (int k = 0; k < 8; ++k)
    p.x.push_back({(k & 1 ? 0.5 : -0.5) * size.x, (k & 2 ? 0.5 : -0.5) * size.y, (k & 4 ? 0.5 : -0.5) * size.z});
  p.quad(0, 2, 3, 1);
  p.quad(4, 5, 7, 6);
  p.quad(0, 1, 5, 4);
  p.quad(2, 6, 7, 3);
  p.quad(0, 4, 6, 2);
  p.quad(1, 3, 7, 5);
  return p;
}

Patch planePatch(const Vec3d& normal, double width) {
  const Vec3d n = normalized(normal);
  const Vec3d side = std::fabs(n.x) < 0.6 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0};
  const Vec3d a = normalized(cross(side, n)) * (0.5 * width), b = cross(n, a);
  Patch p;
  p.x = {-a - b, a - b, a + b, b - a};
  p.quad(0, 1, 2, 3);
  return p;
}

// A surface of revolution about z through rings of (radius, height), closed by a point where the radius is 0.
Patch revolve(const std::vector<std::pair<double, double>>& rings) {
  Patch p;
  for (const auto& [radius, height] : rings)
    for (int k = 0; k < kSegments; ++k) {
      const double angle = 2 * kPi * k / kSegments;
      p.x.push_back({radius * std::cos(angle), radius * std::sin(angle), height});
    }
  for (int r = 0; r + 1 < int(rings.size()); ++r)
    for (int k = 0; k < kSegments; ++k) {
      const int a = r * kSegments + k, b = r * kSegments + (k + 1) % kSegments;
      if (rings[std::size_t(r)].first > 0)
        for (int i : {a, b, b + kSegments}) p.tri.push_back(i);
      if (rings[std::size_t(r) + 1].first > 0)
        for (int i : {a, b + kSegments, a + kSegments}) p.tri.push_back(i);
    }
  return p;
}

// Two half spheres of `radius`, their centres `height` apart.
Patch capsulePatch(double radius, double height) {
  std::vector<std::pair<double, double>> rings;
  constexpr int half = kSegments / 4;
  for (int k = 0; k <= half; ++k) {
    const double angle = -kPi / 2 + kPi / 2 * k / half;
    rings.push_back({k == 0 ? 0.0 : radius * std::cos(angle), radius * std::sin(angle) - height / 2});
  }
  for (int k = height > 0 ? 0 : 1; k <= half; ++k) {
    const double angle = kPi / 2 * k / half;
    rings.push_back({k == half ? 0.0 : radius * std::cos(angle), radius * std::sin(angle) + height / 2});
  }
  return revolve(rings);
}

}  // namespace

Patch primitivePatch(const ShapeDef& shape, double planeWidth) {
  switch (shape.kind) {
    case ShapeKind::box:
      return boxPatch(shape.size);
    case ShapeKind::plane:
      return planePatch(shape.normal, planeWidth);
    case ShapeKind::sphere:
      return capsulePatch(shape.radius, 0);
    case ShapeKind::capsule:
      return capsulePatch(shape.radius, shape.height);
    case ShapeKind::cylinder:
      return revolve(
          {{0, -shape.height / 2}, {shape.radius, -shape.height / 2}, {shape.radius, shape.height / 2}, {0, shape.height / 2}});
    case ShapeKind::mesh:
    case ShapeKind::sheet:
      break;  // these have nodes of their own
  }
  return {};
}

}  // namespace meniscus
