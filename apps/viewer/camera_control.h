// The camera and how keys and the mouse move it.
#pragma once

#include <glm/glm.hpp>

#include "engine/render/camera.h"

namespace meniscus::viewer {

// Keys held for flying; -1, 0, 1 each.
struct FlyKeys {
  int forward = 0, right = 0, up = 0;
  bool any() const { return forward || right || up; }
};

class CameraControl {
 public:
  render::Camera camera;

  // By a movement of the mouse [pixels] over a view of this height [pixels].
  void orbit(const glm::vec2& by, float height);
  void pan(const glm::vec2& by, float height);
  void look(const glm::vec2& by, float height);
  void wheel(float notches);
  // For `seconds`, at a speed that suits a scene of this radius [m].
  void fly(const FlyKeys& keys, float seconds, float sceneRadius, bool fast);
  // Goes to another camera in a third of a second.
  void glideTo(const render::Camera& camera);
  void update(float seconds);
  bool gliding() const { return share_ < 1; }

 private:
  render::Camera from_, to_;
  float share_ = 1;
};

}  // namespace meniscus::viewer
