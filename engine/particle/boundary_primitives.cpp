// Domain walls and rigid bodies of analytic shape.
#include <algorithm>
#include <limits>

#include "engine/particle/boundary_impl.h"

namespace meniscus {
namespace {

PrimitiveKind kindOf(ShapeKind k) {
  switch (k) {
    case ShapeKind::box:
      return PrimitiveKind::box;
    case ShapeKind::sphere:
      return PrimitiveKind::sphere;
    case ShapeKind::cylinder:
      return PrimitiveKind::cylinder;
    case ShapeKind::capsule:
      return PrimitiveKind::capsule;
    default:
      return PrimitiveKind::plane;
  }
}

// Radius about the origin within which the solid lies. Planes and containers fill space.
float boundOf(const PrimitiveShape<double>& s) {
  if (s.container) return std::numeric_limits<float>::infinity();
  switch (s.kind) {
    case PrimitiveKind::box:
      return float(norm(s.half));
    case PrimitiveKind::sphere:
      return float(s.radius);
    case PrimitiveKind::cylinder:
      return float(std::hypot(s.radius, s.halfHeight));
    case PrimitiveKind::capsule:
      return float(s.radius + s.halfHeight);
    default:
      return std::numeric_limits<float>::infinity();
  }
}

float thicknessOf(const PrimitiveShape<float>& s) {
  switch (s.kind) {
    case PrimitiveKind::box:
      return 2.f * std::min({s.half.x, s.half.y, s.half.z});
    case PrimitiveKind::cylinder:
      return 2.f * std::min(s.radius, s.halfHeight);
    default:
      return 2.f * s.radius;
  }
}

// Rotation that takes the local z axis to n.
Mat3d frameOf(const Vec3d& n) {
  const Vec3d z = normalized(n);
  const Vec3d x = normalized(cross(std::abs(z.x) < 0.9 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0}, z));
  return Mat3d::columns(x, cross(z, x), z);
}

Primitive wall(const World& world, int side) {
  const Vec3d size = world.scene.domain.max - world.scene.domain.min;
  Vec3d n{}, origin{};
  n[side / 2] = side % 2 ? -1 : 1;
  if (side % 2) origin[side / 2] = size[side / 2];
  Primitive p;
  p.shapeD.kind = p.shape.kind = PrimitiveKind::plane;
  p.start = p.end = {frameOf(n), origin};
  p.friction = float(world.scene.domain.friction);
  p.noSlip = world.scene.domain.noSlip;
  p.wall = true;
  return p;
}

// The plane's normal is given in the body's frame; other shapes have their axes there.
Mat3d shapeFrame(const RigidBody& r) { return r.shape.kind == ShapeKind::plane ? frameOf(r.shape.normal) : Mat3d::identity(); }

Primitive primitiveOf(const RigidBody& r, Index index) {
  Primitive p;
  PrimitiveShape<double>& s = p.shapeD;
  s.kind = kindOf(r.shape.kind);
  s.container = r.shape.container;
  s.half = {0.5 * r.shape.size.x * r.scale.x, 0.5 * r.shape.size.y * r.scale.y, 0.5 * r.shape.size.z * r.scale.z};
  s.radius = r.shape.radius * r.scale.x;
  s.halfHeight = 0.5 * r.shape.height * r.scale.z;
  p.shape = {s.kind, s.container, Vec3f(s.half), float(s.radius), float(s.halfHeight)};
  p.bound = boundOf(s);
  p.owner = r.kinematic ? SurfaceOwner::kinematic : (r.invMass > 0 ? SurfaceOwner::rigid : SurfaceOwner::fixed);
  p.rigid = index;
  p.friction = float(r.material.friction);
  p.noSlip = r.material.noSlip;
  return p;
}

void setStart(Primitive& p) {
  p.rotation = Mat3f(p.start.rotation);
  p.origin = Vec3f(p.start.origin);
}

}  // namespace

