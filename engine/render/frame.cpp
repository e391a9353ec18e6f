#include "engine/render/frame.h"

#include <cmath>
#include <cstddef>
#include <glm/gtc/matrix_transform.hpp>

#include "engine/render/colour_map.h"
#include "engine/render/grid_pass.h"

namespace meniscus::render {

static_assert(sizeof(FrameBlock) == 3 * 64 + 9 * 16 && offsetof(FrameBlock, eye) == 192, "the layout of std140");

namespace {

glm::vec3 levelAxis(const glm::vec3& up) {
  return glm::normalize(glm::cross(std::abs(up.y) < .9f ? glm::vec3(0, 1, 0) : glm::vec3(0, 0, 1), up));
}

// World to the shadow map's 0..1: an upright box about the domain, seen from the light.
glm::mat4 lightMatrix(const glm::vec3& center, float radius, const glm::vec3& toLight, const glm::vec3& up) {
  const glm::mat4 view = glm::lookAt(center + toLight * radius * 2.f, center, up);
  const glm::mat4 box = glm::ortho(-radius, radius, -radius, radius, radius * .5f, radius * 3.5f);
  return glm::translate(glm::mat4(1), glm::vec3(.5f)) * glm::scale(glm::mat4(1), glm::vec3(.5f)) * box * view;
}

}  // namespace

FrameBlock frameOf(const Picture& picture, const Look& look, const Camera& camera, int width, int height) {
  FrameBlock f{};
  const glm::vec3 center = (picture.low + picture.high) * .5f;
  const float radius = std::max(glm::length(picture.high - picture.low) * .5f, 1e-6f);
  const glm::vec3 up = glm::length(picture.up) > 0 ? glm::normalize(picture.up) : glm::vec3(0, 0, 1);
  const glm::vec3 side = levelAxis(up);
  const glm::vec3 toLight = glm::normalize(up * .80f + side * .42f - glm::cross(up, side) * .38f);
  // the ground reaches eight times as far as the domain
  f.view = camera.view();
  f.projection =
      camera.projection(static_cast<float>(width) / static_cast<float>(height), center, radius * (look.ground ? 12.f : 3.f));
  f.light = lightMatrix(center, radius * 1.1f, toLight, side);
  f.eye = glm::vec4(camera.eye, 1);
  f.toLight = glm::vec4(toLight, look.shadows ? .85f : 0.f);
  f.up = glm::vec4(up, look.environment == Environment::sky ? 1 : 0);
  f.side = glm::vec4(side, look.dark ? 1 : 0);
  f.size = glm::vec4(width, height, 1.f / static_cast<float>(width), 1.f / static_cast<float>(height));
  f.tone = glm::vec4(look.exposure, look.refraction, look.fluid == FluidLook::surface ? .45f : 1.f, 1.2f * look.textScale);
  const float halfHeight = glm::dot(glm::abs(up), picture.high - picture.low) * .5f;
  f.ground = glm::vec4(center - up * (halfHeight + .002f * radius), radius);
  f.smokeLow = glm::vec4(picture.grid.low, hasSmoke(picture, look) ? 1 : 0);
  f.smokeHigh = glm::vec4(picture.grid.high(), 0);
  return f;
}

GLuint makeColourMaps(Texture& texture) {
  unsigned char texels[kColourMaps][256][4];
  for (int m = 0; m < kColourMaps; ++m) {
    for (int i = 0; i < 256; ++i) {
      const glm::vec3 c = mapColour(static_cast<ColourMap>(m), static_cast<float>(i) / 255.f) * 255.f + .5f;
      for (int k = 0; k < 3; ++k) texels[m][i][k] = static_cast<unsigned char>(c[k]);
      texels[m][i][3] = 255;
    }
  }
  glBindTexture(GL_TEXTURE_2D, texture.get());
  glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, 256, kColourMaps);
  glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 256, kColourMaps, GL_RGBA, GL_UNSIGNED_BYTE, texels);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  return texture.get();
}

}  // namespace meniscus::render
