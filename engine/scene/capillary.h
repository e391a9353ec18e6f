// Surface tension of a scene's fluids, and how long a step resolves it.
#pragma once

#include "engine/scene/scene.h"

namespace meniscus {

bool hasSurfaceTension(const SceneDef& scene);
// The speed [m/s] that the tensions give the edges and corners of a fluid of this spacing [m]: of a film one spacing thick that
// draws back, sqrt(2 tension / (density spacing)) (Taylor 1959, Culick 1960); cubes and balls cut out of the lattice reach 0.54 and
// 0.75 of it.
double fastestByTension(const SceneDef& scene, double dx);
// The longest sub-step [s] at which the tensions are stable at this spacing [m]; infinite without any.
double longestCapillaryStep(const SceneDef& scene, double dx);

}  // namespace meniscus
