// Scene files: JSON with comments.
#pragma once

#include <string>

#include "engine/scene/diagnostic.h"
#include "engine/scene/scene.h"

namespace meniscus {

// Reads and checks a scene file. Throws Error(input) whose text lists every mistake, one a line.
SceneDef loadScene(const std::string& path);

// As loadScene, but returns the mistakes; *scene (may be null) then holds what could be read. Throws Error(input) for a file that
// cannot be read at all.
Diagnostics checkScene(const std::string& path, SceneDef* scene);

// The same on a text in memory. file: for messages, and its folder is where mesh files are looked for, unless they are in hand.
Diagnostics checkSceneText(const std::string& text, const std::string& file, SceneDef* scene, bool meshesInHand = false);

// Makes the paths of the scene's meshes absolute: for who reads them later, from wherever the process is by then.
void makeMeshPathsAbsolute(SceneDef& scene);

// The scene as JSON that loads to the same SceneDef (comments and the way of writing are not kept). Mesh files are written
// relative to `folder`, in which the text is going to be stored; empty: the folder of scene.file.
std::string saveScene(const SceneDef& scene, const std::string& folder = "");

// The JSON schema (draft 7) of scene files, every number with its unit.
std::string sceneSchema();

}  // namespace meniscus
