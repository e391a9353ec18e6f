// Mesh files: triangle surfaces from OBJ, PLY, STL, OFF; tetrahedra from MSH 2 and 4, VTK, TetGen.
#pragma once

#include <string>
#include <vector>

#include "engine/scene/mesh.h"
#include "engine/scene/scene.h"

namespace meniscus {

struct MeshFile {
  std::string path;
  std::vector<Vec3d> x;     // file's units and axes
  std::vector<Index> tri;   // 3 a triangle; polygons are cut into triangles
  std::vector<Index> face;  // of each triangle: the file's face it comes from, counted from 0
  std::vector<Index> tet;   // 4 a tetrahedron, in the file's order
};

// Reads by the file's extension. Throws Error(input) naming file and line (or face) for empty, malformed or truncated files,
// indices out of range and coordinates that are not finite.
MeshFile readMeshFile(const std::string& path);

// The mesh of a shape: the one given as arrays, or the file's.
inline MeshFile meshOf(const ShapeDef& shape) { return shape.mesh ? *shape.mesh : readMeshFile(shape.file); }

}  // namespace meniscus
