// What one frame's passes share: the uniform block `Frame` of shaders/frame.glsl and the light's view.
#pragma once

#include <glm/glm.hpp>

#include "engine/render/camera.h"
#include "engine/render/gl_object.h"
#include "engine/render/look.h"
#include "engine/render/picture.h"

namespace meniscus::render {

// std140, member by member as in the shader.
struct FrameBlock {
  glm::mat4 view, projection, light;
  glm::vec4 eye, toLight, up, side, size, tone, ground, smokeLow, smokeHigh;
};

FrameBlock frameOf(const Picture& picture, const Look& look, const Camera& camera, int width, int height);

// One row of 256 colours for each map, at texture unit 7.
GLuint makeColourMaps(Texture& texture);

}  // namespace meniscus::render
