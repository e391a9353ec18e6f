// Rays and spheres.
#include "engine/world/query.h"

#include <algorithm>
#include <cmath>

#include "engine/solid/primitive_pose.h"
#include "engine/world/ray_shapes.h"

namespace meniscus {
namespace {

void rayOnWalls(const DomainDef& d, const Vec3d& origin, const Vec3d& ray, RayHit& hit) {
  for (int side = 0; side < 6; ++side) {
    const int k = side / 2;
    if (!d.walls[side] || ray[k] == 0) continue;
    const double t = ((side % 2 ? d.max[k] : d.min[k]) - origin[k]) / ray[k];
    if (!(t >= 0 && t < hit.share)) continue;
    const Vec3d x = origin + ray * t;
    bool within = true;
    for (const int i : {(k + 1) % 3, (k + 2) % 3}) within = within && x[i] >= d.min[i] && x[i] <= d.max[i];
    if (!within) continue;
    hit = RayHit{};
    hit.share = t;
    hit.n[k] = ray[k] > 0 ? -1 : 1;
  }
}

void rayOnPrimitives(const SolidState& s, const Vec3d& origin, const Vec3d& ray, RayHit& hit) {
  for (std::size_t k = 0; k < s.rigid.size(); ++k) {
    const RigidBody& b = s.rigid[k];
    if (b.body >= 0) continue;
    const PrimitivePose p = primitivePose(b);
    const Quatd back = p.turn.conjugate();
    double share = hit.share;
    Vec3d n;
    if (!castOnPrimitive(p.shape, back.rotate(origin - b.x), back.rotate(ray), share, n)) continue;
    n = p.turn.rotate(n);
    hit = RayHit{};
    hit.share = share;
    hit.n = dot(n, ray) > 0 ? -n : n;
    hit.rigid = Index(k);
  }
}

Index bodyOfTriangle(const SolidState& s, Index triangle) {
  const auto after =
      std::upper_bound(s.bodies.begin(), s.bodies.end(), triangle, [](Index t, const Body& b) { return t < b.triBegin; });
  return Index(after - s.bodies.begin()) - 1;
}

// Winding number of the body's surface around x: solid angles (van Oosterom & Strackee 1983) over 4 pi.
double winding(const SolidState& s, const Body& b, const Vec3d& x) {
  constexpr double kPi = 3.14159265358979323846;
  double sum = 0;
  for (Index t = b.triBegin; t < b.triEnd; ++t) {
    const Index* v = s.tri.data() + 3 * std::size_t(t);
    const Vec3d p = s.x[std::size_t(v[0])] - x, q = s.x[std::size_t(v[1])] - x, r = s.x[std::size_t(v[2])] - x;
    const double a = norm(p), c = norm(q), d = norm(r);
    sum += 2 * std::atan2(dot(p, cross(q, r)), a * c * d + dot(p, q) * d + dot(p, r) * c + dot(q, r) * a);
  }
  return sum / (4 * kPi);
}

// Is x within the solid matter of a body with a surface? Sheets have none.
bool within(const SolidState& s, const Body& b, const Vec3d& x) {
  if (!b.closed) return false;
  const bool hollow = b.kind == SolidKind::inflatable, container = b.rigid >= 0 && s.rigid[std::size_t(b.rigid)].shape.container;
  return !hollow && (winding(s, b, x) > 0.5) != container;
}

}  // namespace

void Queries::stale() {
  const std::lock_guard<std::mutex> lock(mutex_);
  gridFresh_ = surfacesFresh_ = false;
}

const ParticleGrid& Queries::grid(const World& w) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!gridFresh_) grid_.build(w);
  gridFresh_ = true;
  return grid_;
}

const SurfaceRays& Queries::surfaces(const World& w) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!surfacesFresh_) surfaces_.build(w.solid);
  surfacesFresh_ = true;
  return surfaces_;
}

