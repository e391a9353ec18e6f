// What the mouse holds in a scene, and how it pulls: rigid bodies by a damped spring at the point that was taken, deformable ones
// by carrying the nearest node, kinematic ones by moving them, fluid by the velocities of the particles around the mouse.
#pragma once

#include <meniscus/meniscus.h>

#include <glm/glm.hpp>
#include <string>
#include <vector>

#include "apps/viewer/state.h"

namespace meniscus::viewer {

class Grip {
 public:
  // Takes hold at a point [m] of a body by name; an empty name takes the fluid within `reach` [m]. spacing: of the particles [m].
  void take(mnsScene* scene, const std::string& body, const glm::vec3& point, float reach, float spacing);
  void moveTo(const glm::vec3& target) { target_ = target; }  // m
  // Asks the scene for the pull of its next step, of dt [s]. Throws Error where the library refuses.
  void pull(mnsScene* scene, double dt);
  // Lets go; nodes that were free are free again.
  void release(mnsScene* scene);
  void forget() { what_ = What::nothing; }
  GripLine line(mnsScene* scene) const;

 private:
  enum class What { nothing, rigid, node, kinematic, fluid };
  void pullRigid(mnsScene* scene, double dt);
  void pullFluid(mnsScene* scene, double dt);
  glm::dvec3 heldPoint(mnsScene* scene) const;
  void takeNode(mnsScene* scene, const glm::vec3& point);

  What what_ = What::nothing;
  mnsBodyId body_{};
  std::int32_t node_ = -1;
  bool nodeWasHeld_ = false;
  glm::dvec3 arm_{0};      // rigid, kinematic: from the body's position to the point, in the body's frame [m]
  glm::dvec3 target_{0};   // m
  glm::dvec3 carried_{0};  // node: where it was last sent [m]
  float reach_ = 0, spacing_ = 0.01f;
  std::vector<std::uint32_t> ids_;
  std::vector<glm::vec3> velocity_;
};

}  // namespace meniscus::viewer
