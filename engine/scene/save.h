// A scene as files: its text, and the meshes that it has as arrays beside it.
#pragma once

#include <string>
#include <vector>

#include "engine/scene/mesh_file.h"
#include "engine/scene/scene.h"

namespace meniscus {

// Text of a mesh that readMeshFile reads back bit by bit: OFF of the triangles, VTK of the tetrahedra.
std::string offOf(const MeshFile& mesh);
std::string vtkOf(const MeshFile& mesh);

struct SceneFiles {
  struct File {
    std::string path, bytes;
  };
  File scene;
  std::vector<File> meshes;  // those that are not there already with the same bytes
};

// What is to be written for the scene file `path`. No file that is there with other contents is among the meshes. Throws
// Error(input), a line for each, naming what a scene file cannot say.
SceneFiles sceneFiles(const SceneDef& scene, const std::string& path);

// All or none: the scene file is the last to appear, and where it cannot be written the meshes are removed. Throws Error(input)
// naming file and cause.
void writeSceneFiles(const SceneFiles& files);

}  // namespace meniscus
