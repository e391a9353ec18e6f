// The surfaces of solids on a device: triangles and primitives at the two ends of a sub-step, the triangles near each cell, what
// the features of every particle are found in.
#pragma once

#include <vector>

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
  bool moving() const { return moving_; }
  int rigids() const { return rigids_; }
  bool free() const { return free_; }  // some solids give way
  bool deforming() const { return deforming_; }
  bool skins() const { return skins_; }  // that enclose fluid and deform
  const SurfaceSet& view() const { return set_; }
  // Puts the solids where they are in this sub-step. nodes: null where none deform; margin: the longest way that particles are
  // expected to go [m].
  void move(const std::vector<DeviceRigid>& rigids, const DeviceNodes* nodes, double margin);
  // Only the ends have changed.
  void moveEnds(const std::vector<DeviceRigid>& rigids, const DeviceNodes* nodes);
  void reserve(Index n);
  // Features of n particles: 1 or 0 and their number into near and slots.
  void find(const Vec4f* x, Index n, Index* near, Index* slots);
  const Feature* found() const { return found_.data(); }
  const float* triangleDistance() const { return triangleDistance_.data(); }
  SheetsBetween sheets(const Vec4f* x) const { return {set_, sheetDistance_.data(), x}; }

 private:
  void takeTriangles(const DeviceSurfaceDef& def);
  void takePrimitives(const DeviceSurfaceDef& def);
  void placeBodies(const std::vector<DeviceRigid>& rigids);
  void placeTriangles(const SurfaceInstant& at);
  void listTriangles(float reach);

  Device& device_;
  SurfaceSet set_{};
  bool separating_ = false, moving_ = false, free_ = false, deforming_ = false, skins_ = false;
  int rigids_ = 0;
  DeviceBuffer<SurfaceTopology> topology_;
  DeviceBuffer<Index> ringBegin_, ring_, cellCount_, key_, keyOut_, value_, cellTri_, cellBegin_;
  DeviceBuffer<Offset> before_;
  DeviceBuffer<SurfaceMaterial> bodies_, primitiveMaterials_;
  // at the two ends of a sub-step; without the second where nothing moves
  struct Instant {
    Instant(Device& d) : exact(d, "nodes"), node(d, "nodes"), sphere(d, "triangles"), tri(d, "triangles") {}
    SurfaceInstant view() const { return {exact.data(), node.data(), tri.data(), sphere.data()}; }
    DeviceBuffer<Vec3d> exact;
    DeviceBuffer<Vec4f> node, sphere;
    DeviceBuffer<PackedTriangle> tri;
  };
  Instant start_, end_;
  DeviceBuffer<float> side_;
  DeviceBuffer<Vec3d> rest_;
  DeviceBuffer<Index> rigidOfNode_;
  DeviceBuffer<SurfaceRigid> rigid_;
  DeviceBuffer<Mat3d> frame_;
  DeviceBuffer<double> largestShift_;
  DeviceBuffer<TriangleFilter> filter_;
  DeviceBuffer<PlacedPrimitive> primitives_;
  DeviceBuffer<Feature> found_;  // kMaxFeatures a particle
  DeviceBuffer<float> triangleDistance_, sheetDistance_;
};

MNS_NS_END
