#include "engine/output/rigid_surface.h"

#include <cmath>

#include "engine/output/primitive_patch.h"

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
  const std::size_t corners = p.tri.size();
  std::vector<Vec3d> area(corners / 3), unit(corners / 3);
  std::vector<std::vector<std::int32_t>> around(p.x.size());  // triangles of each point
  for (std::size_t t = 0; t < corners / 3; ++t) {
    const auto at = [&](std::size_t k) { return p.x[std::size_t(p.tri[3 * t + k])]; };
    area[t] = cross(at(1) - at(0), at(2) - at(0));
    unit[t] = norm(area[t]) > 0 ? normalized(area[t]) : Vec3d{};
    for (std::size_t k = 0; k < 3; ++k) around[std::size_t(p.tri[3 * t + k])].push_back(std::int32_t(t));
  }
  RigidSurface out;
  out.tri.resize(corners);
  std::vector<std::vector<std::int32_t>> copies(p.x.size());  // points of the result
  const double smooth = std::cos(40 * 3.14159265358979323846 / 180);
  for (std::size_t c = 0; c < corners; ++c) {
    const std::size_t point = std::size_t(p.tri[c]);
    Vec3d n{};
    for (const std::int32_t t : around[point])
      if (dot(unit[std::size_t(t)], unit[c / 3]) >= smooth) n += area[std::size_t(t)];
    n = norm(n) > 0 ? normalized(n) : Vec3d{};
    std::int32_t found = -1;
    for (const std::int32_t k : copies[point])
      if (norm(out.n[std::size_t(k)] - n) < 1e-9) found = k;
    if (found < 0) {
      found = std::int32_t(out.x.size());
      out.x.push_back(p.x[point]);
      out.n.push_back(n);
      copies[point].push_back(found);
    }
    out.tri[c] = found;
  }
  return out;
}

}  // namespace meniscus
