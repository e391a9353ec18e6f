// The checks of building a world, for what is changed in it or added to it later. They leave the world as it is.
#pragma once

#include <string>
#include <vector>

#include "engine/scene/diagnostic.h"
#include "engine/world/world.h"

namespace meniscus {

// Numbers of world.scene that may be changed between steps, against each other: gravity and speeds against what the sub-steps of
// the longest step resolve, viscosities, jets.
Diagnostics mistakesInFigures(World& world);

// An emitter or drain against the domain, the steps and the solids as they stand now; its schedule ascending and disjoint.
Diagnostics mistakesIn(World& world, const EmitterDef& e);
Diagnostics mistakesIn(World& world, const DrainDef& d);

// Where particles [m, world frame] cannot be: outside of the domain, inside solids (cloth and inflatables have two sides, and no
// inside), or nearer than half a spacing to each other or to particles that are there. "" where all can; else what the first of
// them is in the way of.
std::string mistakeInPlaces(const World& world, const std::vector<Vec3d>& x);

}  // namespace meniscus
