// A rigid ball in a small tank of particles, coupled as two boxes.
#pragma once

#include <memory>
#include <string>

#include "engine/coupling/coupled_particles.h"
#include "engine/coupling/given_bodies.h"
#include "engine/world/build.h"
#include "tests/shared/water_scene.h"

namespace meniscus::testing {

// Of radius 0.05 m and the given density relative to the water's, `depth` [m] under the surface.
inline SceneDef ballInTank(const std::string& method, double ratio, double depth) {
  SceneDef scene = emptyTank("ball in a tank", {0, 0, 0}, {0.24, 0.24, 0.36}, 0.002);
  addBoxOfWater(scene, 0.02, {0.24, 0.24, 0.2}, {0.12, 0.12, 0.1}).carve = true;
  SolidDef ball;
  ball.name = "ball";
  ball.kind = SolidKind::rigid;
  ball.shape.kind = ShapeKind::sphere;
  ball.shape.radius = 0.05;
  ball.transform.translate = {0.12, 0.12, 0.2 - depth};
  ball.material.density = 1000 * ratio;
  scene.solids.push_back(ball);
  scene.solver.method = method;
  scene.solver.coupling.tolerance = 1e-5;
  return scene;
}

struct SphTank {
  explicit SphTank(const SceneDef& scene, int threads = 1)
      : exec(threads), world(buildWorld(scene, exec, nullptr)), solver(coupling::solverOfGivenBodies(exec, world)) {
    solver->settle(world);
    coupled = std::make_unique<coupling::CoupledParticles>(exec, world, *solver);
  }
  RigidBody& ball() { return world.solid.rigid[0]; }

  Exec exec;
  World world;
  std::unique_ptr<ParticleSolver> solver;
  std::unique_ptr<coupling::CoupledParticles> coupled;
};

}  // namespace meniscus::testing
