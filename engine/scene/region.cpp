#include "engine/scene/region.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/scene/generate.h"

namespace meniscus {

namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double kHuge = 1e30;  // m; bounds of a half-space

double sign(double v) { return v < 0 ? -1 : 1; }

// Local frame: centred boxes, axis z.
double boxDistance(const Vec3d& half, const Vec3d& x, Vec3d* n) {
  const Vec3d q{std::abs(x.x) - half.x, std::abs(x.y) - half.y, std::abs(x.z) - half.z};
  if (q.x <= 0 && q.y <= 0 && q.z <= 0) {
    const int k = q.x >= q.y && q.x >= q.z ? 0 : (q.y >= q.z ? 1 : 2);
    if (n) {
      *n = {};
      (*n)[k] = sign(x[k]);
    }
    return q[k];
  }
  const Vec3d out{std::max(q.x, 0.0), std::max(q.y, 0.0), std::max(q.z, 0.0)};
  const double d = norm(out);
  if (n) *n = Vec3d{out.x * sign(x.x), out.y * sign(x.y), out.z * sign(x.z)} / d;
  return d;
}

double cylinderDistance(double radius, double half, const Vec3d& x, Vec3d* n) {
  const double rho = std::hypot(x.x, x.y), side = rho - radius, cap = std::abs(x.z) - half;
  const Vec3d radial = rho > 0 ? Vec3d{x.x / rho, x.y / rho, 0} : Vec3d{1, 0, 0}, axial{0, 0, sign(x.z)};
  if (side > 0 && cap > 0) {
    const double d = std::hypot(side, cap);
    if (n) *n = (radial * side + axial * cap) / d;
    return d;
  }
  if (n) *n = side > cap ? radial : axial;
  return std::max(side, cap);
}

double capsuleDistance(double radius, double half, const Vec3d& x, Vec3d* n) {
  const Vec3d d{x.x, x.y, x.z - std::max(-half, std::min(half, x.z))};
  const double length = norm(d);
  if (n) *n = length > 0 ? d / length : Vec3d{1, 0, 0};
  return length - radius;
}

Vec3d halfExtent(const ShapeDef& s) {
  switch (s.kind) {
    case ShapeKind::box:
      return s.size * 0.5;
    case ShapeKind::sphere:
      return {s.radius, s.radius, s.radius};
    case ShapeKind::cylinder:
      return {s.radius, s.radius, s.height / 2};
    case ShapeKind::capsule:
      return {s.radius, s.radius, s.height / 2 + s.radius};
    default:
      return {kHuge, kHuge, kHuge};
  }
}

double volumeOf(const ShapeDef& s) {
  const double r = s.radius;
  switch (s.kind) {
    case ShapeKind::box:
      return s.size.x * s.size.y * s.size.z;
    case ShapeKind::sphere:
      return 4.0 / 3 * kPi * r * r * r;
    case ShapeKind::cylinder:
      return kPi * r * r * s.height;
    case ShapeKind::capsule:
      return kPi * r * r * (s.height + 4.0 / 3 * r);
    default:
      return std::numeric_limits<double>::infinity();
  }
}

}  // namespace

Region::Region(const ShapeDef& shape, const Transform& where) : shape_(shape), place_(where), volume_(volumeOf(shape)) {
  const Vec3d h = halfExtent(shape);
  const Mat3d m = place_.rotate.matrix();
  Vec3d reach{kHuge, kHuge, kHuge};
  if (shape.kind == ShapeKind::sphere) {
    reach = h;
  } else if (shape.kind != ShapeKind::plane) {
    for (int k = 0; k < 3; ++k) reach[k] = std::abs(m.r[k].x) * h.x + std::abs(m.r[k].y) * h.y + std::abs(m.r[k].z) * h.z;
  }
  bounds_.lo = place_.translate - reach;
  bounds_.hi = place_.translate + reach;
}

Region::Region(std::shared_ptr<const SurfaceTree> tree, bool closed) : tree_(std::move(tree)), closed_(closed) {
  shape_.kind = ShapeKind::mesh;
  bounds_ = tree_->bounds();
  volume_ = closed ? enclosedVolume(tree_->mesh()) : 0;
}

bool Region::inside(const Vec3d& x) const {
  if (tree_) return closed_ && tree_->winding(x) != 0;
  return distance(x, 0, nullptr) < 0;
}

double Region::distance(const Vec3d& x, double reach, Vec3d* n) const {
  if (tree_) {
    const double side = inside(x) ? -1 : 1;
    const SurfaceTree::Nearest near = tree_->nearest(x, reach);
    if (n && near.triangle < 0) *n = {};
    if (n && near.triangle >= 0) *n = near.distance > 0 ? normalized(x - near.point) * side : tree_->normal(near.triangle);
    return side * (near.triangle < 0 ? reach : near.distance);
  }
  const Vec3d local = place_.rotate.conjugate().rotate(x - place_.translate);
  double d = 0;
  switch (shape_.kind) {
    case ShapeKind::box:
      d = boxDistance(shape_.size * 0.5, local, n);
      break;
    case ShapeKind::sphere:
      d = norm(local) - shape_.radius;
      if (n) *n = norm(local) > 0 ? normalized(local) : Vec3d{1, 0, 0};
      break;
    case ShapeKind::cylinder:
      d = cylinderDistance(shape_.radius, shape_.height / 2, local, n);
      break;
    case ShapeKind::capsule:
      d = capsuleDistance(shape_.radius, shape_.height / 2, local, n);
      break;
    default: {
      const Vec3d normal = normalized(shape_.normal);
      d = dot(local, normal);
      if (n) *n = normal;
    }
  }
  if (n) *n = place_.rotate.rotate(*n);
  return d;
}

bool bakeScale(ShapeDef& shape, Transform& place) {
  const Vec3d s = place.scale;
  const bool uniform = s.x == s.y && s.y == s.z;
  switch (shape.kind) {
    case ShapeKind::mesh:
      return true;
    case ShapeKind::plane:
      break;
    case ShapeKind::box:
    case ShapeKind::sheet:
      shape.size = {shape.size.x * s.x, shape.size.y * s.y, shape.size.z * s.z};
      break;
    case ShapeKind::cylinder:
      if (s.x != s.y) return false;
      shape.radius *= s.x;
      shape.height *= s.z;
      break;
    case ShapeKind::sphere:
    case ShapeKind::capsule:
      if (!uniform) return false;
      shape.radius *= s.x;
      shape.mouth *= s.x;
      shape.height *= s.x;
  }
  place.scale = {1, 1, 1};
  return true;
}

}  // namespace meniscus
