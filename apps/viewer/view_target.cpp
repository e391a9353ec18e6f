#include "apps/viewer/view_target.h"

#include <epoxy/gl.h>

#include <algorithm>
#include <cmath>

#include "engine/base/error.h"

namespace meniscus::viewer {

ViewTarget::~ViewTarget() {
  if (!frameBuffer_) return;
  glDeleteFramebuffers(1, &frameBuffer_);
  glDeleteTextures(1, &colour_);
  glDeleteRenderbuffers(1, &depth_);
}

void ViewTarget::make() {
  glGenTextures(1, &colour_);
  glGenRenderbuffers(1, &depth_);
  glGenFramebuffers(1, &frameBuffer_);
}

// The objects stay the same: the frame of ImGui's that is being made may name the texture already.
void ViewTarget::resize(int width, int height, float share) {
  const int w = std::max(16, int(std::lround(float(width) * share))), h = std::max(16, int(std::lround(float(height) * share)));
  if (w == width_ && h == height_) return;
  if (!frameBuffer_) make();
  width_ = w;
  height_ = h;
  glBindTexture(GL_TEXTURE_2D, colour_);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, w, h, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  glBindRenderbuffer(GL_RENDERBUFFER, depth_);
  glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH24_STENCIL8, w, h);
  glBindFramebuffer(GL_FRAMEBUFFER, frameBuffer_);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, colour_, 0);
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER, depth_);
  const GLenum status = glCheckFramebufferStatus(GL_FRAMEBUFFER);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  if (status != GL_FRAMEBUFFER_COMPLETE) throw Error(ErrorKind::deviceNotAvailable, "the graphics driver refuses a frame buffer");
}

float ViewTarget::adapt(double seconds) {
  // several in turn, so that one slow picture (a shader being compiled, a busy machine) changes nothing
  slow_ = seconds > 0.05 ? slow_ + 1 : 0;
  fast_ = seconds < 0.012 ? fast_ + 1 : 0;
  if (slow_ >= 4) share_ = std::max(0.5f, share_ * 0.8f);
  if (fast_ >= 12) share_ = std::min(1.f, share_ * 1.2f);
  if (slow_ >= 4 || fast_ >= 12) slow_ = fast_ = 0;
  return share_;
}

}  // namespace meniscus::viewer
