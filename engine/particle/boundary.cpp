// Boundary: set-up, the reading of the solids at the start of a sub-step, queries on what was found.
#include "engine/particle/boundary.h"

#include <algorithm>

#include "engine/particle/boundary_impl.h"

namespace meniscus {
namespace {

SurfaceOwner ownerOf(const Body& b) {
  switch (b.kind) {
    case SolidKind::fixed:
      return SurfaceOwner::fixed;
    case SolidKind::kinematic:
      return SurfaceOwner::kinematic;
    case SolidKind::rigid:
      return SurfaceOwner::rigid;
    default:
      return SurfaceOwner::nodes;
  }
}

// Still surfaces are listed once with room to spare, so that a changing margin seldom lists them again.
constexpr float kStillSlack = 0.5f;  // of the support

}  // namespace

Boundary::Boundary(const World& world, float support, float contactDistance) : impl_(std::make_unique<Impl>()) {
  Impl& im = *impl_;
  im.support = support;
  im.contact = contactDistance;
  im.origin = world.scene.domain.min;
  im.extent = Vec3f(world.scene.domain.max - world.scene.domain.min);
  im.roundoff = 2e-6f * std::max({im.extent.x, im.extent.y, im.extent.z});
  im.triangles.build(world, support);
  im.primitives = makePrimitives(world, support);
  for (int k = 0; k < 3; ++k) {
    im.wallMin[k] = world.scene.domain.walls[2 * k] ? 0.f : -std::numeric_limits<float>::infinity();
    im.wallMax[k] = world.scene.domain.walls[2 * k + 1] ? im.extent[k] : std::numeric_limits<float>::infinity();
  }
  for (int side = 0; side < 6; ++side)
    if (world.scene.domain.walls[side]) im.wallOfSide[side] = im.walls++;
  for (const Primitive& p : im.primitives) { im.anyThinPrimitive |= p.thin; }
  im.separating = im.triangles.anySeparating || im.anyThinPrimitive;
  for (const Body& b : world.solid.bodies)
    im.bodySurface.push_back(
        {ownerOf(b), b.twoSided || !b.closed, b.rigid, {-1, -1, -1}, float(b.material.friction), b.material.noSlip});
  im.readMotion(world);
}

Boundary::~Boundary() = default;

void Boundary::update(Exec& exec, const World& world, const CellGrid& grid, float margin) {
  Impl& im = *impl_;
  TriangleSet& t = im.triangles;
  const bool first = im.grid == nullptr;
  const bool gridChanged = first || im.cellSize != grid.size ||
                           !(im.cellDim.x == grid.dim.x && im.cellDim.y == grid.dim.y && im.cellDim.z == grid.dim.z);
  im.grid = &grid;
  im.cellSize = grid.size;
  im.cellDim = grid.dim;
  if (first) {
    t.place(exec, world, world.solid.x, t.start, true);
    t.end = t.start;
    t.findSlopes(exec, t.still);
  }
  t.place(exec, world, world.solid.xPrev, t.start, false);
  t.findSlopes(exec, t.moving);
  placePrimitives(world, im.primitives);
  im.readMotion(world);
  const float reach = im.support + std::max(margin, 0.f);
  if (gridChanged || t.stillLists.reach() < reach)
    t.stillLists.build(exec, "list still triangles", grid, t.start, t.still, std::max(reach, (1.f + kStillSlack) * im.support),
                       true);
  t.movingLists.build(exec, "list moving triangles", grid, t.start, t.moving, reach, false);
}

View<const Index> Boundary::nearIndex() const { return std::as_const(impl_->table.nearIndex).view(); }
View<const Index> Boundary::nearParticle() const { return std::as_const(impl_->table.nearParticle).view(); }
View<const std::uint8_t> Boundary::featureCount() const { return std::as_const(impl_->table.count).view(); }
View<const Index> Boundary::slotBegin() const { return std::as_const(impl_->table.slotBegin).view(); }
View<const Feature> Boundary::features() const { return std::as_const(impl_->table.features).view(); }
Index Boundary::leakedInLastStep() const { return impl_->leaked; }
const std::vector<GivenImpulse>& Boundary::contactsOnGiven() const { return impl_->stage.given; }

SurfaceInfo Boundary::surface(std::int32_t s) const {
  const Impl& im = *impl_;
  if (s >= 0) {
    SurfaceInfo info = im.bodySurface[std::size_t(im.triangles.body[std::size_t(s)])];
    info.body = im.triangles.body[std::size_t(s)];
    for (int k = 0; k < 3; ++k) info.node[k] = im.triangles.topology[std::size_t(s)].node[k];
    return info;
  }
  const Primitive& p = im.primitives[std::size_t(-1 - s)];
  return {p.owner, false, p.rigid, {-1, -1, -1}, p.friction, p.noSlip};
}

Vec3f Boundary::surfaceVelocity(std::int32_t s, const Vec3f& c) const {
  const std::int32_t rigid = surface(s).rigid;
  if (rigid < 0) return {};
  const RigidMotion& m = impl_->rigidMotion[std::size_t(rigid)];
  return Vec3f(m.v + cross(m.omega, Vec3d(c) - m.x));
}

double Boundary::maxSurfaceSpeed(const World& world) const {
  const Impl& m = *impl_;
  const SolidState& s = world.solid;
  double v2 = 0;
  for (const Index n : m.triangles.movingNodes) v2 = std::max(v2, norm2(s.v[std::size_t(n)]));
  double fastest = std::sqrt(v2);
  const double domain = norm(Vec3d(m.extent));
  for (const Primitive& p : m.primitives) {
    if (p.rigid < 0) continue;
    const RigidBody& r = s.rigid[std::size_t(p.rigid)];
    fastest = std::max(fastest, norm(r.v) + norm(r.omega) * std::min(double(p.bound), domain));
  }
  return fastest;
}

void Boundary::Impl::readMotion(const World& world) {
  const SolidState& s = world.solid;
  rigidMotion.resize(s.rigid.size());
  for (std::size_t i = 0; i < s.rigid.size(); ++i) rigidMotion[i] = {s.rigid[i].v, s.rigid[i].omega, s.rigid[i].xPrev - origin};
}

std::size_t Boundary::bytes() const {
  const FeatureTable& t = impl_->table;
  return impl_->triangles.bytes() + impl_->primitives.capacity() * sizeof(Primitive) + t.nearIndex.capacityBytes() +
         t.nearParticle.capacityBytes() + t.count.capacityBytes() + t.features.capacityBytes() + t.slotBegin.capacityBytes() +
         t.triangleDistance.capacityBytes() + t.sheetDistance.capacityBytes() + t.x.capacityBytes() +
         t.blockFeatures.capacityBytes() + t.blockFeatureCount.capacityBytes() + t.blockParticle.capacityBytes();
}

double windingNumber(const SolidState& s, Index triBegin, Index triEnd, const Vec3d& x) {
  double angle = 0;
  for (Index t = triBegin; t < triEnd; ++t) {
    const Vec3d a = s.x[std::size_t(s.tri[std::size_t(3 * t)])] - x, b = s.x[std::size_t(s.tri[std::size_t(3 * t + 1)])] - x,
                c = s.x[std::size_t(s.tri[std::size_t(3 * t + 2)])] - x;
    const double la = norm(a), lb = norm(b), lc = norm(c);
    angle += std::atan2(dot(a, cross(b, c)), la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
  }
  return angle / 6.283185307179586;  // each term is half the solid angle, the whole sphere 4 pi
}

}  // namespace meniscus
