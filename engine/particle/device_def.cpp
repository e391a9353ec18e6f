#include "engine/particle/device_def.h"

#include <algorithm>
#include <cstring>

#include "engine/particle/boundary_impl.h"
#include "engine/particle/without_fluid.h"
#include "kernels/contact/surface_set.h"

namespace meniscus {
namespace {

void copy3(const Vec3d& from, double (&to)[3]) {
  for (int k = 0; k < 3; ++k) to[k] = from[k];
}

void append(std::vector<double>& key, const Vec3d& v) { key.insert(key.end(), {v.x, v.y, v.z}); }

float supportOf(const World& w) { return float(w.scene.solver.support * w.dx); }

bool moves(const RigidBody& r) { return r.kinematic || r.invMass > 0; }
bool moves(const SolidState& s, const Body& b) { return b.rigid >= 0 && moves(s.rigid[std::size_t(b.rigid)]); }
bool deforms(const Body& b) { return b.rigid < 0 && b.nodeEnd > b.nodeBegin; }

void copy9(const Mat3d& from, double (&to)[9]) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) to[3 * i + j] = from.r[i][j];
}

DevicePrimitive deviceOf(const World& w, const Primitive& p) {
  DevicePrimitive d;
  std::memset(&d, 0, sizeof d);
  d.kind = int(p.shapeD.kind);
  d.container = p.shapeD.container;
  d.thin = p.thin;
  copy3(p.shapeD.half, d.half);
  d.radius = p.shapeD.radius;
  d.halfHeight = p.shapeD.halfHeight;
  d.bound = double(p.bound);
  copy9(p.start.rotation, d.rotation);
  copy3(p.start.origin, d.origin);
  d.material = {double(p.friction), p.noSlip, p.rigid};
  if (p.rigid < 0) return d;
  // only planes have a frame of their own
  const bool plane = p.shapeD.kind == PrimitiveKind::plane;
  copy9(plane ? w.solid.rigid[std::size_t(p.rigid)].q.matrix().transposed() * p.end.rotation : Mat3d::identity(), d.frame);
  return d;
}

}  // namespace

std::vector<double> DeviceSurfaceTables::keyOf(const World& w) {
  const SolidState& s = w.solid;
  std::vector<double> key{double(s.bodies.size()), double(s.rigid.size())};
  key.reserve(3 * s.x.size() + s.tri.size() + 64);
  for (const Body& b : s.bodies)
    for (Index i = b.nodeBegin; i < b.nodeEnd; ++i) append(key, moves(s, b) || deforms(b) ? s.xRest[i] : s.x[i]);
  for (const Index n : s.tri) key.push_back(n);
  for (const Body& b : s.bodies)
    key.insert(key.end(), {double(b.triBegin), double(b.triEnd), double(b.closed), double(b.twoSided), double(b.rigid),
                           b.material.friction, double(b.material.noSlip)});
  for (const RigidBody& r : s.rigid) {
    const ShapeDef& shape = r.shape;
    key.insert(key.end(), {double(shape.kind), double(shape.container), shape.radius, shape.height, r.material.friction,
                           double(r.material.noSlip), double(r.body), double(moves(r))});
    for (const Vec3d& v : {shape.size, shape.normal, r.scale}) append(key, v);
    if (moves(r)) continue;
    append(key, r.x);
    key.insert(key.end(), {r.q.w, r.q.x, r.q.y, r.q.z});
  }
  append(key, w.scene.domain.min);
  append(key, w.scene.domain.max);
  for (const bool wall : w.scene.domain.walls) key.push_back(wall);
  key.insert(key.end(), {w.scene.domain.friction, double(w.scene.domain.noSlip), w.scene.solver.support, w.dx});
  return key;
}

