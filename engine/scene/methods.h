// The methods that a scene may name.
#pragma once

#include <string>
#include <vector>

namespace meniscus {

struct SceneDef;

// All of them, particles first.
const std::vector<std::string>& methodNames();

// Smoke on a grid beside implicit solids; every other method simulates particles.
bool isGridMethod(const std::string& method);

// Throws Error(input) where the scene is for a grid: what builds worlds of particles does not take such scenes.
void refuseGridScene(const SceneDef& scene);

}  // namespace meniscus
