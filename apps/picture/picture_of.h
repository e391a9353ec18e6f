// From a copied scene to what the renderer is given.
#pragma once

#include "apps/picture/frame.h"
#include "engine/render/look.h"
#include "engine/render/picture.h"

namespace meniscus::picture {

// Points into the frame, which must stay until the picture is drawn. selected: the index of a body of the frame, or -1.
void pictureOf(const Frame& frame, const SceneFacts& facts, int selected, render::Picture& picture);

// The colour scales of a look: ranges of the frame, or the fixed one, and what the legend says.
void setScales(const Frame& frame, const Colouring& colouring, const Range& fluid, const Range& mesh, render::Look& look);

// The direction a scene is first seen from, with all of it in view. more: as of boundsOf.
void firstView(const Frame& frame, const SceneFacts& facts, float aspect, glm::vec3& eye, glm::vec3& target, glm::vec3& up,
               const std::vector<glm::vec4>& more = {});

}  // namespace meniscus::picture
