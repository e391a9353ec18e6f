// What of a scene a snapshot belongs to.
#pragma once

#include <string>

#include "engine/scene/scene.h"

namespace meniscus {

// The scene without its name and what is of a run: how long, how exact, what it writes and expects. Of its solver the method and
// the cells of a grid stay. Meshes are known by their nodes, not by the names of their files.
SceneDef physicsOf(SceneDef scene);

// The first key in which two texts of saved scenes differ, as "fluids[0].density 900.0 instead of the default"; "" where they are
// the same.
std::string firstDifference(const std::string& a, const std::string& b);

}  // namespace meniscus
