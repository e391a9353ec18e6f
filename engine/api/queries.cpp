// Questions about a started scene: rays, spheres, the fluid at a point.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "engine/api/convert.h"
#include "engine/api/grid_bodies.h"
#include "engine/api/objects.h"
#include "engine/world/query.h"

using namespace meniscus;
using namespace meniscus::api;

namespace {

mnsBodyId idOfName(mnsScene& s, const std::string& name) {
  const std::vector<SolidDef>& solids = s.current().solids;
  const auto it = std::find_if(solids.begin(), solids.end(), [&](const SolidDef& d) { return d.name == name; });
  return it == solids.end() ? mnsBodyId{} : s.bodies.idOfOrder<mnsBodyId>(std::int32_t(it - solids.begin()), s.serial);
}

mnsRayHit toHit(mnsScene& s, const RayHit& h, const mnsVec3& origin, const mnsVec3& ray) {
  const World& w = s.running->world;
  mnsRayHit out{};
  out.hit = true;
  out.share = h.share;
  out.position = {origin.x + h.share * ray.x, origin.y + h.share * ray.y, origin.z + h.share * ray.z};
  out.normal = fromVec(h.n);
  out.triangle = -1;
  out.fluid = h.particle >= 0;
  if (out.fluid) out.particle = w.fluid.id[std::size_t(h.particle)];
  if (h.body >= 0) {
    const Body& b = w.solid.bodies[std::size_t(h.body)];
    out.body = idOfName(s, b.name);
    out.triangle = h.triangle - b.triBegin;
  } else if (h.rigid >= 0) {
    out.body = idOfName(s, w.solid.rigid[std::size_t(h.rigid)].name);
  }
  return out;
}

// Items found, as many as there is room for.
template <class T>
void giveList(const std::vector<T>& found, T* to, std::int32_t capacity, std::int32_t* count) {
  if (count) *count = std::int32_t(found.size());
  if (to) std::copy_n(found.begin(), std::min(found.size(), std::size_t(capacity)), to);
}

void needRoom(std::int32_t capacity, const void* list, const std::int32_t* count, const char* what) {
  if (capacity < 0) fail(MNS_ERROR_INVALID_ARGUMENT, "there is room for {} {}", capacity, what);
  if (list && !count) fail(MNS_ERROR_INVALID_ARGUMENT, "the count of {} is null, so nobody would know how many were written", what);
}

std::vector<mnsBodyId> bodiesIn(mnsScene& s, const Vec3d& center, double radius) {
  const World& w = s.running->world;
  std::vector<char> rigid, bodies;
  s.published.queries().bodiesIn(w, center, radius, rigid, bodies);
  std::vector<mnsBodyId> found;
  for (std::size_t k = 0; k < w.scene.solids.size(); ++k) {
    const SolidPlace p = placeOf(w, std::int32_t(k));
    if ((p.rigid >= 0 && rigid[std::size_t(p.rigid)]) || (p.bodyIndex >= 0 && bodies[std::size_t(p.bodyIndex)]))
      found.push_back(s.bodies.idOfOrder<mnsBodyId>(std::int32_t(k), s.serial));
  }
  return found;
}

// Of a view of points; checks all that can be wrong with it.
Vec3d pointOf(const mnsView& v, std::int64_t k, std::int64_t stride) {
  float x[3];
  std::memcpy(x, static_cast<const char*>(v.data) + k * stride, sizeof x);
  return {double(x[0]), double(x[1]), double(x[2])};
}

std::int64_t needPoints(const mnsView* v) {
  needPointer(v, "points");
  if (v->memory != MNS_MEMORY_HOST) fail(MNS_ERROR_DEVICE_MISMATCH, "points must be in the memory of the host");
  if (v->format != MNS_FORMAT_FLOAT3 && v->format != MNS_FORMAT_FLOAT4)
    fail(MNS_ERROR_INVALID_ARGUMENT, "points must be of MNS_FORMAT_FLOAT3 or MNS_FORMAT_FLOAT4");
  if (v->count < 0) fail(MNS_ERROR_INVALID_ARGUMENT, "there are {} points", v->count);
  if (v->count > 0) needPointer(v->data, "the points' data");
  const std::int64_t stride = v->stride ? v->stride : sizeOf(v->format);
  needStride(stride, sizeOf(v->format), v->count, "points");
  for (std::int64_t k = 0; k < v->count; ++k) {
    const Vec3d x = pointOf(*v, k, stride);
    if (!std::isfinite(x.x) || !std::isfinite(x.y) || !std::isfinite(x.z))
      fail(MNS_ERROR_INVALID_ARGUMENT, "point {} is ({}, {}, {}), which is not finite", k, x.x, x.y, x.z);
  }
  return stride;
}

}  // namespace

