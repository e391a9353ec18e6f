// The positions of a scene's particles in a buffer object, where the device that steps the scene can write them there: then they
// are drawn without having been on the host.
#pragma once

#include <meniscus/meniscus_gl.h>

#include <cstddef>
#include <glm/glm.hpp>
#include <string>
#include <vector>

#include "engine/render/gl_object.h"

namespace meniscus::picture {

// Written on one thread, whose context of OpenGL it is; drawn there, or on another one whose context shares objects with it.
class GlPositions {
 public:
  GlPositions() = default;
  ~GlPositions();
  GlPositions(const GlPositions&) = delete;
  GlPositions& operator=(const GlPositions&) = delete;

  // Whether the buffer has the scene's positions as they are now, written by the device. False where they have to be copied as
  // ever; then it is not tried again with this scene. Nothing that reads the buffer may still be under way.
  bool update(mnsScene* scene);
  // Ends what there is with the scene, which has to be there: before it is destroyed, or the context is. The buffer and what is in
  // it stay.
  void leave();

  // Another context: OpenGL there waits for the last update before it does what comes after this.
  void await() const;
  // A copy of what the last update wrote, for what is not done by OpenGL; after await() in another context.
  void read(std::vector<glm::vec4>& positions) const;

  // Why the last update was in vain; "" where it was not.
  const std::string& why() const { return why_; }
  unsigned buffer() { return buffer_.get(); }
  std::size_t count() const { return count_; }

 private:
  bool write(mnsScene* scene);

  mnsScene* scene_ = nullptr;
  mutable render::Buffer buffer_;
  mnsGlBufferId id_{0, 0, 0};
  std::size_t count_ = 0;
  GLsync written_ = nullptr;
  std::string why_;
};

}  // namespace meniscus::picture
