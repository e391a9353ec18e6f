#include "engine/particle/device/device_arrays.h"

#include <algorithm>
#include <string>

#include "kernels/fluid/array_fields.h"

MNS_NS_BEGIN

DeviceArrays::DeviceArrays(Device& device, const DeviceFluid& fluid)
    : device_(device),
      fluid_(fluid),
      key_(device, "ids"),
      place_(device, "places of ids"),
      sortedKey_(device, "ids in order"),
      order_(device, "order of ids"),
      inverseMass_(device, "inverse masses") {}

void DeviceArrays::stale() {
  ordered_ = false;
  for (auto& [field, array] : fields_) array.fresh = false;
}

// The order of ids, and the tables.
void DeviceArrays::prepare(const DeviceFieldDef& def) {
  const float* const last = def.inverseMass + def.kinds;
  const bool sameMasses = std::equal(def.inverseMass, last, inverseMassThere_.begin(), inverseMassThere_.end());
  if (!sameMasses || !std::equal(origin_, origin_ + 3, def.origin)) {
    inverseMassThere_.assign(def.inverseMass, last);
    inverseMass_.upload(def.inverseMass, inverseMassThere_.size());
    std::copy_n(def.origin, 3, origin_);
    if (const auto found = fields_.find(DeviceField::position); found != fields_.end()) found->second.fresh = false;
  }
  if (ordered_) return;
  const DeviceParticleState& p = fluid_.particles();
  for (auto* b : {&key_, &place_, &sortedKey_, &order_}) b->resize(std::size_t(p.n));
  launch(device_, "ids", p.n, IdKeys{p.id.now.data(), key_.data(), place_.data()});
  if (p.n > 0)
    device_.sortByKey("order of ids", key_.data(), sortedKey_.data(), place_.data(), order_.data(), p.n, std::max(def.idBits, 1));
  ordered_ = true;
}

void DeviceArrays::fill(DeviceField field, void* out) {
  const DeviceParticleState& p = fluid_.particles();
  const Index* const order = order_.data();
  const auto items = [&](const char* name, auto* from) {
    using T = std::remove_const_t<std::remove_pointer_t<decltype(from)>>;
    launch(device_, name, p.n, InOrder<T>{order, from, static_cast<T*>(out)});
  };
  switch (field) {
    case DeviceField::position:
      return launch(device_, "array of positions", p.n,
                    WorldPositions{order, p.x.now.data(), p.kind.now.data(), inverseMass_.data(), origin_[0], origin_[1],
                                   origin_[2], static_cast<Vec4f*>(out)});
    case DeviceField::velocity:
      return launch(device_, "array of velocities", p.n, PlainVelocities{order, p.u.now.data(), static_cast<Vec4f*>(out)});
    case DeviceField::pressure:
      return items("array of pressures", p.p.now.data());
    case DeviceField::densityError:
      return items("array of density errors", fluid_.densityErrors());
    case DeviceField::deficiency:
      return items("array of deficiencies", fluid_.deficiencies());
    case DeviceField::id:
      return items("array of ids", p.id.now.data());
    case DeviceField::fluid:
      return launch(device_, "array of fluids", p.n, FluidNumbers{order, p.kind.now.data(), static_cast<std::int32_t*>(out)});
    case DeviceField::leaked:
      return items("array of leaks", p.leaked.now.data());
  }
}

DeviceArray DeviceArrays::where() const { return {nullptr, 0, device_.number(), device_.stream(), nullptr}; }

DeviceArray DeviceArrays::arrayOf(void* data, Index count) {
  DeviceArray a = where();
  a.data = data;
  a.count = count;
  a.ready = device_.mark();
  return a;
}

DeviceArray DeviceArrays::gather(const DeviceFieldDef& def) {
  prepare(def);
  const Index n = fluid_.particles().n;
  Field& f = fields_.try_emplace(def.field, device_).first->second;
  if (!f.fresh) {
    f.bytes.resize(std::size_t(n) * std::size_t(itemBytes(def.field)));
    fill(def.field, f.bytes.data());
    f.fresh = true;
  }
  return arrayOf(f.bytes.data(), n);
}

DeviceArray DeviceArrays::put(std::int32_t slot, const void* from, std::size_t bytes) {
  DeviceBuffer<char>& b = puts_.try_emplace(slot, device_, "array of the host").first->second;
  b.upload(static_cast<const char*>(from), bytes);
  return arrayOf(b.data(), 0);
}

Index DeviceArrays::write(GraphicsBuffer& buffer, std::size_t offset, std::size_t bytes, const DeviceFieldDef& def) {
  prepare(def);
  const Index n = fluid_.particles().n;
  const std::size_t needed = std::size_t(n) * std::size_t(itemBytes(def.field));
  if (needed > bytes)
    throw Error(ErrorKind::input,
                "the array takes " + std::to_string(needed) + " bytes, but has room for " + std::to_string(bytes));
  if (needed == 0) return 0;
  std::size_t size = 0;
  char* const memory = static_cast<char*>(buffer.map(device_, &size));
  std::string late;
  try {
    if (offset > size || needed > size - offset) late = "the mapped buffer has " + std::to_string(size) + " bytes";
    if (late.empty()) fill(def.field, memory + offset);
  } catch (...) {
    buffer.unmap(device_);
    throw;
  }
  buffer.unmap(device_);
  if (!late.empty())
    throw Error(ErrorKind::deviceNotAvailable,
                late + ", too few for " + std::to_string(needed) + " from " + std::to_string(offset));
  return n;
}

MNS_NS_END
