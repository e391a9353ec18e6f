// The readers behind readMeshFile, one a format. text: the whole file.
#pragma once

#include <string>

#include "engine/scene/mesh_file.h"

namespace meniscus {

void readOff(MeshFile& m, const std::string& text);  // Geomview OFF, with COFF, NOFF, STOFF prefixes
void readObj(MeshFile& m, const std::string& text);  // Wavefront OBJ: v and f
void readStl(MeshFile& m, const std::string& text);  // ASCII and binary
bool isBinaryStl(const std::string& bytes);          // its size is the one that its count of faces says
void readPly(MeshFile& m, const std::string& text);  // ASCII, binary of either byte order
void readMsh(MeshFile& m, const std::string& text);  // Gmsh MSH 2 and 4.1, ASCII
void readVtk(MeshFile& m, const std::string& text);  // VTK legacy, ASCII and binary: unstructured grids and polygons
void readTetGen(MeshFile& m, const std::string& node, const std::string& ele, const std::string& elePath);

// Cuts a polygon of vertices m.x[v] into triangles (ears) and appends them as face number `face`.
void appendPolygon(MeshFile& m, const std::vector<Index>& v, Index face);

}  // namespace meniscus
