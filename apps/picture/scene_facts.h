// What does not change of a scene and a picture needs: the domain, gravity, the spacing of its particles.
#pragma once

#include <meniscus/meniscus.h>

#include <glm/glm.hpp>
#include <string>

namespace meniscus::picture {

struct SceneFacts {
  std::string name;
  glm::vec3 low{0}, high{1};  // the domain [m]
  bool wall[6] = {true, true, true, true, true, true};
  glm::dvec3 gravity{0, 0, -9.81};  // m/s^2
  double dt = 0.002;                // s, the longest step
  double duration = 1;              // s, of a run
  float spacing = 0.02f;            // m
  bool grid = false;                // a fluid on a grid, not particles
};

// Throws Error where the library refuses.
SceneFacts factsOf(mnsScene* scene);

}  // namespace meniscus::picture
