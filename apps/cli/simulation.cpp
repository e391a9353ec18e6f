#include "apps/cli/simulation.h"

#include <algorithm>

#include "engine/output/summary.h"
#include "engine/scene/load.h"
#include "engine/world/snapshot.h"

namespace meniscus::cli {

Simulation::Simulation(const SceneDef& scene, int threads, const std::string& snapshot, std::vector<std::string>* notes)
    : exec(threads), world(buildWorld(scene, exec, notes)), solver(exec, world) {
  const bool relax = std::any_of(scene.fluids.begin(), scene.fluids.end(), [](const FluidDef& f) { return f.relax; });
  if (!snapshot.empty())
    loadSnapshot(world, snapshot, &record);
  else if (relax && world.fluid.n > 0)
    solver.settle(world);
  solver.resetStages();
}

SceneDef loadCheckedScene(const std::string& path) {
  SceneDef scene = loadScene(path);
  throwIfAny(checkExpectNames(scene));
  return scene;
}

}  // namespace meniscus::cli
