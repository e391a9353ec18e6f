#include "engine/offline/round_shape.h"

#include <algorithm>
#include <cmath>

#include "engine/offline/plane_shape.h"
#include "engine/scene/generate.h"
#include "engine/solid/rigid.h"

namespace meniscus::offline {
namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double kMostOfRadius = 0.6;  // a sphere of such edges has 80 triangles and 0.87 of its volume

bool isRound(const SolidDef& def) {
  const ShapeKind k = def.shape.kind;
  return k == ShapeKind::sphere || k == ShapeKind::cylinder || k == ShapeKind::capsule;
}

double enclosed(const SolidSurface<3>& s) {
  SurfaceMesh mesh{s.x, {}};
  for (const auto& e : s.elements) mesh.tri.insert(mesh.tri.end(), e.begin(), e.end());
  return massProperties(mesh).volume;
}

}  // namespace

double edgeOfRound(const SolidDef& def, double edge) {
  return isRound(def) ? std::min(edge, kMostOfRadius * def.shape.radius * std::abs(def.transform.scale.x)) : edge;
}

template <int D>
void giveVolume(const SolidDef& def, double y, RoundSize size, SolidSurface<D>& s) {
  if (!isRound(def) || !s.closed || def.kind == SolidKind::inflatable || def.kind == SolidKind::cloth) return;
  const ShapeDef shape = scaledShape(def.shape, def.transform.scale, def.name);
  const Vec3d c = def.transform.translate;
  double ratio = 1, more = 1;  // of the shape's volume to the surface's; of lengths that are scaled
  Vec3d axis{};                // along which none is
  if constexpr (D == 2) {
    const double off = shape.kind == ShapeKind::sphere ? y - c.y : 0, radius2 = shape.radius * shape.radius - off * off;
    ratio = kPi * radius2 / std::abs(planeMass({s.x, true}).area);
    more = std::sqrt(ratio);
    axis = {0, 1, 0};
  } else {
    ratio = massProperties(shape).volume / enclosed(s);
    if (shape.kind == ShapeKind::sphere) {
      more = std::cbrt(ratio);
    } else {
      more = std::sqrt(ratio);
      axis = def.transform.rotate.normalizedQuat().rotate({0, 0, 1});
    }
  }
  s.grown = size == RoundSize::ofVolume && more > 1;
  if (size == RoundSize::within) {
    s.share = 1 / ratio;
    return;
  }
  for (Vec3d& x : s.x) {
    const Vec3d r = x - c, along = axis * dot(axis, r);
    x = c + along + (r - along) * more;
  }
}

template void giveVolume<2>(const SolidDef&, double, RoundSize, SolidSurface<2>&);
template void giveVolume<3>(const SolidDef&, double, RoundSize, SolidSurface<3>&);

}  // namespace meniscus::offline
