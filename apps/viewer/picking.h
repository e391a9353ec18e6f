// What of a scene lies under the mouse, asked of the scene itself (mnsScene_RayCast).
#pragma once

#include <meniscus/meniscus.h>

#include <cstdint>
#include <glm/glm.hpp>
#include <string>

namespace meniscus::viewer {

// A line of sight, and what of the scene is drawn.
struct Sight {
  glm::vec3 eye{0}, direction{0, 0, -1};  // m; unit
  bool fluid = true, bodies = true;
  bool operator==(const Sight& o) const {
    return eye == o.eye && direction == o.direction && fluid == o.fluid && bodies == o.bodies;
  }
};

struct Pick {
  std::string body;    // empty: none
  bool fixed = false;  // the body is static
  bool fluid = false;  // a particle is nearest
  float distance = 0;  // from the eye [m]
  glm::vec3 point{0};  // m
  bool hit() const { return fluid || !body.empty(); }
  bool holds() const { return fluid || (!body.empty() && !fixed); }  // something that the mouse can pull
};

// Containers and the domain's walls are looked through, for which a ray of the interface has no filter: it is cast again from
// behind what it has met. reach [m]: how far from the eye anything can be. Throws Error where the library refuses.
Pick pick(mnsScene* scene, const Sight& sight, double reach);

}  // namespace meniscus::viewer
