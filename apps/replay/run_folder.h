// The folder of a run, as far as its frames can be drawn.
#pragma once

#include <string>
#include <vector>

#include "engine/scene/scene.h"

namespace meniscus::replay {

// The frame of one time. Paths; empty: the scene has no fluid, no solids.
struct FrameFiles {
  double time = 0;    // s
  std::string fluid;  // particles, or what is on a grid
  std::string solids;
};

struct RunFolder {
  std::string sceneText;           // the scene as it was run
  SceneDef scene;                  // its meshes are not read: the frames hold what is seen of them
  std::vector<FrameFiles> frames;  // in the order of time, at least one; those that the indexes of a run in progress have so far
};

// Throws Error(input), naming the file: there are no frames, an index is damaged, a frame it names or the scene is missing.
RunFolder openRunFolder(const std::string& folder);

}  // namespace meniscus::replay
