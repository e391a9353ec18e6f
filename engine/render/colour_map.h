// Colours for values between 0 and 1.
#pragma once

#include <glm/glm.hpp>

#include "engine/render/look.h"

namespace meniscus::render {

constexpr int kColourMaps = 4;

// As shown on a display (sRGB, 0..1). t is held to 0..1; not a number is magenta.
glm::vec3 mapColour(ColourMap map, float t);

}  // namespace meniscus::render
