#include "engine/output/surfaces.h"

#include "engine/output/primitive_patch.h"
#include "engine/solid/strain.h"

namespace meniscus {
namespace {

void addNodes(const SolidState& s, const Body& body, Surfaces& out) {
  const std::int32_t base = std::int32_t(out.x.size()), number = std::int32_t(out.names.size());
  out.names.push_back(body.name);
  const RigidBody* rigid = body.rigid >= 0 ? &s.rigid[std::size_t(body.rigid)] : nullptr;
  for (Index i = body.nodeBegin; i < body.nodeEnd; ++i) {
    const Vec3d x = s.x[std::size_t(i)];
    out.x.push_back(Vec3f(x));
    out.v.push_back(Vec3f(rigid ? rigid->v + cross(rigid->omega, x - rigid->x) : s.v[std::size_t(i)]));
    out.body.push_back(number);
  }
  for (Index t = 3 * body.triBegin; t < 3 * body.triEnd; ++t) out.tri.push_back(base + s.tri[std::size_t(t)] - body.nodeBegin);
}

void addPrimitive(const RigidBody& r, double planeWidth, Surfaces& out) {
  const Patch patch = primitivePatch(r.shape, planeWidth);
  const std::int32_t base = std::int32_t(out.x.size()), number = std::int32_t(out.names.size());
  out.names.push_back(r.name);
  for (const Vec3d& p : patch.x) {
    const Vec3d arm = r.q.rotate({p.x * r.scale.x, p.y * r.scale.y, p.z * r.scale.z});
    out.x.push_back(Vec3f(r.x + arm));
    out.v.push_back(Vec3f(r.v + cross(r.omega, arm)));
    out.body.push_back(number);
  }
  for (const std::int32_t k : patch.tri) out.tri.push_back(base + k);
}

// The nodes of bodies come first, in their order.
void addStretch(const SolidState& s, Surfaces& out) {
  out.stretch.assign(out.x.size(), 0);
  std::size_t at = 0;
  for (const Body& body : s.bodies) {
    if (body.rigid < 0) nodeStretch(s, body, out.stretch.data() + at);
    at += std::size_t(body.nodeEnd - body.nodeBegin);
  }
}

}  // namespace

Surfaces collectSurfaces(const World& world) {
  Surfaces out;
  const SolidState& s = world.solid;
  for (const Body& body : s.bodies) addNodes(s, body, out);
  const double diagonal = norm(world.scene.domain.max - world.scene.domain.min);
  for (const RigidBody& r : s.rigid)
    if (r.body < 0) addPrimitive(r, diagonal, out);
  if (world.scene.output.view.stretch) addStretch(s, out);
  return out;
}

}  // namespace meniscus
