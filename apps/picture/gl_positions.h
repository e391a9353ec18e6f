// The positions of a scene's particles in a buffer object, where the device that steps the scene can write them there: then they
// are drawn without having been on the host.
#pragma once

#include <meniscus/meniscus_gl.h>

#include <cstddef>

#include "engine/render/gl_object.h"

namespace meniscus::picture {

class GlPositions {
 public:
  // Of a scene that lives longer. Calls, and the end, are made in one context of OpenGL.
  explicit GlPositions(mnsScene* scene) : scene_(scene) {}
  ~GlPositions();
  GlPositions(const GlPositions&) = delete;
  GlPositions& operator=(const GlPositions&) = delete;

  // Whether the buffer has the positions as they are now, written by the device. False where they have to be copied as ever; then
  // it is not tried again.
  bool update();
  unsigned buffer() { return buffer_.get(); }
  std::size_t count() const { return count_; }

 private:
  mnsScene* scene_;
  render::Buffer buffer_;
  mnsGlBufferId id_{0, 0, 0};
  std::size_t count_ = 0;
  bool never_ = false;
};

}  // namespace meniscus::picture
