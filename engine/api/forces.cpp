// Forces that act over the next step, as changes of velocity at its start.
#include "engine/api/motion.h"
#include "engine/api/objects.h"

namespace meniscus::api {

void applyForces(mnsScene& s, double dt) {
  SolidState& state = s.running->world.solid;
  for (const PendingForce& f : s.forces) {
    const SolidPlace place = placeOf(s.running->world, f.body);
    if (f.byNode.empty()) {
      addMotion(state, place, changeByImpulse(state, place, f.force * dt, f.atPoint ? &f.point : nullptr));
      continue;
    }
    for (std::size_t i = 0; i < f.byNode.size(); ++i) {
      const std::size_t node = std::size_t(place.body->nodeBegin) + i;
      state.v[node] += f.byNode[i] * (dt * state.w[node]);
    }
  }
}

}  // namespace meniscus::api
