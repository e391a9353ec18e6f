#include "engine/particle/device_views.h"

#include <algorithm>

#include "engine/base/error.h"

namespace meniscus {
namespace {

constexpr int kReasonBytes = 512;
constexpr std::size_t kMostKinds = 256;
constexpr std::uint32_t kMostId = 1u << 31;

// Calls f(reason, bytes of it) and throws what it says.
template <class Call>
void checked(const Call& f) {
  char reason[kReasonBytes] = {};
  if (const int status = f(reason, kReasonBytes)) throw Error(ErrorKind(status), reason);
}

// With the table that it points to.
struct FieldOf {
  FieldOf(const World& w, DeviceField field) {
    const SceneDef& s = w.scene;
    def.field = field;
    for (int k = 0; k < 3; ++k) def.origin[k] = s.domain.min[k];
    def.kinds = int(std::min(s.fluids.size(), kMostKinds));
    for (int k = 0; k < def.kinds; ++k) inverseMass[k] = float(1 / (s.fluids[std::size_t(k)].density * w.particleVolume));
    def.inverseMass = inverseMass;
    def.idBits = 1;
    while (def.idBits < 31 && w.nextId > 1u << def.idBits) ++def.idBits;
  }
  DeviceFieldDef def{};
  float inverseMass[kMostKinds] = {};
};

}  // namespace

std::string notOnDeviceAsArray(const World& w) { return w.nextId > kMostId ? "ids of particles are beyond 2^31" : std::string(); }

DeviceArray deviceArray(const DeviceSolver& solver, const World& world, DeviceField field) {
  const FieldOf f(world, field);
  DeviceArray a{};
  checked([&](char* reason, int n) { return solver.calls().arrays->gather(solver.fluid(), &f.def, &a, reason, n); });
  return a;
}

DeviceArray putOnDevice(const DeviceSolver& solver, std::int32_t slot, const void* from, std::int64_t bytes) {
  DeviceArray a{};
  checked([&](char* reason, int n) { return solver.calls().arrays->put(solver.fluid(), slot, from, bytes, &a, reason, n); });
  return a;
}

DeviceArray placeOnDevice(const DeviceSolver& solver) {
  DeviceArray a{};
  solver.calls().arrays->where(solver.fluid(), &a);
  return a;
}

void waitForEvent(const DeviceSolver& solver, void* event) {
  checked([&](char* reason, int n) { return solver.calls().arrays->waitFor(solver.fluid(), event, reason, n); });
}

void readDevice(const DeviceSolver& solver, void* to, const void* from, std::int64_t bytes) {
  checked([&](char* reason, int n) { return solver.calls().arrays->read(solver.fluid(), to, from, bytes, reason, n); });
}

SharedBuffer::SharedBuffer(const DeviceSolver& solver, std::uint32_t buffer) : calls_(*solver.calls().arrays) {
  checked([&](char* reason, int n) { return calls_.registerBuffer(&solver.options(), buffer, &resource_, reason, n); });
}

SharedBuffer::~SharedBuffer() { calls_.unregisterBuffer(resource_); }

std::int64_t SharedBuffer::write(const DeviceSolver& solver, const World& world, DeviceField field, std::int64_t offset,
                                 std::int64_t bytes) {
  const FieldOf f(world, field);
  std::int64_t count = 0;
  checked(
      [&](char* reason, int n) { return calls_.writeBuffer(solver.fluid(), resource_, offset, bytes, &f.def, &count, reason, n); });
  return count;
}

}  // namespace meniscus
