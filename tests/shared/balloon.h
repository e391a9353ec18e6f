// A balloon full of water, as a scene: radius 87 mm about the origin, skin of 1 kg/m^2 with edges of 18 mm, no gravity.
#pragma once

#include "tests/shared/water_scene.h"

namespace meniscus::testing {

inline SceneDef balloonScene(double spacing) {
  SceneDef scene = emptyTank("balloon", {-0.3, -0.3, -0.3}, {0.3, 0.3, 0.3}, 0.001);
  scene.gravity = {};
  SolidDef balloon;
  balloon.name = "balloon";
  balloon.kind = SolidKind::inflatable;
  balloon.shape.kind = ShapeKind::sphere;
  balloon.shape.radius = 0.087;
  balloon.shape.resolution = 0.018;
  balloon.material.arealDensity = 1;
  balloon.material.stretch = {Resistance::Kind::compliance, 0.0025, 0};
  balloon.inflation = 0;
  scene.solids.push_back(balloon);
  ShapeDef inside;
  inside.inside = "balloon";
  addWater(scene, spacing, inside);
  return scene;
}

}  // namespace meniscus::testing