extern "C" {

mnsResult mnsScene_RayCast(mnsScene* scene, mnsVec3 origin, mnsVec3 ray, uint32_t filter, mnsRayHit* hit) {
  return read(scene, [&](mnsScene& s) {
    needPointer(hit, "hit");
    const Vec3d from = toVec(origin, "origin"), way = toVec(ray, "ray");
    if (!(norm2(way) > 0) || !std::isfinite(norm2(way)))
      fail(MNS_ERROR_INVALID_ARGUMENT, "the ray ({}, {}, {}) has no length, or too much", ray.x, ray.y, ray.z);
    constexpr std::uint32_t kAll = MNS_QUERY_BODIES | MNS_QUERY_FLUID;
    if (filter == 0 || (filter & ~kAll)) fail(MNS_ERROR_INVALID_ARGUMENT, "filter is {}, which is none of MNS_QUERY_...", filter);
    if (onGrid(s)) {
      if (filter & MNS_QUERY_BODIES) {
        *hit = gridRayCast(s, from, way);
        return MNS_OK;
      }
      notOnGrid("MNS_QUERY_FLUID meets fluids");
    }
    const World& w = started(s).world;
    RayHit found;
    const bool any = s.published.queries().rayCast(w, from, way, filter & MNS_QUERY_BODIES, filter & MNS_QUERY_FLUID, found);
    if (any) {
      *hit = toHit(s, found, origin, ray);
      return MNS_OK;
    }
    *hit = mnsRayHit{};
    hit->share = 1;
    hit->triangle = -1;
    return MNS_OK;
  });
}

mnsResult mnsScene_OverlapSphere(mnsScene* scene, mnsVec3 center, double radius, mnsBodyId* bodies, int32_t bodyCapacity,
                                 int32_t* bodyCount, uint32_t* particles, int32_t particleCapacity, int32_t* particleCount) {
  return read(scene, [&](mnsScene& s) {
    const World& w = started(s).world;
    const Vec3d x = toVec(center, "center");
    needPositive(radius, "radius");
    needRoom(bodyCapacity, bodies, bodyCount, "bodies");
    needRoom(particleCapacity, particles, particleCount, "particles");
    if (bodyCount) giveList(bodiesIn(s, x, radius), bodies, bodyCapacity, bodyCount);
    if (particleCount) {
      std::vector<std::uint32_t> ids;
      s.published.queries().particlesIn(w, x, radius, ids);
      giveList(ids, particles, particleCapacity, particleCount);
    }
    return MNS_OK;
  });
}

mnsResult mnsScene_SampleFluid(mnsScene* scene, const mnsView* points, mnsFluidSample* samples, size_t stride) {
  return read(scene, [&](mnsScene& s) {
    const World& w = started(s).world;
    const std::int64_t pointStride = needPoints(points);
    if (points->count > 0) needPointer(samples, "samples");
    needArrayOf<mnsFluidSample>(stride, points->count, "samples");
    for (std::int64_t k = 0; k < points->count; ++k) {
      const FluidAt at = s.published.queries().fluidAt(w, pointOf(*points, k, pointStride));
      const mnsFluidSample out{at.filled, at.density, at.pressure, fromVec(at.velocity)};
      std::memcpy(reinterpret_cast<char*>(samples) + std::size_t(k) * stride, &out, std::min(stride, sizeof out));
    }
    return MNS_OK;
  });
}

mnsResult mnsScene_ProbeBuoyancy(mnsScene* scene, mnsVec3 center, double radius, mnsBuoyancy* buoyancy) {
  return read(scene, [&](mnsScene& s) {
    needPointer(buoyancy, "buoyancy");
    const World& w = started(s).world;
    const Vec3d x = toVec(center, "center");
    needPositive(radius, "radius");
    const Buoyancy b = s.published.queries().buoyancy(w, x, radius);
    *buoyancy = {b.volume, fromVec(b.force), fromVec(b.center), fromVec(b.velocity)};
    return MNS_OK;
  });
}

}  // extern "C"
