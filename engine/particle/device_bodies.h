// The bodies of a world in a step on a device: the program's side of DeviceBodies (engine/exec/device_fluid.h).
#pragma once

#include <exception>

#include "engine/exec/device_fluid.h"
#include "engine/exec/exec.h"
#include "engine/world/world.h"

namespace meniscus {

class BodiesOfWorld {
 public:
  explicit BodiesOfWorld(World& world) : world_(world), exec_(1) {}
  BodiesOfWorld(const BodiesOfWorld&) = delete;
  BodiesOfWorld& operator=(const BodiesOfWorld&) = delete;

  // Good as long as this object; the world's time goes on with the sub-steps.
  DeviceBodies calls();
  // Throws the error of the call that had one.
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  double fastest(double remaining) const;
  void move(double h, DeviceRigid* out);
  void finish(double h, const double* force);
  template <class Call>
  int guarded(const Call& call);

  World& world_;
  Exec exec_;
  std::exception_ptr error_;
};

}  // namespace meniscus
