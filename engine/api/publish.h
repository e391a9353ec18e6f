// Arrays as callers see them: particles in the order of ascending ids in world coordinates, nodes in single precision. Made on
// demand, once a step.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "engine/base/buffer.h"
#include "engine/exec/device_arrays.h"
#include "engine/output/rigid_surface.h"
#include "engine/world/query.h"
#include "engine/world/world.h"
#include "meniscus/meniscus.h"

namespace meniscus::api {

constexpr int kParticleFields = 9, kBodyFields = 11;

class Published {
 public:
  // The state has changed: views handed out before are stale. Fields that were asked for are made at once, so that reading
  // them costs nothing later.
  void renew(const World& world);
  void renewBodies();                             // only bodies have changed
  void forget();                                  // the scene has no state, or other bodies
  std::uint64_t state() const { return state_; }  // counts the states there were of the particles; from 1

  // Any thread.
  mnsView particles(const World& world, mnsParticleField field);
  mnsView body(const World& world, std::int32_t order, mnsBodyField field);

  // Internal index of each particle, in the order of ids.
  const Buffer<Index>& order(const World& world);

  // Know of every renewal.
  Queries& queries() { return queries_; }

 private:
  struct Array {
    Buffer<char> bytes;
    bool wanted = false, fresh = false;
  };
  const Buffer<Index>& freshOrder(const World& world);
  Array& freshParticles(const World& world, mnsParticleField field);
  Array& freshBody(const World& world, std::int32_t order, mnsBodyField field);
  void staleBodies();
  void sortIds(const World& world);
  template <class T, class Make>
  void each(Buffer<char>& bytes, const Make& make) const;
  void fill(const World& world, mnsParticleField field, Array& a);
  void fillBody(const World& world, std::int32_t order, mnsBodyField field, Array& a);
  void fillSurface(const World& world, const RigidBody& body, std::int32_t order, mnsBodyField field, Array& a);

  Queries queries_;
  std::atomic<std::uint64_t> state_{1};
  std::mutex mutex_;
  Buffer<Index> order_;
  Buffer<Index> placeOfId_;
  std::vector<std::pair<std::uint32_t, Index>> pairs_;
  bool orderFresh_ = false;
  Array particles_[kParticleFields];
  std::vector<Array> bodies_;           // kBodyFields for each solid of the scene
  std::vector<RigidSurface> surfaces_;  // by solid, made when asked for: of those that move as a whole
};

// Bytes of one item.
std::int64_t sizeOf(mnsFormat format);
// Throws Failure(INVALID_ARGUMENT) for what is none.
void needField(mnsParticleField field);
void needField(mnsBodyField field);
mnsFormat formatOf(mnsParticleField field);
mnsFormat formatOf(mnsBodyField field);
// Where the device makes the field itself.
std::optional<DeviceField> onDevice(mnsParticleField field);

// Nodes and triangles of the solid of this order: body is null for primitives without nodes.
struct SolidPlace {
  const Body* body = nullptr;
  Index bodyIndex = -1, rigid = -1;  // into SolidState::bodies and ::rigid
};
SolidPlace placeOf(const World& world, std::int32_t order);

}  // namespace meniscus::api
