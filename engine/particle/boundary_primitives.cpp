// Domain walls and rigid bodies of analytic shape.
#include <algorithm>
#include <limits>

#include "engine/particle/boundary_impl.h"

namespace meniscus {
namespace {

PrimitiveKind kindOf(ShapeKind k) {
  switch (k) {
    case ShapeKind::box: return PrimitiveKind::box;
    case ShapeKind::sphere: return PrimitiveKind::sphere;
    case ShapeKind::cylinder: return PrimitiveKind::cylinder;
    case ShapeKind::capsule: return PrimitiveKind::capsule;
    default: return PrimitiveKind::plane;
  }
}

// Radius about the origin within which the solid lies. Planes and containers fill space.
float boundOf(const PrimitiveShape<double>& s) {
  if (s.container) return std::numeric_limits<float>::infinity();
  switch (s.kind) {
    case PrimitiveKind::box: return float(norm(s.half));
    case PrimitiveKind::sphere: return float(s.radius);
    case PrimitiveKind::cylinder: return float(std::hypot(s.radius, s.halfHeight));
    case PrimitiveKind::capsule: return float(s.radius + s.halfHeight);
    default: return std::numeric_limits<float>::infinity();
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

std::vector<Primitive> makePrimitives(const World& world) {
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

}  // namespace meniscus
