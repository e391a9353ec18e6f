#include "apps/viewer/picking.h"

#include <cmath>
#include <limits>

namespace meniscus::viewer {
namespace {

// Distance along the ray to the triangle, or infinity (Moeller and Trumbore 1997).
float distanceTo(const glm::vec3& eye, const glm::vec3& direction, const glm::vec3& a, const glm::vec3& b, const glm::vec3& c) {
  const float none = std::numeric_limits<float>::infinity();
  const glm::vec3 ab = b - a, ac = c - a, p = glm::cross(direction, ac);
  const float determinant = glm::dot(ab, p);
  if (std::abs(determinant) < 1e-20f) return none;
  const glm::vec3 s = eye - a, q = glm::cross(s, ab);
  const float u = glm::dot(s, p) / determinant, v = glm::dot(direction, q) / determinant;
  if (u < 0 || v < 0 || u + v > 1) return none;
  const float t = glm::dot(ac, q) / determinant;
  return t > 0 ? t : none;
}

float nearestOf(const picture::BodyFrame& body, const glm::vec3& eye, const glm::vec3& direction) {
  float nearest = std::numeric_limits<float>::infinity();
  const auto at = [&](std::size_t k) { return glm::vec3(body.position[std::size_t(body.triangles[k])]); };
  for (std::size_t t = 0; t + 2 < body.triangles.size(); t += 3)
    nearest = std::min(nearest, distanceTo(eye, direction, at(t), at(t + 1), at(t + 2)));
  return nearest;
}

float nearestOf(const picture::FluidFrame& fluid, float radius, const glm::vec3& eye, const glm::vec3& direction) {
  float nearest = std::numeric_limits<float>::infinity();
  for (const glm::vec4& x : fluid.position) {
    const glm::vec3 to = glm::vec3(x) - eye;
    const float along = glm::dot(to, direction), off2 = glm::dot(to, to) - along * along;
    if (along > 0 && off2 < radius * radius) nearest = std::min(nearest, along - std::sqrt(radius * radius - off2));
  }
  return nearest;
}

}  // namespace

Pick pick(const picture::Frame& frame, const picture::SceneFacts& facts, const glm::vec3& eye, const glm::vec3& direction,
          bool fluidShown, bool bodiesShown) {
  Pick found;
  float nearest = std::numeric_limits<float>::infinity();
  for (std::size_t k = 0; bodiesShown && k < frame.bodies.size(); ++k) {
    if (frame.bodies[k].container) continue;
    if (const float d = nearestOf(frame.bodies[k], eye, direction); d < nearest) {
      nearest = d;
      found.body = int(k);
    }
  }
  for (std::size_t k = 0; fluidShown && k < frame.fluids.size(); ++k) {
    const float radius = 0.6f * facts.spacing;
    if (const float d = nearestOf(frame.fluids[k], radius, eye, direction); d < nearest) {
      nearest = d;
      found.body = -1;
      found.fluid = true;
    }
  }
  if (!found.hit()) return found;
  found.distance = nearest;
  found.point = eye + nearest * direction;
  return found;
}

}  // namespace meniscus::viewer
