// Surfaces to tetrahedra, by the TetGen program.
#pragma once

#include <string>
#include <vector>

#include "engine/scene/mesh.h"

namespace meniscus {

struct TetOptions {
  double maxVolume = 0;     // m^3 of a tetrahedron; 0: no limit
  double radiusEdge = 1.4;  // largest ratio of circumradius to shortest edge
  double dihedral = 12;     // smallest dihedral angle [degrees]
};

// Results are kept by a hash of vertices, faces and options in `cacheFolder`, or in $XDG_CACHE_HOME/meniscus (~/.cache/meniscus)
// where that cannot be written or is empty. what: the body, for messages. Throws Error(input) where the program is missing or
// refuses the surface.
TetMesh tetrahedralise(const SurfaceMesh& surface, const TetOptions& options, const std::string& cacheFolder,
                       const std::string& what, std::vector<std::string>* notes);

}  // namespace meniscus
