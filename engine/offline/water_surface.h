// The surface of a run's water as a mesh.
#pragma once

#include "engine/offline/run.h"
#include "engine/output/fluid_surface.h"

namespace meniscus::offline {

// Where the level set is 0, by marching cubes between the cells' centres; at the sides of the grid it ends on them. Of a grid in
// three dimensions; empty without water.
FluidSurface waterSurface(const GridFields& fields);

}  // namespace meniscus::offline