// Layer by layer of cells along the longest axis of the ray: in each, the cells that a ball on the ray can reach.
void Queries::rayOnParticles(const World& w, const Vec3d& from, const Vec3d& ray, RayHit& hit) {
  const ParticleGrid& cells = grid(w);
  const double radius = 0.5 * w.dx, size = cells.cellSize(), rr = norm2(ray);
  const Vec3d origin = from - w.scene.domain.min, extent = w.scene.domain.max - w.scene.domain.min;
  const Vec3d a{std::fabs(ray.x), std::fabs(ray.y), std::fabs(ray.z)};
  const int k = a.x >= a.y && a.x >= a.z ? 0 : a.y >= a.z ? 1 : 2;
  // the part of the ray that is in the domain, with room for what round-off and open sides let stand out
  double begin = 0, end = hit.share;
  for (int i = 0; i < 3; ++i) {
    const double lo = -size, hi = extent[i] + size;
    if (ray[i] == 0) {
      if (origin[i] < lo || origin[i] > hi) return;
      continue;
    }
    const double t0 = (lo - origin[i]) / ray[i], t1 = (hi - origin[i]) / ray[i];
    begin = std::max(begin, std::min(t0, t1));
    end = std::min(end, std::max(t0, t1));
  }
  const auto test = [&](Index i) {
    const Vec3d r = origin - Vec3d(w.fluid.x[std::size_t(i)].xyz());
    const double b = dot(r, ray), c = norm2(r) - radius * radius, d = b * b - rr * c;
    if (!(d >= 0)) return;
    const double t = c <= 0 ? 0 : (-b - std::sqrt(d)) / rr;  // from inside: at once
    if (!(t >= 0 && t < hit.share)) return;
    hit = RayHit{};
    hit.share = t;
    hit.particle = i;
    hit.n = c <= 0 ? ray * (-1 / std::sqrt(rr)) : normalized(r + ray * t);
  };
  const double step = size / a[k];  // share of the ray in a layer
  for (double t = begin; t <= end && t - radius / a[k] <= hit.share; t += step) {
    const Vec3d p = origin + ray * t, q = origin + ray * std::min(t + step, end), r{radius, radius, radius};
    cells.forEachIn(minOf(p, q) - r, maxOf(p, q) + r, test);
  }
}

bool Queries::rayCast(const World& w, const Vec3d& origin, const Vec3d& ray, bool bodies, bool fluid, RayHit& hit) {
  constexpr double kWhole = 1 + 1e-12;  // the end of the ray belongs to it
  hit = RayHit{};
  hit.share = kWhole;
  if (bodies) {
    rayOnWalls(w.scene.domain, origin, ray, hit);
    rayOnPrimitives(w.solid, origin, ray, hit);
    SurfaceRays::Hit surface;
    if (surfaces(w).cast(w.solid, origin, ray, hit.share, surface)) {
      hit = RayHit{};
      hit.share = surface.share;
      hit.n = surface.n;
      hit.triangle = surface.triangle;
      hit.body = bodyOfTriangle(w.solid, surface.triangle);
      hit.rigid = w.solid.bodies[std::size_t(hit.body)].rigid;
    }
  }
  if (fluid && w.fluid.n > 0) rayOnParticles(w, origin, ray, hit);
  const bool any = hit.share < kWhole;
  hit.share = std::min(hit.share, 1.0);
  return any;
}

void Queries::bodiesIn(const World& w, const Vec3d& center, double radius, std::vector<char>& rigid, std::vector<char>& bodies) {
  const SolidState& s = w.solid;
  rigid.assign(s.rigid.size(), 0);
  bodies.assign(s.bodies.size(), 0);
  for (std::size_t k = 0; k < s.rigid.size(); ++k) {
    const RigidBody& b = s.rigid[k];
    if (b.body >= 0) continue;
    const PrimitivePose p = primitivePose(b);
    PrimitiveFeature<double> f[kMaxPrimitiveFeatures];
    // features nearer than the radius, negative inside
    rigid[k] = primitiveFeatures(p.shape, p.turn.conjugate().rotate(center - b.x), std::nextafter(radius, 2 * radius), f) > 0;
  }
  surfaces(w).forEachIn(s, center, radius, [&](Index t) { bodies[std::size_t(bodyOfTriangle(s, t))] = 1; });
  for (std::size_t k = 0; k < s.bodies.size(); ++k) {
    if (!bodies[k] && within(s, s.bodies[k], center)) bodies[k] = 1;
    if (s.bodies[k].rigid >= 0) rigid[std::size_t(s.bodies[k].rigid)] = bodies[k];
  }
}

void Queries::particlesIn(const World& w, const Vec3d& center, double radius, std::vector<std::uint32_t>& ids) {
  ids.clear();
  if (w.fluid.n == 0) return;
  const Vec3d x = center - w.scene.domain.min, r{radius, radius, radius};
  grid(w).forEachIn(x - r, x + r, [&](Index i) {
    if (norm2(Vec3d(w.fluid.x[std::size_t(i)].xyz()) - x) <= radius * radius) ids.push_back(w.fluid.id[std::size_t(i)]);
  });
  std::sort(ids.begin(), ids.end());
}

}  // namespace meniscus
