#include "engine/output/rigid_surface.h"

#include <utility>

#include "engine/output/primitive_patch.h"
#include "engine/output/shaded_surface.h"

namespace meniscus {
namespace {

// Points and triangles in the body's frame, a point for all triangles that meet in it.
Patch patchOf(const World& w, const RigidBody& r) {
  if (r.body < 0) {
    Patch p = primitivePatch(r.shape, norm(w.scene.domain.max - w.scene.domain.min));
    for (Vec3d& x : p.x) x = {x.x * r.scale.x, x.y * r.scale.y, x.z * r.scale.z};
    return p;
  }
  const Body& b = w.solid.bodies[std::size_t(r.body)];
  const Quatd back = r.q.conjugate();
  Patch p;
  for (Index i = b.nodeBegin; i < b.nodeEnd; ++i) p.x.push_back(back.rotate(w.solid.x[std::size_t(i)] - r.x));
  for (Index k = 3 * b.triBegin; k < 3 * b.triEnd; ++k) p.tri.push_back(std::int32_t(w.solid.tri[std::size_t(k)] - b.nodeBegin));
  return p;
}

}  // namespace

RigidSurface rigidSurface(const World& w, const RigidBody& body) {
  const Patch p = patchOf(w, body);
  ShadedSurface shaded = shadedSurface(p.x, p.tri, kSmoothOfRigid);
  RigidSurface out;
  for (const std::int32_t k : shaded.point) out.x.push_back(p.x[std::size_t(k)]);
  out.n = shaded.normals(p.x, p.tri);
  out.tri = std::move(shaded.tri);
  return out;
}

}  // namespace meniscus
