// What a scene's file says of it that a picture needs: the domain, the longest step, the shapes of primitives.
#pragma once

#include <glm/glm.hpp>
#include <string>
#include <vector>

namespace meniscus::picture {

// A primitive in its own frame; lengths in m. mesh: the body has arrays of nodes and triangles instead.
struct Primitive {
  enum class Kind { mesh, box, sphere, cylinder, capsule, plane, sheet };
  Kind kind = Kind::mesh;
  glm::vec3 size{0};          // box, sheet: edge lengths
  float radius = 0;           // sphere, cylinder, capsule
  float height = 0;           // cylinder; capsule: between the centres of its caps; along z
  glm::vec3 normal{0, 0, 1};  // plane: towards the free side
  bool container = false;     // the fluid is inside
};

struct SolidFacts {
  std::string name, kind;
  Primitive shape;
};

struct FluidFacts {
  std::string name;
  float spacing = 0.02f;  // m
};

struct SceneFacts {
  std::string name;
  glm::vec3 low{0}, high{1};  // the domain [m]
  bool wall[6] = {true, true, true, true, true, true};
  glm::dvec3 gravity{0, 0, -9.81};  // m/s^2
  double dt = 0.002;                // s, the longest step
  double duration = 1;              // s, of a run
  std::vector<FluidFacts> fluids;
  std::vector<SolidFacts> solids;
};

// Throws Error(input) for a file that cannot be read or is no JSON; what else is wrong with it the library says when it loads it.
SceneFacts readSceneFacts(const std::string& path);

}  // namespace meniscus::picture
