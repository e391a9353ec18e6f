// Particles that come and go on a device: what the program's openings (DeviceOpenings) ask of them.
#pragma once

#include <exception>

#include "engine/particle/device/device_lists.h"
#include "kernels/fluid/openings.h"

MNS_NS_BEGIN

class DeviceOpeningFlow {
 public:
  DeviceOpeningFlow(Device& device, const DeviceFluidDef& def, DeviceParticleState& state);

  bool wanted() const { return wanted_; }
  void reserve(Index n);  // room for n particles, and for all that there may be
  // What the openings do in a sub-step, before the particles are sorted. Throws what the program had.
  void apply(const DeviceOpenings& openings, double h);
  // Of the sub-step: those that drains take, and their number.
  const std::uint8_t* drop() const { return taken_ > 0 ? drop_.data() : nullptr; }
  Index taken() const { return taken_; }

 private:
  struct Calls;
  std::int32_t findAt(const DrainPlace& drain);
  void take(Index most);
  void findTaken(const DeviceLayer& layer, std::uint8_t* taken);
  void append(const DeviceParticles& particles);
  ThereStill there() const { return {state_.x.now.data(), extent_, drop_.data()}; }

  Device& device_;
  DeviceParticleState& state_;
  bool wanted_;
  std::size_t capacity_;  // that the arrays have room for
  Vec3f extent_;
  Index found_ = 0, taken_ = 0;
  std::exception_ptr error_;
  DeviceBuffer<std::uint8_t> drop_, siteTaken_;
  DeviceBuffer<Index> key_, keyOut_, particle_, order_, flag_;
  DeviceBuffer<Offset> before_;
  DeviceBuffer<Vec3d> site_, local_;
  DeviceBuffer<double> count_;
};

MNS_NS_END
