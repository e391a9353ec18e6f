// A scene ready to be stepped: threads, world and solver.
#pragma once

#include <string>
#include <vector>

#include "engine/exec/exec.h"
#include "engine/particle/step.h"
#include "engine/world/build.h"
#include "engine/world/world.h"

namespace meniscus::cli {

class Simulation {
 public:
  // Builds the world and, where no snapshot is given, settles the packing of fluids that ask for it. snapshot: "" or a file; record
  // then holds what came with its state.
  Simulation(const SceneDef& scene, int threads, const std::string& snapshot, std::vector<std::string>* notes);

  bool step(double dt, bool (*stop)() = nullptr) { return solver.step(world, dt, stop); }

  Exec exec;
  World world;
  ParticleSolver solver;
  std::string record;
};

// The scene of a file with everything an expectation names checked. Throws Error(input).
SceneDef loadCheckedScene(const std::string& path);

}  // namespace meniscus::cli
