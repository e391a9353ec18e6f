// Mending surface meshes where that is safe, and naming what is not.
#pragma once

#include <string>
#include <vector>

#include "engine/scene/mesh_file.h"

namespace meniscus {

// Merges vertices at one place, drops degenerate and repeated faces and unused vertices, makes the winding consistent where the
// surface can be oriented, and outward for closed parts. One note a kind of repair.
// Throws Error(input) naming the file where no face has an area.
void repairSurface(MeshFile& mesh, std::vector<std::string>* notes);

// What a mesh is, after repair. Faces are the file's, counted from 0; lists stop at a dozen.
struct SurfaceReport {
  std::vector<Index> holeFaces;         // at edges with one face
  std::vector<Index> nonManifoldFaces;  // at edges with more than two faces, or two that cannot be wound alike
  Index holeEdges = 0, nonManifoldEdges = 0;
  bool closed() const { return holeEdges == 0 && nonManifoldEdges == 0; }
};
SurfaceReport inspectSurface(const MeshFile& mesh);

// Pairs of the file's faces that cut each other, at most `most` of them.
std::vector<std::pair<Index, Index>> selfIntersections(const MeshFile& mesh, std::size_t most);

// Throws Error(input) naming the file and some faces, with the remedy [words], where there are any.
void refuseSelfIntersections(const MeshFile& mesh, const std::string& remedy);

// Outward faces of tetrahedra. Where all are wound the wrong way round they are turned, with a note.
std::vector<Index> surfaceOfTets(const std::string& path, const std::vector<Vec3d>& x, std::vector<Index>& tet,
                                 std::vector<std::string>* notes);

std::string listFaces(const std::vector<Index>& faces);  // "3, 17, 20, ..."

}  // namespace meniscus
