// VTK XML files (PolyData, binary appended data), read by ParaView and VisIt.
#pragma once

#include <string>

#include "engine/output/surfaces.h"
#include "engine/world/world.h"

namespace meniscus {

// Particles as points with velocity [m/s], pressure [Pa], density_error [1], id, fluid, leaked.
std::string vtkParticles(const World& world);
// Surfaces of the solids with velocity [m/s] and body number.
std::string vtkSurfaces(const Surfaces& surfaces);

}  // namespace meniscus
