#include "apps/viewer/camera_control.h"

#include <algorithm>
#include <cmath>

namespace meniscus::viewer {

void CameraControl::orbit(const glm::vec2& by, float height) {
  share_ = 1;
  const float perPixel = 4.f / height;  // radians: a drag over the whole height is most of a turn
  camera.orbit(-by.x * perPixel, by.y * perPixel);
}

void CameraControl::pan(const glm::vec2& by, float height) {
  share_ = 1;
  camera.pan(-by.x / height, by.y / height);
}

void CameraControl::look(const glm::vec2& by, float height) {
  share_ = 1;
  const float perPixel = glm::radians(camera.fieldOfView) / height;
  camera.fly(glm::vec3(0), by.x * perPixel, -by.y * perPixel);
}

void CameraControl::wheel(float notches) {
  share_ = 1;
  camera.zoom(std::pow(1.15f, notches));
}

void CameraControl::fly(const FlyKeys& keys, float seconds, float sceneRadius, bool fast) {
  if (!keys.any()) return;
  share_ = 1;
  const float distance = sceneRadius * (fast ? 3.f : 0.8f) * std::min(seconds, 0.1f);
  camera.fly(distance * glm::vec3(keys.forward, keys.right, keys.up), 0, 0);
}

void CameraControl::glideTo(const render::Camera& other) {
  from_ = camera;
  to_ = other;
  share_ = 0;
}

void CameraControl::update(float seconds) {
  if (share_ >= 1) return;
  share_ = std::min(1.f, share_ + seconds * 3);
  const float s = share_ * share_ * (3 - 2 * share_);
  camera = share_ < 1 ? render::mix(from_, to_, s) : to_;
}

}  // namespace meniscus::viewer
