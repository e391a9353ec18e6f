// Coarser surfaces: a scan has far more triangles than a simulated body wants.
#pragma once

#include "engine/scene/mesh_file.h"

namespace meniscus {

// Collapses edges until few are shorter than 0.6 `edge` [m], so that their mean is near `edge`. Keeps the topology, open
// borders and, of closed surfaces, the enclosed volume. Returns whether anything changed. `face` then names one of the faces
// merged.
bool simplifySurface(MeshFile& mesh, double edge);

}  // namespace meniscus
