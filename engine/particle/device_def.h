// What a device has to know of a scene, from a world: engine/exec/device_fluid.h with the tables that its pointers point to.
#pragma once

#include <memory>
#include <vector>

#include "engine/exec/device_fluid.h"
#include "engine/world/world.h"

namespace meniscus {

class Boundary;

// The surfaces of all solids, domain's walls included; empty where there are no solids.
class DeviceSurfaceTables {
 public:
  explicit DeviceSurfaceTables(const World& world);
  // All that the tables depend on, as numbers: equal keys, equal tables.
  static std::vector<double> keyOf(const World& world);
  const std::vector<double>& key() const { return key_; }
  DeviceSurfaceDef view() const;
  const Boundary* boundary() const { return boundary_.get(); }
  bool deforming() const { return deforming_ != 0; }  // some solids do

 private:
  std::vector<double> key_, node_, rest_;
  std::vector<std::int32_t> rigidOfNode_, edgeNode_;
  std::int32_t rigids_ = 0, moving_ = 0, free_ = 0, deforming_ = 0, skins_ = 0;
  std::shared_ptr<const Boundary> boundary_;  // null without solids
  std::vector<DeviceTriangle> triangle_;
  std::vector<std::int32_t> ringBegin_, ring_;
  std::vector<DeviceMaterial> body_;
  std::vector<DevicePrimitive> primitive_;
  std::int32_t walls_ = 0;
};

class DeviceDef {
 public:
  // before (may be null): its surfaces are taken over where they are the same, since to find their topology takes long.
  DeviceDef(const World& world, const DeviceDef* before);
  bool same(const DeviceDef& o) const;
  DeviceFluidDef view() const;
  const DeviceSurfaceTables& surfaces() const { return *surfaces_; }

 private:
  DeviceFluidDef plain_;  // without tables
  std::vector<double> density_, viscosity_;
  std::shared_ptr<const DeviceSurfaceTables> surfaces_;
};

}  // namespace meniscus
