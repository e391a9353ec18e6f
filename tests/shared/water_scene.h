// Scenes of water in a tank.
#pragma once

#include "engine/scene/scene.h"

namespace meniscus::testing {

// A domain from min to max [m], walls all round, normal gravity.
inline SceneDef emptyTank(const char* name, const Vec3d& min, const Vec3d& max, double dt) {
  SceneDef scene;
  scene.name = name;
  scene.domain.min = min;
  scene.domain.max = max;
  scene.solver.dt = dt;
  return scene;
}

// The shape full of water, its middle at `centre` [m]. Good until the next fluid is added.
inline FluidDef& addWater(SceneDef& scene, double spacing, const ShapeDef& shape, const Vec3d& centre = {}) {
  FluidDef water;
  water.name = "water";
  water.spacing = spacing;
  water.shapes.push_back(shape);
  water.transforms.push_back({centre});
  scene.fluids.push_back(water);
  return scene.fluids.back();
}

inline FluidDef& addBoxOfWater(SceneDef& scene, double spacing, const Vec3d& size, const Vec3d& centre = {}) {
  ShapeDef box;
  box.size = size;
  return addWater(scene, spacing, box, centre);
}

inline FluidDef& addBallOfWater(SceneDef& scene, double spacing, double radius, const Vec3d& centre = {}) {
  ShapeDef ball;
  ball.kind = ShapeKind::sphere;
  ball.radius = radius;
  return addWater(scene, spacing, ball, centre);
}

}  // namespace meniscus::testing