std::vector<Primitive> makePrimitives(const World& world, float support) {
  std::vector<Primitive> out;
  for (int side = 0; side < 6; ++side)
    if (world.scene.domain.walls[side]) out.push_back(wall(world, side));
  for (std::size_t i = 0; i < world.solid.rigid.size(); ++i) {
    const RigidBody& r = world.solid.rigid[i];
    if (r.body < 0 && r.shape.kind != ShapeKind::mesh && r.shape.kind != ShapeKind::sheet) out.push_back(primitiveOf(r, Index(i)));
  }
  for (Primitive& p : out) {
    if (p.wall) {
      p.bound = std::numeric_limits<float>::infinity();
      setStart(p);
    } else {
      p.thin = !enclosing(p) && thicknessOf(p.shape) < support;
    }
  }
  placePrimitives(world, out);
  return out;
}

void placePrimitives(const World& world, std::vector<Primitive>& primitives) {
  const Vec3d origin = world.scene.domain.min;
  for (Primitive& p : primitives) {
    if (p.rigid < 0) continue;
    const RigidBody& r = world.solid.rigid[std::size_t(p.rigid)];
    const Mat3d frame = shapeFrame(r);
    p.end = {r.q.matrix() * frame, r.x - origin};
    p.start = p.owner == SurfaceOwner::fixed ? p.end : Pose{r.qPrev.matrix() * frame, r.xPrev - origin};
    setStart(p);
  }
}

int featuresOf(const Primitive& p, const Vec3f& x, float reach, bool end, PrimitiveFeature<float> (&out)[kMaxPrimitiveFeatures]) {
  const Mat3f rotation = end ? Mat3f(p.end.rotation) : p.rotation;
  const Vec3f r = x - (end ? Vec3f(p.end.origin) : p.origin);
  if (p.shape.kind == PrimitiveKind::plane) {
    const Vec3f n = rotation.column(2);
    out[0] = {n, dot(n, r), 1.f};
    return out[0].d < reach;
  }
  const float far = p.bound + reach;
  if (norm2(r) > far * far) return 0;
  const int n = primitiveFeatures(p.shape, rotation.transposed() * r, reach, out);
  for (int k = 0; k < n; ++k) out[k].n = rotation * out[k].n;
  return n;
}

double signedDistance(const Primitive& p, const Vec3d& x, Vec3d& n) {
  PrimitiveFeature<double> f[kMaxPrimitiveFeatures];
  primitiveFeatures(p.shapeD, x, std::numeric_limits<double>::infinity(), f);
  n = f[0].n;
  return f[0].d;
}

// The signed distance to a convex body along a straight path is convex, so golden sections bracket its minimum. It changes by no
// more than the way, which settles most cases at the ends.
bool pathEnters(const Primitive& p, const Vec3d& a, const Vec3d& d, double depth, double& inside) {
  constexpr double golden = 0.6180339887498949;
  const double length = norm(d);
  Vec3d n;
  const auto g = [&](double s) { return signedDistance(p, a + d * s, n); };
  const double g0 = g(0.0);
  if (!(g0 > 0) || g0 + depth > length) return false;
  inside = 1.0;
  const double g1 = g(1.0);
  if (g1 < -depth) return true;
  if (g0 + g1 + 2 * depth > length) return false;
  double lo = 0, hi = 1, s1 = 1 - golden, s2 = golden, v1 = g(s1), v2 = g(s2);
  for (int i = 0; i < 60; ++i) {
    inside = v1 < v2 ? s1 : s2;
    if (std::min(v1, v2) < -depth) return true;
    if (v1 < v2) {
      hi = s2;
      s2 = s1;
      v2 = v1;
      s1 = hi - golden * (hi - lo);
      v1 = g(s1);
    } else {
      lo = s1;
      s1 = s2;
      v1 = v2;
      s2 = lo + golden * (hi - lo);
      v2 = g(s2);
    }
  }
  return false;
}

}  // namespace meniscus
