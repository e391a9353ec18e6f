// What of a drawn frame lies under the mouse. The frame is what the user sees, so the answer is there at once, however long the
// simulation's step takes.
#pragma once

#include <glm/glm.hpp>

#include "apps/picture/frame.h"

namespace meniscus::viewer {

struct Pick {
  int body = -1;       // of the frame; -1: none
  bool fluid = false;  // a particle is nearest
  float distance = 0;  // from the eye [m]
  glm::vec3 point{0};  // m
  bool hit() const { return body >= 0 || fluid; }
};

// direction: unit. Containers are looked through. Fluid that hidden looks do not show is not met.
Pick pick(const picture::Frame& frame, const picture::SceneFacts& facts, const glm::vec3& eye, const glm::vec3& direction,
          bool fluidShown, bool bodiesShown);

}  // namespace meniscus::viewer
