// The camera of a scene's view at a time.
#pragma once

#include "engine/scene/scene.h"

namespace meniscus {

// On a smooth curve through the cameras of the path (Catmull-Rom, by their times), still before the first and after the last. The
// path must not be empty.
CameraDef cameraAt(const std::vector<CameraDef>& path, double time);

}  // namespace meniscus
