// Key frames against what the sub-steps of a step resolve.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/solid/motion.h"
#include "engine/world/build_parts.h"
#include "engine/world/change_solids.h"

namespace meniscus {

namespace {

// Of a thing whose farthest point is `reach` [m] from where its key frames put its origin.
void checkSpeeds(Builder& b, const std::string& what, const SourceRef& where, const std::vector<KeyFrame>& motion, double reach) {
  const SceneDef& s = b.world.scene;
  const double resolved = resolvedSpeed(b.world);
  for (std::size_t k = 1; k < motion.size() && motion[k - 1].time < s.duration; ++k) {
    const double speed = speedBetween(motion[k - 1], motion[k], reach);
    if (speed <= resolved * (1 + 1e-9)) continue;
    b.mistake(where, fmt::format(
                         "{} would move at {:.3g} m/s to its key frame of {:g} s, {:.3g} particle spacings in a step of {:g} s, of "
                         "which {} sub-steps of {:g} spacings resolve {:.3g} m/s; give it more time, or make dt smaller or "
                         "\"max_substeps\" larger",
                         what, speed, motion[k].time, speed * s.solver.dt / b.world.dx, s.solver.dt, s.solver.maxSubsteps,
                         s.solver.cfl, resolved));
    return;
  }
}

double reachOf(const SolidState& s, Index motion) {
  double reach = 0;
  for (const Pin& p : s.pins)
    if (p.motion == motion) reach = std::max(reach, norm(p.start - p.origin));
  return reach;
}

}  // namespace

void checkKeyFrames(Builder& b) {
  const SolidState& state = b.world.solid;
  const double across = norm(b.world.scene.domain.max - b.world.scene.domain.min);
  Index motion = 0;  // those of pins are listed in the order of the scene
  for (const SolidDef& s : b.world.scene.solids) {
    for (const RigidBody& r : state.rigid)
      if (r.kinematic && r.name == s.name)
        checkSpeeds(b, fmt::format("solid \"{}\"", s.name), s.where, r.motion, std::min(r.reach, across));
    for (const PinDef& p : s.pins)
      if (!p.motion.empty()) {
        const std::vector<KeyFrame>& frames = state.motions[std::size_t(motion)];
        checkSpeeds(b, fmt::format("a pin of solid \"{}\"", s.name), p.where, frames, reachOf(state, motion));
        ++motion;
      }
  }
}

}  // namespace meniscus
