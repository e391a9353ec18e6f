// The surfaces of solids on a device: triangles and primitives where they rest, the triangles near each cell, what the features of
// every particle are found in.
#pragma once

#include "engine/exec/device.h"
#include "engine/exec/device_fluid.h"
#include "kernels/contact/surface_features.h"

MNS_NS_BEGIN

class DeviceSurfaces {
 public:
  // Throws deviceNotAvailable where the device has not the memory.
  DeviceSurfaces(Device& device, const DeviceFluidDef& def);

  bool any() const { return set_.primitives > 0 || set_.triangles > 0; }
  // Are there sheets, or solids so thin that the fluids on their two sides do not feel each other?
  bool separating() const { return separating_; }
  const SurfaceSet& view() const { return set_; }
  void reserve(Index n);
  // Features of n particles: 1 or 0 and their number into near and slots.
  void find(const Vec4f* x, Index n, Index* near, Index* slots);
  const Feature* found() const { return found_.data(); }
  const float* triangleDistance() const { return triangleDistance_.data(); }
  SheetsBetween sheets(const Vec4f* x) const { return {set_, sheetDistance_.data(), x}; }

 private:
  void takeTriangles(const DeviceSurfaceDef& def);
  void takePrimitives(const DeviceSurfaceDef& def);
  void listTriangles(float reach);

  Device& device_;
  SurfaceSet set_{};
  bool separating_ = false;
  DeviceBuffer<SurfaceTopology> topology_;
  DeviceBuffer<Index> ringBegin_, ring_, cellCount_, key_, keyOut_, value_, cellTri_, cellBegin_;
  DeviceBuffer<Offset> before_;
  DeviceBuffer<SurfaceMaterial> bodies_, primitiveMaterials_;
  DeviceBuffer<Vec3d> exact_;
  DeviceBuffer<float> side_;
  DeviceBuffer<Vec4f> node_, sphere_;
  DeviceBuffer<PackedTriangle> tri_;
  DeviceBuffer<TriangleFilter> filter_;
  DeviceBuffer<PlacedPrimitive> primitives_;
  DeviceBuffer<Feature> found_;  // kMaxFeatures a particle
  DeviceBuffer<float> triangleDistance_, sheetDistance_;
};

MNS_NS_END
