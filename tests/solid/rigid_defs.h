// Rigid bodies for tests, in a domain without walls.
#pragma once

#include "engine/scene/scene.h"

namespace meniscus::testing {

inline DomainDef noWalls() {
  DomainDef d;
  for (bool& w : d.walls) w = false;
  return d;
}

// Of half the water's density. size: of a box; radius, height: of round ones.
inline SolidDef rigidDef(ShapeKind kind, const Vec3d& size, double radius, double height) {
  SolidDef d;
  d.name = "body";
  d.kind = SolidKind::rigid;
  d.shape.kind = kind;
  d.shape.size = size;
  d.shape.radius = radius;
  d.shape.height = height;
  d.material.density = 500;
  return d;
}

}  // namespace meniscus::testing
