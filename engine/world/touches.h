// Who touches whom at the end of a step. Allocates nothing once it has seen a state of this size.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/solid/obstacles.h"
#include "engine/world/particle_grid.h"

namespace meniscus {

// Numbers: SolidState::rigid first, then SolidState::bodies.
class TouchFinder {
 public:
  static std::size_t count(const SolidState& s) { return s.rigid.size() + s.bodies.size(); }
  static const std::string& name(const SolidState& s, std::size_t number) {
    return number < s.rigid.size() ? s.rigid[number].name : s.bodies[number - s.rigid.size()].name;
  }

  // Bodies have come or gone.
  void bodiesChanged() { obstacles_.reset(); }
  // The state is that of the end of a step.
  void update(const World& world);

  // Is a particle's centre within reach of the body's surface, and where is that [m]? What was wet stays so a little farther:
  // resting particles tremble. A rigid body with a mesh has two numbers, of which only the first is ever wetted.
  bool wetted(const World& world, std::size_t number, bool before, Vec3d& x) const;

  struct Pair {
    Index body;      // that moves by itself
    Index obstacle;  // fixed or kinematic, or of a rigid body another one of a greater number
    Vec3d x;         // m, a point where they touch
  };
  // Ascending, each once: rigid bodies held off obstacles and off each other in the step, and what the last projection held of the
  // others off obstacles and off rigid bodies.
  const std::vector<Pair>& pairs(const World& world);

 private:
  void add(Index body, const Vec3d& x, double reach);
  void addPair(Index body, Index other, const Vec3d& x);

  ParticleGrid grid_;
  std::unique_ptr<SceneObstacles> obstacles_;
  std::vector<Pair> pairs_;
};

}  // namespace meniscus
