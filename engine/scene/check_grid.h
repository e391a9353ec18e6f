// What a scene for a grid method may have, and what of it only a grid method takes.
#pragma once

#include <string>
#include <vector>

#include "engine/scene/table.h"

namespace meniscus {

// Adds a mistake, with its place, for everything that the scene's method does not take: it would do nothing, or is not built.
void checkMethodTakes(Reader& r, const JsonNode& root, const SceneDef& scene);

// What keeps the cells of a scene's grid from filling its domain, a sentence each; none where they do or the scene has no grid.
struct CellsMistakes {
  std::string tooMany;              // cells; empty where they are not
  std::vector<std::string> uneven;  // sides of the domain that are not whole cells
};
CellsMistakes cellsMistakes(const SceneDef& scene);

}  // namespace meniscus
