// Round solids on a grid: polyhedra and polygons that have the volume of what they stand for, and with it its mass and buoyancy.
#pragma once

#include "engine/offline/solid_surface.h"

namespace meniscus::offline {

// The edge [m] that the surface of a solid without a "resolution" is cut into, where others have `edge`: shorter where the radius
// of a round one is less than one and two thirds of them.
double edgeOfRound(const SolidDef& def, double edge);

// Moves the nodes of a sphere, cylinder or capsule away from its middle, or its axis, until they enclose its volume: they are
// outside of its shape then. Those that are to stay within get the share of the volume that they enclose. Other shapes, and skins
// that fluid is to fill, stay as they are.
template <int D>
void giveVolume(const SolidDef& def, double y, RoundSize size, SolidSurface<D>& surface);

}  // namespace meniscus::offline
