// Where it is seen from.
#pragma once

#include <glm/glm.hpp>

namespace meniscus::render {

struct Camera {
  glm::vec3 eye{3, -4, 2}, target{0}, up{0, 0, 1};  // m
  float fieldOfView = 40;                           // degrees, upright

  glm::mat4 view() const;
  // Near and far enclose the sphere (center, radius) as seen from here.
  glm::mat4 projection(float aspect, const glm::vec3& center, float radius) const;
  // The direction of the ray through a point of the picture: x, y in 0..1 from its upper left corner. Unit.
  glm::vec3 ray(float x, float y, float aspect) const;

  // Turns about the target by radians: `right` about the up axis, `above` towards it, short of the poles.
  void orbit(float right, float above);
  // Moves eye and target in the picture's plane, by shares of its height at the target.
  void pan(float right, float above);
  // Brings the eye nearer to the target by a factor: 2 halves the distance.
  void zoom(float factor);
  // Moves eye and target along the view, to the right and up [m], and turns the view about the eye [rad].
  void fly(const glm::vec3& forwardRightUp, float turnRight, float turnUp);
  // The whole box in the picture, from the direction it is seen from now.
  void frame(const glm::vec3& low, const glm::vec3& high, float aspect);
};

// Between two cameras, s in 0..1.
Camera mix(const Camera& a, const Camera& b, float s);

}  // namespace meniscus::render
