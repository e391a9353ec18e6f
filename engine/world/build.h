// Scene -> World: samples fluids, imports meshes, makes nodes, constraints and rigid bodies, checks that what was asked for can be
// simulated. Throws Error(input) naming file, line and remedy.
#pragma once

#include <string>
#include <vector>

#include "engine/exec/exec.h"
#include "engine/world/world.h"

namespace meniscus {

// notes: one line for every repair or adjustment made (mesh repairs, spacing adjusted to fill a closed mesh exactly, ...).
World buildWorld(const SceneDef& scene, Exec& exec, std::vector<std::string>* notes);

}  // namespace meniscus
