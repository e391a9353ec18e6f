#include "engine/api/publish.h"

#include <algorithm>
#include <cstring>

#include "engine/api/call.h"
#include "engine/solid/strain.h"
#include "kernels/fluid/array_fields.h"

namespace meniscus::api {
namespace {

mnsView viewOf(const char* bytes, mnsFormat format, std::int64_t count) {
  mnsView v = mnsHostView(bytes, format, count);
  v.stride = sizeOf(format);
  return v;
}

// Calls f(constraint, colour) for those of the body, colour by colour; -1 are those that are solved one after the other.
template <class F>
void forEachConstraint(const SolidState& s, Index body, const F& f) {
  const ConstraintSet& c = s.constraints;
  std::size_t colour = 0;
  for (std::size_t k = 0; k < c.items.size(); ++k) {
    while (colour + 1 < c.colourBegin.size() && Index(k) >= c.colourBegin[colour + 1]) ++colour;
    if (Index(c.items[k].body) == body) f(c.items[k], Index(k) < c.serialBegin ? std::int32_t(colour) : -1);
  }
}

void constraintNodes(const SolidState& s, Index body, Index nodeBegin, Buffer<char>& bytes) {
  std::size_t n = 0;
  forEachConstraint(s, body, [&](const Constraint&, std::int32_t) { ++n; });
  bytes.resizeUninitialized(n * 4 * sizeof(std::int32_t));
  auto* out = reinterpret_cast<std::int32_t*>(bytes.data());
  forEachConstraint(s, body, [&](const Constraint& c, std::int32_t) {
    for (const Index node : c.node) *out++ = node < 0 ? -1 : std::int32_t(node - nodeBegin);
  });
}

void constraintColours(const SolidState& s, Index body, Buffer<char>& bytes) {
  std::size_t n = 0;
  forEachConstraint(s, body, [&](const Constraint&, std::int32_t) { ++n; });
  bytes.resizeUninitialized(n * sizeof(std::int32_t));
  auto* out = reinterpret_cast<std::int32_t*>(bytes.data());
  forEachConstraint(s, body, [&](const Constraint&, std::int32_t colour) { *out++ = colour; });
}

void nodeNormals(const SolidState& s, const Body& b, Vec4f* out) {
  const std::size_t n = std::size_t(b.nodeEnd - b.nodeBegin);
  std::vector<Vec3d> sum(n);
  for (Index t = b.triBegin; t < b.triEnd; ++t) {
    const Index* v = s.tri.data() + 3 * std::size_t(t);
    const Vec3d a = cross(s.x[v[1]] - s.x[v[0]], s.x[v[2]] - s.x[v[0]]);
    for (int k = 0; k < 3; ++k) sum[std::size_t(v[k] - b.nodeBegin)] += a;
  }
  for (std::size_t i = 0; i < n; ++i) {
    const double l = norm(sum[i]);
    const Vec3d m = l > 0 ? sum[i] * (1 / l) : Vec3d{};
    out[i] = {float(m.x), float(m.y), float(m.z), 0};
  }
}

}  // namespace

mnsFormat formatOf(mnsParticleField field) {
  switch (field) {
    case MNS_PARTICLE_POSITION:
    case MNS_PARTICLE_VELOCITY:
    case MNS_PARTICLE_VORTICITY:
      return MNS_FORMAT_FLOAT4;
    case MNS_PARTICLE_ID:
      return MNS_FORMAT_UINT32;
    case MNS_PARTICLE_FLUID:
      return MNS_FORMAT_INT32;
    case MNS_PARTICLE_LEAKED:
      return MNS_FORMAT_UINT8;
    default:
      return MNS_FORMAT_FLOAT;
  }
}

mnsFormat formatOf(mnsBodyField field) {
  switch (field) {
    case MNS_BODY_TRIANGLES:
    case MNS_SURFACE_TRIANGLES:
      return MNS_FORMAT_INT32X3;
    case MNS_BODY_TETRAHEDRA:
    case MNS_BODY_CONSTRAINTS:
      return MNS_FORMAT_INT32X4;
    case MNS_BODY_CONSTRAINT_COLOUR:
      return MNS_FORMAT_INT32;
    case MNS_NODE_STRETCH:
      return MNS_FORMAT_FLOAT;
    default:
      return MNS_FORMAT_FLOAT4;
  }
}

void needField(mnsParticleField field) {
  if (int(field) < 0 || int(field) >= kParticleFields) fail(MNS_ERROR_INVALID_ARGUMENT, "{} is no field of particles", int(field));
}

void needField(mnsBodyField field) {
  if (int(field) < 0 || int(field) >= kBodyFields) fail(MNS_ERROR_INVALID_ARGUMENT, "{} is no field of bodies", int(field));
}

std::optional<DeviceField> onDevice(mnsParticleField field) {
  switch (field) {
    case MNS_PARTICLE_POSITION:
      return DeviceField::position;
    case MNS_PARTICLE_VELOCITY:
      return DeviceField::velocity;
    case MNS_PARTICLE_PRESSURE:
      return DeviceField::pressure;
    case MNS_PARTICLE_DENSITY_ERROR:
      return DeviceField::densityError;
    case MNS_PARTICLE_DEFICIENCY:
      return DeviceField::deficiency;
    case MNS_PARTICLE_ID:
      return DeviceField::id;
    case MNS_PARTICLE_FLUID:
      return DeviceField::fluid;
    case MNS_PARTICLE_LEAKED:
      return DeviceField::leaked;
    case MNS_PARTICLE_VORTICITY:
      return {};
  }
  return {};
}

std::int64_t sizeOf(mnsFormat format) {
  switch (format) {
    case MNS_FORMAT_FLOAT:
    case MNS_FORMAT_UINT32:
    case MNS_FORMAT_INT32:
      return 4;
    case MNS_FORMAT_FLOAT3:
    case MNS_FORMAT_INT32X3:
      return 12;
    case MNS_FORMAT_FLOAT4:
    case MNS_FORMAT_INT32X4:
      return 16;
    case MNS_FORMAT_UINT8:
      return 1;
  }
  return 0;
}

SolidPlace placeOf(const World& w, std::int32_t order) {
  const SolidDef& def = w.scene.solids[std::size_t(order)];
  SolidPlace p;
  for (std::size_t k = 0; k < w.solid.rigid.size(); ++k)
    if (w.solid.rigid[k].name == def.name) p.rigid = Index(k);
  for (std::size_t k = 0; k < w.solid.bodies.size(); ++k)
    if (w.solid.bodies[k].name == def.name) p.bodyIndex = Index(k);
  if (p.bodyIndex >= 0) p.body = &w.solid.bodies[std::size_t(p.bodyIndex)];
  return p;
}

// Ids are dense as long as few particles were removed: each then has its own place in a table. Otherwise they are sorted.
void Published::sortIds(const World& w) {
  const FluidState& f = w.fluid;
  const std::size_t n = std::size_t(f.n);
  order_.resizeUninitialized(n);
  if (n == 0) return;
  const auto [lo, hi] = std::minmax_element(f.id.begin(), f.id.begin() + f.n);
  const std::size_t span = std::size_t(*hi - *lo) + 1;
  if (span <= 8 * n + 1024) {
    placeOfId_.assign(span, -1);
    for (Index i = 0; i < f.n; ++i) placeOfId_[f.id[i] - *lo] = i;
    std::size_t k = 0;
    for (std::size_t id = 0; id < span; ++id)
      if (placeOfId_[id] >= 0) order_[k++] = placeOfId_[id];
    return;
  }
  pairs_.resize(n);
  for (std::size_t i = 0; i < n; ++i) pairs_[i] = {f.id[i], Index(i)};
  std::sort(pairs_.begin(), pairs_.end());
  for (std::size_t i = 0; i < n; ++i) order_[i] = pairs_[i].second;
}

// Makes room for an item a particle in `bytes`, and runs the kernel that make(items) gives.
template <class T, class Make>
void Published::each(Buffer<char>& bytes, const Make& make) const {
  bytes.resizeUninitialized(order_.size() * sizeof(T));
  const auto body = make(reinterpret_cast<T*>(bytes.data()));
  for (std::size_t k = 0; k < order_.size(); ++k) body(Index(k));
}

void Published::fill(const World& w, mnsParticleField field, Array& a) {
  const FluidState& f = w.fluid;
  const Vec3d o = w.scene.domain.min;
  switch (field) {
    case MNS_PARTICLE_POSITION: {
      float inverseMass[256] = {};
      for (std::size_t k = 0; k < w.scene.fluids.size() && k < 256; ++k)
        inverseMass[k] = float(1 / (w.scene.fluids[k].density * w.particleVolume));
      return each<Vec4f>(a.bytes, [&](Vec4f* out) {
        return WorldPositions{order_.data(), f.x.data(), f.kind.data(), inverseMass, o.x, o.y, o.z, out};
      });
    }
    case MNS_PARTICLE_VELOCITY:
      return each<Vec4f>(a.bytes, [&](Vec4f* out) { return PlainVelocities{order_.data(), f.u.data(), out}; });
    case MNS_PARTICLE_PRESSURE:
      return each<float>(a.bytes, [&](float* out) { return InOrder<float>{order_.data(), f.p.data(), out}; });
    case MNS_PARTICLE_DENSITY_ERROR:
      return each<float>(a.bytes, [&](float* out) { return InOrder<float>{order_.data(), f.e.data(), out}; });
    case MNS_PARTICLE_DEFICIENCY:
      return each<float>(a.bytes, [&](float* out) { return InOrder<float>{order_.data(), f.deficiency.data(), out}; });
    case MNS_PARTICLE_ID:
      return each<std::uint32_t>(a.bytes, [&](std::uint32_t* out) {
        return InOrder<std::uint32_t>{order_.data(), f.id.data(), out};
      });
    case MNS_PARTICLE_FLUID:
      return each<std::int32_t>(a.bytes, [&](std::int32_t* out) { return FluidNumbers{order_.data(), f.kind.data(), out}; });
    case MNS_PARTICLE_LEAKED:
      return each<std::uint8_t>(a.bytes, [&](std::uint8_t* out) {
        return InOrder<std::uint8_t>{order_.data(), f.leaked.data(), out};
      });
    case MNS_PARTICLE_VORTICITY:
      a.bytes.resizeUninitialized(order_.size() * sizeof(Vec4f));
      return queries_.vorticity(w, order_, reinterpret_cast<Vec4f*>(a.bytes.data()));
  }
}

void Published::fillSurface(const World& w, const RigidBody& r, std::int32_t order, mnsBodyField field, Array& a) {
  surfaces_.resize(w.scene.solids.size());
  RigidSurface& s = surfaces_[std::size_t(order)];
  if (s.tri.empty()) s = rigidSurface(w, r);
  if (field == MNS_SURFACE_TRIANGLES) {
    a.bytes.resizeUninitialized(s.tri.size() * sizeof(std::int32_t));
    if (!s.tri.empty()) std::memcpy(a.bytes.data(), s.tri.data(), s.tri.size() * sizeof(std::int32_t));
    return;
  }
  a.bytes.resizeUninitialized(s.x.size() * sizeof(Vec4f));
  Vec4f* out = reinterpret_cast<Vec4f*>(a.bytes.data());
  for (std::size_t i = 0; i < s.x.size(); ++i) {
    const Vec3d v = field == MNS_SURFACE_NORMAL ? r.q.rotate(s.n[i]) : r.x + r.q.rotate(s.x[i]);
    out[i] = {float(v.x), float(v.y), float(v.z), 0};
  }
}

void Published::fillBody(const World& w, std::int32_t order, mnsBodyField field, Array& a) {
  const SolidState& s = w.solid;
  const SolidPlace place = placeOf(w, order);
  const Body* b = place.body;
  if (field >= MNS_SURFACE_POSITION) {
    if (place.rigid >= 0) return fillSurface(w, s.rigid[std::size_t(place.rigid)], order, field, a);
    // nodes of a deformable body are the points of its surface
    constexpr mnsBodyField same[] = {MNS_NODE_POSITION, MNS_NODE_NORMAL, MNS_BODY_TRIANGLES};
    field = same[field - MNS_SURFACE_POSITION];
  }
  if (!b) return a.bytes.clear();
  const std::size_t n = std::size_t(b->nodeEnd - b->nodeBegin), first = std::size_t(b->nodeBegin);
  const auto indices = [&](const Buffer<Index>& from, Index begin, Index end, std::size_t each) {
    a.bytes.resizeUninitialized(std::size_t(end - begin) * each * sizeof(std::int32_t));
    auto* out = reinterpret_cast<std::int32_t*>(a.bytes.data());
    for (std::size_t k = 0; k < std::size_t(end - begin) * each; ++k)
      out[k] = std::int32_t(from[each * std::size_t(begin) + k] - b->nodeBegin);
  };
  if (field == MNS_BODY_TRIANGLES) return indices(s.tri, b->triBegin, b->triEnd, 3);
  if (field == MNS_BODY_TETRAHEDRA) return indices(s.tet, b->tetBegin, b->tetEnd, 4);
  if (field == MNS_BODY_CONSTRAINTS) return constraintNodes(s, place.bodyIndex, b->nodeBegin, a.bytes);
  if (field == MNS_BODY_CONSTRAINT_COLOUR) return constraintColours(s, place.bodyIndex, a.bytes);
  if (field == MNS_NODE_STRETCH) {
    if (b->rigid >= 0) return a.bytes.clear();
    a.bytes.resizeUninitialized(n * sizeof(float));
    return nodeStretch(s, *b, reinterpret_cast<float*>(a.bytes.data()));
  }
  a.bytes.resizeUninitialized(n * sizeof(Vec4f));
  Vec4f* out = reinterpret_cast<Vec4f*>(a.bytes.data());
  if (field == MNS_NODE_NORMAL) return nodeNormals(s, *b, out);
  for (std::size_t i = 0; i < n; ++i) {
    const bool positions = field == MNS_NODE_POSITION;
    const Vec3d& v = positions ? s.x[first + i] : s.v[first + i];
    out[i] = {float(v.x), float(v.y), float(v.z), positions ? float(s.w[first + i]) : 0.f};
  }
}

// Fresh is what has been made, not what is being made: where memory runs out on the way, the next call makes it anew.
const Buffer<Index>& Published::freshOrder(const World& w) {
  if (!orderFresh_) sortIds(w);
  orderFresh_ = true;
  return order_;
}

Published::Array& Published::freshParticles(const World& w, mnsParticleField field) {
  freshOrder(w);
  Array& a = particles_[int(field)];
  if (!a.fresh) fill(w, field, a);
  a.fresh = true;
  return a;
}

Published::Array& Published::freshBody(const World& w, std::int32_t order, mnsBodyField field) {
  Array& a = bodies_[std::size_t(order) * kBodyFields + std::size_t(field)];
  if (!a.fresh) fillBody(w, order, field, a);
  a.fresh = true;
  return a;
}

void Published::staleBodies() {
  for (std::size_t k = 0; k < bodies_.size(); ++k)
    if (const auto field = mnsBodyField(k % kBodyFields); field < MNS_BODY_TRIANGLES || field == MNS_NODE_STRETCH ||
                                                          field == MNS_SURFACE_POSITION ||
                                                          field == MNS_SURFACE_NORMAL)  // others stay as long as the body does
      bodies_[k].fresh = false;
}

void Published::renewBodies() {
  std::lock_guard<std::mutex> lock(mutex_);
  staleBodies();
}

void Published::renew(const World& w) {
  ++state_;
  queries_.stale();
  std::lock_guard<std::mutex> lock(mutex_);
  orderFresh_ = false;
  for (Array& a : particles_) a.fresh = false;
  staleBodies();
  for (int k = 0; k < kParticleFields; ++k)
    if (particles_[k].wanted) freshParticles(w, mnsParticleField(k));
  for (std::size_t k = 0; k < bodies_.size(); ++k)
    if (bodies_[k].wanted) freshBody(w, std::int32_t(k / kBodyFields), mnsBodyField(k % kBodyFields));
}

void Published::forget() {
  ++state_;
  queries_.stale();
  std::lock_guard<std::mutex> lock(mutex_);
  orderFresh_ = false;
  for (Array& a : particles_) a.fresh = a.wanted = false;
  bodies_.clear();
  surfaces_.clear();
}

mnsView Published::particles(const World& w, mnsParticleField field) {
  std::lock_guard<std::mutex> lock(mutex_);
  needField(field);
  Array& a = freshParticles(w, field);
  a.wanted = true;
  return viewOf(a.bytes.data(), formatOf(field), w.fluid.n);
}

mnsView Published::body(const World& w, std::int32_t order, mnsBodyField field) {
  std::lock_guard<std::mutex> lock(mutex_);
  needField(field);
  if (bodies_.size() < std::size_t(kBodyFields) * w.scene.solids.size())
    bodies_.resize(std::size_t(kBodyFields) * w.scene.solids.size());
  Array& a = freshBody(w, order, field);
  a.wanted = true;
  const mnsFormat format = formatOf(field);
  return viewOf(a.bytes.data(), format, std::int64_t(a.bytes.size()) / sizeOf(format));
}

const Buffer<Index>& Published::order(const World& w) {
  std::lock_guard<std::mutex> lock(mutex_);
  return freshOrder(w);
}

}  // namespace meniscus::api
