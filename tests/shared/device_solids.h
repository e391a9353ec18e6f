// Scenes of fluid and solids that rest for the step on a device: the column of tests/shared/device_step.h before obstacles.
#pragma once

#include "tests/shared/device_step.h"

namespace meniscus::testing {

inline SolidDef& addObstacle(SceneDef& s, ShapeKind kind, const Vec3d& at) {
  SolidDef d;
  d.name = "obstacle";
  d.kind = SolidKind::fixed;
  d.shape.kind = kind;
  d.transform.translate = at;
  s.solids.push_back(d);
  return s.solids.back();
}

// The column flows over a box, a ball and a lying cylinder of exact shape, and past an upright capsule.
inline void overPrimitives(SceneDef& s) {
  s.fluids[0].velocity = {4, 0, 0};
  SolidDef& box = addObstacle(s, ShapeKind::box, {0.32, 0.05, 0.03});
  box.shape.size = {0.08, 0.1, 0.06};
  box.material.friction = 0.3;
  SolidDef& ball = addObstacle(s, ShapeKind::sphere, {0.32, 0.15, 0.06});
  ball.shape.radius = 0.05;
  ball.material.noSlip = true;
  SolidDef& capsule = addObstacle(s, ShapeKind::capsule, {0.27, 0.1, 0.1});
  capsule.shape.radius = 0.025;
  capsule.shape.height = 0.1;
}

// The same by triangles: a box and a ball of meshes.
inline void overMeshes(SceneDef& s) {
  s.fluids[0].velocity = {4, 0, 0};
  SolidDef& box = addObstacle(s, ShapeKind::box, {0.32, 0.05, 0.05});
  box.shape.size = {0.09, 0.1, 0.1};
  box.shape.resolution = 0.03;
  box.material.friction = 0.3;
  SolidDef& ball = addObstacle(s, ShapeKind::sphere, {0.33, 0.15, 0.07});
  ball.shape.radius = 0.06;
  ball.shape.resolution = 0.025;
}

// A sheet across the tank, and a wall thinner than the support behind it, with water thrown at them.
inline void atSheets(SceneDef& s) {
  s.fluids[0].velocity = {6, 0, 0.5};
  SolidDef& sheet = addObstacle(s, ShapeKind::sheet, {0.28, 0.1, 0.08});
  sheet.shape.size = {0.16, 0.16, 0};
  sheet.shape.resolution = 0.03;
  sheet.transform.rotate = Quatd::axisAngle({0.1, 1, 0}, 1.4);
  sheet.material.friction = 0.2;
  SolidDef& wall = addObstacle(s, ShapeKind::box, {0.28, 0.1, 0.22});
  wall.shape.size = {0.016, 0.2, 0.1};
}

// The same so fast that paths lead across the sheet and the wall in one sub-step.
inline void throughSheets(SceneDef& s) {
  atSheets(s);
  s.fluids[0].velocity = {25, 0, 0.5};
  s.solver.cfl = 4;
}

// A paddle of triangles turns in the column, a piston of exact shape is pushed against it; the water sticks to the paddle.
inline void movedBodies(SceneDef& s) {
  s.fluids[0].viscosity = 1e-3;
  SolidDef& paddle = addObstacle(s, ShapeKind::box, {0.34, 0.1, 0.1});
  paddle.kind = SolidKind::kinematic;
  paddle.name = "paddle";
  paddle.shape.size = {0.08, 0.16, 0.1};
  paddle.shape.resolution = 0.04;
  paddle.material.noSlip = true;
  paddle.motion = {{0, {}, {}}, {0.02, {-0.05, 0, 0}, Quatd::axisAngle({0, 1, 0}, 0.6)}};
  SolidDef& piston = addObstacle(s, ShapeKind::sphere, {0.12, 0.1, 0.37});
  piston.kind = SolidKind::kinematic;
  piston.name = "piston";
  piston.shape.radius = 0.06;
  piston.material.friction = 0.4;
  piston.motion = {{0, {}, {}}, {0.02, {0.01, 0, -0.08}, {}}};
}

// A ball floats up and a plank of triangles is hit by the column, both free; a block beside them is held.
inline void freeBodies(SceneDef& s) {
  s.fluids[0].velocity = {2, 0, 0};
  SolidDef& ball = addObstacle(s, ShapeKind::sphere, {0.31, 0.06, 0.06});
  ball.kind = SolidKind::rigid;
  ball.name = "ball";
  ball.shape.radius = 0.045;
  ball.material.density = 400;
  ball.material.friction = 0.2;
  SolidDef& plank = addObstacle(s, ShapeKind::box, {0.31, 0.14, 0.08});
  plank.kind = SolidKind::rigid;
  plank.name = "plank";
  plank.shape.size = {0.06, 0.08, 0.12};
  plank.shape.resolution = 0.03;
  plank.material.density = 600;
  plank.material.restitution = 0.3;
  SolidDef& block = addObstacle(s, ShapeKind::box, {0.42, 0.1, 0.04});
  block.shape.size = {0.06, 0.2, 0.08};
}

// A light box and a heavy plate that lie on the ground under the column, the one where the ground meets a wall, with friction.
inline void lyingBodies(SceneDef& s) {
  s.fluids[0].carve = true;
  SolidDef& box = addObstacle(s, ShapeKind::box, {0.1, 0.05, 0.035});
  box.kind = SolidKind::rigid;
  box.name = "box";
  box.shape.size = {0.1, 0.1, 0.07};
  box.material.density = 100;
  SolidDef& plate = addObstacle(s, ShapeKind::box, {0.2, 0.14, 0.01});
  plate.kind = SolidKind::rigid;
  plate.name = "plate";
  plate.shape.size = {0.08, 0.08, 0.01};
  plate.material.density = 3000;
  plate.material.friction = 0.3;
}

// Honey in their place, which sticks to all of them.
inline void viscousBodies(SceneDef& s) {
  freeBodies(s);
  s.fluids[0].viscosity = 2e-2;
  for (SolidDef& d : s.solids) d.material.noSlip = true;
}

// The same bodies thrown against the column, which is thrown at them, with long sub-steps.
inline void thrownBodies(SceneDef& s) {
  freeBodies(s);
  s.fluids[0].velocity = {12, 0, 0};
  for (SolidDef& d : s.solids)
    if (d.kind == SolidKind::rigid) d.velocity = {-4, 0, 1};
  s.solids[0].material.density = 150;
  s.solver.cfl = 2;
}

// Water in a container of its own, tilted, with a viscosity that feels its walls.
inline void inContainer(SceneDef& s) {
  SolidDef& tub = addObstacle(s, ShapeKind::box, {0.2, 0.1, 0.2});
  tub.shape.size = {0.34, 0.18, 0.36};
  tub.shape.container = true;
  tub.transform.rotate = Quatd::axisAngle({0, 1, 0}, 0.14);
  tub.material.noSlip = true;
  s.fluids[0].shapes[0].size = {0.2, 0.16, 0.2};
  s.fluids[0].transforms[0].translate = {0.2, 0.1, 0.15};
  s.fluids[0].viscosity = 1e-2;
}

}  // namespace meniscus::testing
