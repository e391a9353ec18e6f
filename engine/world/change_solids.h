// Solids that come, go and are put elsewhere while a world runs. What is refused is refused with Error(input), and leaves the world
// as it was. A solver made for the world before does not fit it after a solid came or went; its particles are as they were.
#pragma once

#include <string>
#include <vector>

#include "engine/solid/motion.h"
#include "engine/world/world.h"

namespace meniscus {

// What can be said of a solid by itself before a world is built: of its mesh, and of what it is made of. The tetrahedra of a soft
// one that gives only its surface are not made. dx: spacing of the fluids to come [m];
// 0: none.
void checkSolid(const SceneDef& scene, const SolidDef& def, double dx);

// Adds a solid, last in scene.solids. It must lie in the domain, in no still solid and no fluid; still ones must hold no other
// solid either. notes: as in buildWorld.
void appendSolid(World& world, const SolidDef& def, std::vector<std::string>* notes);

// Takes out solid number `index` of scene.solids.
void removeSolid(World& world, std::size_t index);

// Index into SolidState::bodies of the solid with this name, or -1 where it has no nodes; and into SolidState::rigid.
Index bodyOfName(const SolidState& s, const std::string& name);
Index rigidOfName(const SolidState& s, const std::string& name);

// Puts the rigid solid number `index` of scene.solids elsewhere, as if it had always been there; to: centre of mass, and body to
// world. The same must hold of its place as of that of a new one.
void placeRigidSolid(World& world, std::size_t index, const Pose& to);

// The greatest speed [m/s] of prescribed motion that the sub-steps of the longest step resolve.
inline double resolvedSpeed(const World& w) {
  const SolverDef& v = w.scene.solver;
  return v.maxSubsteps * v.cfl * w.dx / v.dt;
}

}  // namespace meniscus
