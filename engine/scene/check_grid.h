// What a scene for a grid method may have, and what of it only a grid method takes.
#pragma once

#include "engine/scene/table.h"

namespace meniscus {

// Adds a mistake, with its place, for everything that the scene's method does not take: it would do nothing, or is not built.
void checkMethodTakes(Reader& r, const JsonNode& root, const SceneDef& scene);

}  // namespace meniscus
