// The methods that a scene may name.
#pragma once

#include <string>
#include <vector>

#include "engine/scene/diagnostic.h"

namespace meniscus {

// All of them, particles first.
const std::vector<std::string>& methodNames();

// Couples a fluid with solids as two black boxes or, on a grid, as one system: every method but the particles' own.
bool isGridMethod(const std::string& method);

// The scene is solved on a grid: by such a method, with a "grid" or a fluid that is none of particles. Every other scene is of
// particles, whatever couples them with their rigid bodies.
bool isGridScene(const SceneDef& scene);

// Both engines take the scene, each with the methods that are its own: it has a grid of three dimensions, its fluids are water with
// a spacing and without inflows, and its solids rigid, static or kinematic, without guides.
bool takesBothEngines(const SceneDef& scene);

// Particles whose rigid bodies a coupling of black boxes solves.
bool isCoupledParticleScene(const SceneDef& scene);

// What such a scene has that no coupling of particles takes, named with its place and what to do.
Diagnostics refusedByCoupling(const SceneDef& scene);

// Of a grid scene: why a run in which something moves at this speed [m/s] would not end, and the greatest speed that it takes; ""
// where it ends.
std::string tooFast(const SceneDef& scene, double speed);

// Throws Error(input) where the scene is for a grid: what builds worlds of particles does not take such scenes.
void refuseGridScene(const SceneDef& scene);

}  // namespace meniscus
