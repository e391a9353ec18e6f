// The fluid's arrays between the program and a device.
#include "engine/particle/device/device_step.h"

MNS_NS_BEGIN

void DeviceFluid::resize(Index n) {
  const std::size_t rows = std::size_t(n);
  for (auto* b : {&uStar_, &uNext_, &xOld_}) b->resize(rows);
  for (auto* b : {&e_, &deficiency_, &densityTerm_, &divergence_}) b->resize(rows);
  if (!lists_.surfaces().free()) return;
  for (auto* b : {&shared_, &sharedContacts_}) b->resize(rows + 1);
  for (auto* b : {&sharedBefore_, &sharedContactsBefore_}) b->resize(rows + 1);
}

void DeviceFluid::upload(const DeviceParticles& p) {
  const std::size_t n = std::size_t(p.n);
  flow_.reserve(p.n);
  state_.resize(n);
  lists_.reserve(p.n);
  pressure_.reserve(p.n);
  viscosity_.reserve(p.n);
  resize(p.n);
  state_.x.now.upload(reinterpret_cast<const Vec4f*>(p.x), n);
  state_.u.now.upload(reinterpret_cast<const Vec4f*>(p.u), n);
  state_.p.now.upload(p.p, n);
  state_.id.now.upload(p.id, n);
  state_.kind.now.upload(p.kind, n);
  state_.leaked.now.upload(p.leaked, n);
  p.e ? e_.upload(p.e, n) : e_.fillZero();
  p.deficiency ? deficiency_.upload(p.deficiency, n) : deficiency_.fillZero();
  state_.n = p.n;
}

void DeviceFluid::download(const DeviceParticles& p) {
  const std::size_t n = std::size_t(state_.n);
  if (n == 0) return;
  const auto copy = [&](void* to, const void* from, std::size_t size, const char* name) {
    if (to) device_.toHost(to, from, n * size, name);
  };
  copy(p.x, state_.x.now.data(), sizeof(Vec4f), "positions");
  copy(p.u, state_.u.now.data(), sizeof(Vec4f), "velocities");
  copy(p.p, state_.p.now.data(), sizeof(float), "pressures");
  copy(p.id, state_.id.now.data(), sizeof(std::uint32_t), "ids");
  copy(p.kind, state_.kind.now.data(), 1, "kinds");
  copy(p.leaked, state_.leaked.now.data(), 1, "leaked");
  copy(p.e, e_.data(), sizeof(float), "density errors");
  copy(p.deficiency, deficiency_.data(), sizeof(float), "deficiencies");
}

MNS_NS_END
