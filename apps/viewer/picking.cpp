#include "apps/viewer/picking.h"

#include "apps/picture/check.h"

namespace meniscus::viewer {
namespace {

using picture::check;

bool isContainer(mnsScene* scene, mnsBodyId body) {
  mnsShape shape = mnsDefaultShape();
  check(mnsBody_GetShape(scene, body, &shape));
  return shape.container;
}

mnsVec3 toMns(const glm::dvec3& v) { return {v.x, v.y, v.z}; }

}  // namespace

Pick pick(mnsScene* scene, const Sight& sight, double reach) {
  Pick found;
  std::uint32_t filter = 0;
  if (sight.bodies) filter |= MNS_QUERY_BODIES;
  if (sight.fluid) filter |= MNS_QUERY_FLUID;
  if (!scene || filter == 0) return found;
  const glm::dvec3 eye(sight.eye), direction(sight.direction);
  const double past = 1e-6 * reach;
  // every turn passes one surface: two of the domain and those of containers before what is looked for
  double begin = 0;
  for (int turn = 0; turn < 64 && begin < reach; ++turn) {
    mnsRayHit hit{};
    const double length = reach - begin;
    check(mnsScene_RayCast(scene, toMns(eye + begin * direction), toMns(length * direction), filter, &hit));
    if (!hit.hit) return found;
    const double at = begin + hit.share * length;
    if (hit.fluid || (!MNS_IS_NULL(hit.body) && !isContainer(scene, hit.body))) {
      found.fluid = hit.fluid;
      found.distance = float(at);
      found.point = glm::vec3(eye + at * direction);
      if (hit.fluid) return found;
      const char* name = "";
      mnsBodyKind kind;
      check(mnsBody_GetName(scene, hit.body, &name));
      check(mnsBody_GetKind(scene, hit.body, &kind));
      found.body = name;
      found.fixed = kind == MNS_BODY_STATIC;
      return found;
    }
    begin = at + past;
  }
  return found;
}

}  // namespace meniscus::viewer
