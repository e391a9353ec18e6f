// Coloured Gauss-Seidel sweeps over the constraints of solids on a device: a launch a colour.
#pragma once

#include <vector>

#include "engine/exec/device.h"
#include "engine/exec/device_fluid.h"
#include "engine/particle/device/packed_upload.h"
#include "kernels/solid/project_constraint.h"

MNS_NS_BEGIN

class DeviceConstraints {
 public:
  explicit DeviceConstraints(Device& device);
  void begin(const DeviceSweep& sweep, Index nodes);
  // On x, three a node [m], to and fro. The farthest way from there that a node was at, after any of several sweeps [m].
  double sweep(int times, double* x);
  void end(double* lambda) const;

 private:
  ConstraintProjection<StoredConstraint> projection() const;
  void take(const DeviceSweep& sweep);
  void launchColours(const ConstraintProjection<StoredConstraint>& p);

  Device& device_;
  Index nodes_ = 0;
  double invDt_ = 0, solvable_ = 0;
  std::vector<Index> colourBegin_;
  std::vector<std::uint8_t> colourKind_;
  Index count_ = 0;
  DeviceBuffer<StoredConstraint> items_;
  DeviceBuffer<double> rest_;
  std::vector<StoredConstraint> itemsThere_;  // what these two hold
  std::vector<double> restThere_;
  DeviceBuffer<Vec3d> x_, xBefore_;
  DeviceBuffer<double> farthest2_;
  PackedUpload given_;  // of the projection, and where its arrays are in there
  std::size_t wAt_ = 0, wNormalAt_ = 0, xPrevAt_ = 0, normalAt_ = 0, lambdaAt_ = 0, leftOutAt_ = 0;
  Repeated colours_;
  ConstraintProjection<StoredConstraint> recorded_;  // that colours_ was recorded for,
  int recordedTimes_ = 0;                            // and with so many sweeps
};

MNS_NS_END
