// The textures that a frame is drawn into.
#pragma once

#include <glm/glm.hpp>

#include "engine/render/gl_object.h"

namespace meniscus::render {

// A texture of fixed size and format; made anew when either changes.
struct Plane {
  Texture texture;
  int width = 0, height = 0;
  GLenum format = 0;

  // True where it was made anew. filter: GL_NEAREST or GL_LINEAR.
  bool shape(int w, int h, GLenum f, GLenum filter);
  void bind(GLuint unit) {
    glActiveTexture(GL_TEXTURE0 + unit);
    glBindTexture(GL_TEXTURE_2D, texture.get());
  }
};

// A texture of three dimensions, between whose samples values go straight; made anew.
void makeVolume(Texture& texture, const glm::ivec3& samples, GLenum format);
void bindVolume(Texture& texture, GLuint unit);

// The scene: linear light stored as sRGB, and depth.
struct SceneTarget {
  Plane colour, depth;
  Texture displayed;  // the colour's bytes, as they go to a display
  FrameBuffer frame;

  void shape(int width, int height);
};

// Where images of memory are drawn.
struct ImageTarget {
  Plane colour;
  FrameBuffer frame;

  void shape(int width, int height);
};

// Throws Error(deviceNotAvailable) where the frame buffer that is bound cannot be drawn into.
void checkFrameBuffer(const char* what);

}  // namespace meniscus::render
