#include "engine/api/body_at.h"

#include "engine/world/change_solids.h"

namespace meniscus::api {
namespace {

[[noreturn]] void wrongKind(const BodyAt& b, const char* needed) {
  constexpr const char* names[] = {"static", "kinematic", "rigid", "cloth", "inflatable", "soft"};
  fail(MNS_ERROR_WRONG_KIND, "the body \"{}\" is {}; this is for {} bodies", b.def.name, names[int(b.def.kind)], needed);
}

}  // namespace

BodyAt bodyAt(mnsScene& s, const mnsBodyId& id) {
  const std::int32_t order = s.bodies.at(id, s.serial, "body").order;
  World& w = started(s).world;
  return {order, w, w.scene.solids[std::size_t(order)], w.solid, placeOf(w, order)};
}

void needDeformable(const BodyAt& b) {
  if (!b.deformable()) wrongKind(b, "deformable");
}
void needKinematic(const BodyAt& b) {
  if (b.def.kind != SolidKind::kinematic) wrongKind(b, "kinematic");
}
void needRigid(const BodyAt& b) {
  if (b.def.kind != SolidKind::rigid) wrongKind(b, "rigid");
}
void needFree(const BodyAt& b) {
  if (b.def.kind != SolidKind::rigid && !b.deformable()) wrongKind(b, "rigid and deformable");
}

void needResolved(const World& w, double speed, const char* what) {
  const double most = resolvedSpeed(w);
  if (speed <= most * (1 + 1e-9)) return;
  fail(MNS_ERROR_INVALID_ARGUMENT,
       "{} would move at {:.3g} m/s, but the {} sub-steps of a step resolve {:.3g} m/s; give it more time, or the scene a smaller "
       "maxStep or more maxSubsteps",
       what, speed, w.scene.solver.maxSubsteps, most);
}

}  // namespace meniscus::api
