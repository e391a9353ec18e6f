// The arrays of engine/exec/device_arrays.h: of a fluid on a device, made when they are asked for and kept until it changes.
#pragma once

#include <map>
#include <vector>

#include "engine/exec/device.h"
#include "engine/exec/device_arrays.h"
#include "engine/exec/graphics.h"
#include "engine/particle/device/device_step.h"

MNS_NS_BEGIN

class DeviceArrays {
 public:
  DeviceArrays(Device& device, const DeviceFluid& fluid);

  void stale();  // the fluid has changed
  DeviceArray gather(const DeviceFieldDef& def);
  DeviceArray put(std::int32_t slot, const void* from, std::size_t bytes);
  DeviceArray where() const;
  // Returns the number of items.
  Index write(GraphicsBuffer& buffer, std::size_t offset, std::size_t bytes, const DeviceFieldDef& def);

 private:
  void prepare(const DeviceFieldDef& def);
  void fill(DeviceField field, void* out);
  DeviceArray arrayOf(void* data, Index count);

  Device& device_;
  const DeviceFluid& fluid_;
  DeviceBuffer<Index> key_, place_, sortedKey_, order_;
  DeviceBuffer<float> inverseMass_;
  std::vector<float> inverseMassThere_;
  double origin_[3] = {0, 0, 0};
  bool ordered_ = false;
  struct Field {
    explicit Field(Device& d) : bytes(d, "array for callers") {}
    DeviceBuffer<char> bytes;
    bool fresh = false;
  };
  std::map<DeviceField, Field> fields_;
  std::map<std::int32_t, DeviceBuffer<char>> puts_;
};

MNS_NS_END
