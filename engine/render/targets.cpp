#include "engine/render/targets.h"

#include <string>

#include "engine/base/error.h"

namespace meniscus::render {

bool Plane::shape(int w, int h, GLenum f, GLenum filter) {
  if (texture.made() && w == width && h == height && f == format) return false;
  texture = Texture();
  width = w;
  height = h;
  format = f;
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, texture.get());
  glTexStorage2D(GL_TEXTURE_2D, 1, f, w, h);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, static_cast<GLint>(filter));
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, static_cast<GLint>(filter));
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  return true;
}

void checkFrameBuffer(const char* what) {
  const GLenum status = glCheckFramebufferStatus(GL_FRAMEBUFFER);
  if (status == GL_FRAMEBUFFER_COMPLETE) return;
  throw Error(ErrorKind::deviceNotAvailable,
              std::string("this OpenGL cannot draw into the frame buffer of ") + what + " (status " + std::to_string(status) + ")");
}

void makeVolume(Texture& texture, const glm::ivec3& samples, GLenum format) {
  texture = Texture();
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_3D, texture.get());
  glTexStorage3D(GL_TEXTURE_3D, 1, format, samples.x, samples.y, samples.z);
  glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  for (const GLenum axis : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T, GL_TEXTURE_WRAP_R})
    glTexParameteri(GL_TEXTURE_3D, axis, GL_CLAMP_TO_EDGE);
}

void bindVolume(Texture& texture, GLuint unit) {
  glActiveTexture(GL_TEXTURE0 + unit);
  glBindTexture(GL_TEXTURE_3D, texture.get());
}

void SceneTarget::shape(int width, int height) {
  bool made = colour.shape(width, height, GL_SRGB8_ALPHA8, GL_LINEAR);
  made |= depth.shape(width, height, GL_DEPTH_COMPONENT32F, GL_NEAREST);
  if (!made) return;
  displayed = Texture();
  glTextureView(displayed.get(), GL_TEXTURE_2D, colour.texture.get(), GL_RGBA8, 0, 1, 0, 1);
  glBindTexture(GL_TEXTURE_2D, displayed.get());
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  glBindFramebuffer(GL_FRAMEBUFFER, frame.get());
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, colour.texture.get(), 0);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, depth.texture.get(), 0);
  checkFrameBuffer("the scene");
}

void ImageTarget::shape(int width, int height) {
  if (!colour.shape(width, height, GL_RGBA8, GL_NEAREST)) return;
  glBindFramebuffer(GL_FRAMEBUFFER, frame.get());
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, colour.texture.get(), 0);
  checkFrameBuffer("an image");
}

}  // namespace meniscus::render
