#include "engine/render/camera.h"

#include <algorithm>
#include <cmath>
#include <glm/gtc/matrix_transform.hpp>

namespace meniscus::render {

namespace {

struct Axes {
  glm::vec3 forward, right, above;
};

glm::vec3 anyAcross(const glm::vec3& v) {
  return glm::normalize(glm::cross(v, std::abs(v.x) < .7f * glm::length(v) ? glm::vec3(1, 0, 0) : glm::vec3(0, 1, 0)));
}

// Right-handed; where the view runs along `up` any right will do.
Axes axesOf(const Camera& c) {
  Axes a;
  const glm::vec3 d = c.target - c.eye;
  const float length = glm::length(d);
  a.forward = length > 0 ? d / length : glm::vec3(0, 1, 0);
  const glm::vec3 r = glm::cross(a.forward, c.up);
  a.right = glm::length(r) > 1e-6f * glm::length(c.up) ? glm::normalize(r) : anyAcross(a.forward);
  a.above = glm::cross(a.right, a.forward);
  return a;
}

float tangent(const Camera& c) { return std::tan(glm::radians(std::clamp(c.fieldOfView, 1.f, 170.f)) / 2); }

glm::vec3 turned(const glm::vec3& v, const glm::vec3& axis, float angle) {
  return glm::vec3(glm::rotate(glm::mat4(1), angle, axis) * glm::vec4(v, 0));
}

// `direction` turned by `angle` towards up, but no nearer to a pole than a degree.
glm::vec3 raised(const glm::vec3& direction, const glm::vec3& up, float angle) {
  const glm::vec3 u = glm::normalize(up);
  const float limit = glm::radians(89.f);
  const float now = std::asin(std::clamp(glm::dot(direction, u), -1.f, 1.f));
  const float next = std::clamp(now + angle, -limit, limit);
  const glm::vec3 level = direction - u * glm::dot(direction, u);
  const glm::vec3 flat = glm::length(level) > 1e-6f ? glm::normalize(level) : anyAcross(u);
  return flat * std::cos(next) + u * std::sin(next);
}

}  // namespace

glm::mat4 Camera::view() const {
  const Axes a = axesOf(*this);
  return glm::lookAt(eye, eye + a.forward, a.above);
}

glm::mat4 Camera::projection(float aspect, const glm::vec3& center, float radius) const {
  const float depth = glm::dot(center - eye, axesOf(*this).forward);
  const float farthest = std::max(depth + radius, 1e-3f * radius);
  const float nearest = std::max(depth - radius, 1e-3f * farthest);
  return glm::perspective(2 * std::atan(tangent(*this)), std::max(aspect, 1e-6f), nearest, farthest * 1.001f);
}

glm::vec3 Camera::ray(float x, float y, float aspect) const {
  const Axes a = axesOf(*this);
  const float t = tangent(*this);
  return glm::normalize(a.forward + a.right * ((2 * x - 1) * t * aspect) + a.above * ((1 - 2 * y) * t));
}

void Camera::orbit(float right, float above) {
  const glm::vec3 arm = eye - target;
  const float length = glm::length(arm);
  if (!(length > 0)) return;
  const glm::vec3 direction = turned(arm / length, glm::normalize(up), right);
  eye = target + raised(direction, up, above) * length;
}

void Camera::pan(float right, float above) {
  const Axes a = axesOf(*this);
  const float height = 2 * tangent(*this) * glm::length(target - eye);
  const glm::vec3 by = (a.right * right + a.above * above) * height;
  eye += by;
  target += by;
}

void Camera::zoom(float factor) {
  if (factor > 0) eye = target + (eye - target) / factor;
}

void Camera::fly(const glm::vec3& forwardRightUp, float turnRight, float turnUp) {
  const Axes a = axesOf(*this);
  const float length = std::max(glm::length(target - eye), 1e-6f);
  eye += a.forward * forwardRightUp.x + a.right * forwardRightUp.y + glm::normalize(up) * forwardRightUp.z;
  const glm::vec3 forward = raised(turned(a.forward, glm::normalize(up), -turnRight), up, turnUp);
  target = eye + forward * length;
}

void Camera::frame(const glm::vec3& low, const glm::vec3& high, float aspect) {
  const Axes a = axesOf(*this);
  const glm::vec3 center = (low + high) * .5f;
  const float t = tangent(*this), across = t * aspect;
  // every corner, at `ahead` in front of the centre and `side` from the axis, asks for a distance ahead + side / tangent
  float distance = 0;
  for (int i = 0; i < 8; ++i) {
    const glm::vec3 corner = glm::vec3(i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z) - center;
    const float side = std::max(std::abs(glm::dot(corner, a.right)) / across, std::abs(glm::dot(corner, a.above)) / t);
    distance = std::max(distance, side - glm::dot(corner, a.forward));
  }
  target = center;
  eye = center - a.forward * std::max(distance * 1.05f, 1e-4f);
}

Camera mix(const Camera& a, const Camera& b, float s) {
  Camera c;
  c.target = glm::mix(a.target, b.target, s);
  c.fieldOfView = glm::mix(a.fieldOfView, b.fieldOfView, s);
  const glm::vec3 up = glm::mix(a.up, b.up, s);
  c.up = glm::length(up) > 1e-6f ? glm::normalize(up) : a.up;
  // the arm turns and stretches: a straight line between the eyes would pass through what they look at
  const glm::vec3 armA = a.eye - a.target, armB = b.eye - b.target, arm = glm::mix(armA, armB, s);
  const float length = glm::mix(glm::length(armA), glm::length(armB), s);
  c.eye = c.target + (glm::length(arm) > 1e-6f ? glm::normalize(arm) * length : armA);
  return c;
}

}  // namespace meniscus::render
