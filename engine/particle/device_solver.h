// A world's fluid stepped on a device: what the device can do of a scene, and the way there and back.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/exec/device_fluid.h"
#include "engine/world/world.h"

namespace meniscus {

class CoupledNodes;
class DeviceDef;

// What the scene has that a device does not step, with its name; "" where a device steps all of it.
std::string notOnDevice(const World& world);

// The fluid's calls of the serial device (engine/exec/serial_device.h), which is slow and for tests.
const DeviceFluidCalls& serialFluidCalls();

class DeviceSolver {
 public:
  // Throws input where the scene has what a device does not step.
  DeviceSolver(const DeviceFluidCalls& calls, const DeviceOptions& options, const World& world);
  ~DeviceSolver();
  DeviceSolver(const DeviceSolver&) = delete;
  DeviceSolver& operator=(const DeviceSolver&) = delete;

  // Particles, clock and report of the world, from whatever state and with whatever parameters it has. Where it throws within a
  // step, the clock, solids, emitters and drains may be those of a sub-step: who wants to go on keeps a copy.
  void step(World& world, double dt);
  // The three parts of it, for callers who leave the particles where they are for many steps.
  void upload(World& world);
  // Moves the world's bodies, emitters, drains and its clock; its particles stay as they were.
  // bodies (may be null): the coupling's part of the report.
  void advance(World& world, double dt, DeviceStepReport& report, StepReport* bodies = nullptr);
  void download(World& world);
  // The particles as the world has them, with what the last step left of them: for arrays on the device.
  void bring(const World& world);
  const DeviceFluidCalls& calls() const { return calls_; }
  const DeviceOptions& options() const { return options_; }
  void* fluid() const { return fluid_; }  // for the calls
  std::string note() const;               // what the user should be told once of how the device steps this scene; may be empty
  DeviceCounters counters() const;
  std::vector<DeviceStage> stages() const;  // where DeviceOptions::timed

 private:
  void renew(const World& world);
  void check(int status) const;

  const DeviceFluidCalls& calls_;
  const DeviceOptions options_;
  std::unique_ptr<DeviceDef> def_;       // that fluid_ was made of
  std::unique_ptr<CoupledNodes> nodes_;  // of solids that deform; of the world stepped last
  void* fluid_ = nullptr;
  char reason_[512] = {};
};

}  // namespace meniscus
