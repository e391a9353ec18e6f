#include "engine/api/grid_bodies.h"

#include <cmath>

#include "engine/api/convert.h"

namespace meniscus::api {
namespace {

// Share of the ray to a triangle (Moeller & Trumbore 1997); above 1: it is not met.
double shareTo(const Vec3d& origin, const Vec3d& ray, const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  const Vec3d e = b - a, f = c - a, p = cross(ray, f);
  const double det = dot(e, p);
  if (det == 0) return 2;
  const Vec3d t = origin - a, q = cross(t, e);
  const double u = dot(t, p) / det, v = dot(ray, q) / det, share = dot(f, q) / det;
  return u >= 0 && v >= 0 && u + v <= 1 && share >= 0 ? share : 2;
}

}  // namespace

GridBody gridBody(mnsScene& s, const mnsBodyId& id) {
  const std::size_t order = std::size_t(s.bodies.at(id, s.serial, "body").order);
  const GridRunning& g = startedGrid(s);
  GridBody b;
  b.report = g.run->solids()[order];
  b.def = &s.def.solids[order];
  b.rotation = (b.report.rotation * g.rotation[order].conjugate() * b.def->transform.rotate).normalizedQuat();
  return b;
}

double gridVolume(mnsScene& s, const mnsBodyId& id) {
  const GridBody b = gridBody(s, id);
  if (!(b.report.volume > 0))
    fail(MNS_ERROR_WRONG_KIND, "the body \"{}\" encloses no volume; this is for closed bodies", b.report.name);
  return b.report.volume;
}

mnsRayHit gridRayCast(mnsScene& s, const Vec3d& origin, const Vec3d& ray) {
  GridRunning& g = startedGrid(s);
  mnsRayHit hit{};
  hit.share = 1;
  hit.triangle = -1;
  for (std::size_t k = 0; k < s.def.solids.size(); ++k) {
    const mnsView points = g.published.body(*g.run, std::int32_t(k), MNS_SURFACE_POSITION);
    const mnsView triangles = g.published.body(*g.run, std::int32_t(k), MNS_SURFACE_TRIANGLES);
    const auto* x = static_cast<const Vec4f*>(points.data);
    const auto* corner = static_cast<const std::int32_t*>(triangles.data);
    const auto at = [&](std::int64_t c) {
      const Vec4f& p = x[corner[c]];
      return Vec3d{double(p.x), double(p.y), double(p.z)};
    };
    for (std::int64_t t = 0; t < triangles.count; ++t) {
      const Vec3d a = at(3 * t), b = at(3 * t + 1), c = at(3 * t + 2);
      const double share = shareTo(origin, ray, a, b, c);
      if (!(share < hit.share)) continue;
      const Vec3d n = normalized(cross(b - a, c - a));
      hit.hit = true;
      hit.share = share;
      hit.position = fromVec(origin + ray * share);
      hit.normal = fromVec(dot(n, ray) > 0 ? n * -1.0 : n);
      hit.body = s.bodies.idOfOrder<mnsBodyId>(std::int32_t(k), s.serial);
      hit.triangle = std::int32_t(t);
    }
  }
  return hit;
}

}  // namespace meniscus::api