DeviceSurfaceTables::DeviceSurfaceTables(const World& w) : key_(keyOf(w)) {
  const SolidState& s = w.solid;
  if (s.bodies.empty() && s.rigid.empty()) return;
  boundary_ = std::make_shared<const Boundary>(w, supportOf(w), float(w.scene.solver.contactDistance * w.dx));
  const Boundary::Impl& im = boundary_->impl();
  for (const Constraint& c : s.constraints.items)
    if (c.type == ConstraintType::distance) edgeNode_.insert(edgeNode_.end(), {c.node[0], c.node[1]});
  for (const Vec3d& x : s.x) append(node_, x - w.scene.domain.min);
  for (const Vec3d& x : s.xRest) append(rest_, x);
  rigidOfNode_.assign(s.x.size(), -1);
  for (const Body& b : s.bodies) {
    if (moves(s, b) || deforms(b))
      std::fill(rigidOfNode_.begin() + b.nodeBegin, rigidOfNode_.begin() + b.nodeEnd, deforms(b) ? kOfNodes : b.rigid);
    deforming_ |= deforms(b);
    skins_ |= deforms(b) && b.kind == SolidKind::inflatable;
  }
  moving_ = free_ = deforming_;
  rigids_ = std::int32_t(s.rigid.size());
  for (const RigidBody& r : s.rigid) {
    moving_ |= moves(r);
    free_ |= r.invMass > 0;
  }
  const TriangleSet& t = im.triangles;
  for (Index i = 0; i < t.count; ++i) {
    const std::size_t k = std::size_t(i);
    const TriangleTopology& topo = t.topology[k];
    DeviceTriangle d{{}, {}, {}, topo.owns, t.body[k], t.separates[k], t.start.tri[k].a.w};
    for (int v = 0; v < 3; ++v) {
      d.node[v] = topo.node[v];
      d.across[v] = topo.across[v];
      d.acrossTri[v] = topo.acrossTri[v];
    }
    triangle_.push_back(d);
  }
  ringBegin_.assign(t.ringBegin.begin(), t.ringBegin.end());
  ring_.assign(t.ring.begin(), t.ring.end());
  for (const SurfaceInfo& b : im.bodySurface)
    body_.push_back({double(b.friction), b.noSlip, b.owner == SurfaceOwner::nodes ? kOfNodes : b.rigid});
  for (const Primitive& p : im.primitives) primitive_.push_back(deviceOf(w, p));
  walls_ = std::int32_t(im.walls);
}

DeviceSurfaceDef DeviceSurfaceTables::view() const {
  return {std::int32_t(node_.size() / 3),
          std::int32_t(triangle_.size()),
          std::int32_t(body_.size()),
          std::int32_t(primitive_.size()),
          walls_,
          rigids_,
          moving_,
          free_,
          deforming_,
          skins_,
          node_.data(),
          rest_.data(),
          rigidOfNode_.data(),
          triangle_.data(),
          ringBegin_.data(),
          ring_.data(),
          body_.data(),
          primitive_.data(),
          std::int32_t(edgeNode_.size() / 2),
          edgeNode_.data()};
}

DeviceDef::DeviceDef(const World& w, const DeviceDef* before) {
  std::memset(static_cast<void*>(&plain_), 0, sizeof plain_);  // padding as well: it is compared
  const SceneDef& s = w.scene;
  copy3(s.domain.max - s.domain.min, plain_.extent);
  copy3(s.gravity, plain_.gravity);
  int walls = 0;
  for (int k = 0; k < 6; ++k) plain_.wall[k] = s.domain.walls[k] ? walls++ : -1;
  plain_.wallFriction = double(float(s.domain.friction));
  plain_.wallNoSlip = s.domain.noSlip;
  plain_.spacing = w.dx;
  plain_.support = s.solver.support * w.dx;
  plain_.contactDistance = s.solver.contactDistance * w.dx;
  plain_.particleVolume = w.particleVolume;
  plain_.cfl = s.solver.cfl;
  plain_.maxSubsteps = s.solver.maxSubsteps;
  plain_.askedSubsteps = askedSubsteps(s);
  plain_.tolerance = s.solver.tolerance;
  plain_.maxIterations = s.solver.maxIterations;
  plain_.densityCorrection = s.solver.densityCorrection;
  plain_.highPass = s.solver.highPass;
  plain_.xsph = s.solver.xsph;
  plain_.clampSeparation = s.solver.clampSeparation;
  plain_.kernelDiagonal = s.solver.pressure == PressureMode::kernelDiagonal;
  for (const FluidDef& f : s.fluids) {
    density_.push_back(f.density);
    viscosity_.push_back(f.viscosity);
  }
  if (s.fluids.empty()) {
    density_.push_back(kDensityWithoutFluid);
    viscosity_.push_back(0);
  }
  plain_.openings = !s.emitters.empty() || !s.drains.empty();
  if (plain_.openings) plain_.capacity = w.fluid.capacity;
  plain_.kinds = int(density_.size());
  if (before && before->surfaces_->key() == DeviceSurfaceTables::keyOf(w))
    surfaces_ = before->surfaces_;
  else
    surfaces_ = std::make_shared<const DeviceSurfaceTables>(w);
}

bool DeviceDef::same(const DeviceDef& o) const {
  return std::memcmp(&plain_, &o.plain_, sizeof plain_) == 0 && density_ == o.density_ && viscosity_ == o.viscosity_ &&
         surfaces_ == o.surfaces_;
}

DeviceFluidDef DeviceDef::view() const {
  DeviceFluidDef d = plain_;
  d.density = density_.data();
  d.viscosity = viscosity_.data();
  d.surfaces = surfaces_->view();
  return d;
}

}  // namespace meniscus
