// VTK XML files (PolyData, binary appended data), read by ParaView and VisIt.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/output/fluid_surface.h"
#include "engine/output/surfaces.h"
#include "engine/world/world.h"

namespace meniscus {

// Particles as points with velocity [m/s], pressure [Pa], density_error [1], id, fluid, leaked; with deficiency [1] or vorticity
// [1/s] where the scene's view colours the fluid by it.
std::string vtkParticles(const World& world);
// Surfaces of the solids with velocity [m/s] and body number, at time [s]; with stretch [1] where it is known. The bodies' names
// are the text array "bodies" of the field data.
std::string vtkSurfaces(const Surfaces& surfaces, double time);
// The fluid's surface with normals, velocity [m/s] and fluid, at time [s].
std::string vtkFluidSurface(const FluidSurface& surface, double time);

// The last line of such a file, a comment to other readers, over all that stands before it.
std::string vtkChecksum(std::string_view before);

// The time that a file written from one of these says it is of [s]; none where it is no such file.
std::optional<double> vtkTime(const std::string& path);

}  // namespace meniscus
