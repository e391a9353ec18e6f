// The emitters and drains of a world in a step on a device: the program's side of DeviceOpenings (engine/exec/device_fluid.h).
#pragma once

#include <exception>
#include <vector>

#include "engine/exec/device_fluid.h"
#include "engine/particle/openings.h"

namespace meniscus {

class OpeningsOfWorld final : public OpeningParticles {
 public:
  // Of a step that begins now.
  explicit OpeningsOfWorld(World& world) : world_(world), time_(world.time) {}

  DeviceOpenings calls();  // good as long as this object
  // Throws the error of the call that had one.
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

  Index count() const override { return flow_->count(flow_->device); }
  std::size_t findAt(const DrainPlace& drain) override;
  void take(std::size_t most) override;
  void findTaken(const LayerPlace& layer, const std::vector<Vec3d>& sites, std::vector<std::uint8_t>& taken) override;
  void append(const std::vector<Vec3d>& x, const Vec3d& u, std::uint8_t kind) override;

 private:
  World& world_;
  double time_;                       // of the sub-step's start [s]
  const DeviceFlow* flow_ = nullptr;  // of the sub-step
  std::exception_ptr error_;
};

}  // namespace meniscus
