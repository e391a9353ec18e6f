// Coloured Gauss-Seidel sweeps over the constraints of solids on a device: a launch a colour.
#pragma once

#include <vector>

#include "engine/exec/device.h"
#include "engine/exec/device_fluid.h"
#include "kernels/solid/project_constraint.h"

MNS_NS_BEGIN

class DeviceConstraints {
 public:
  explicit DeviceConstraints(Device& device);
  void begin(const DeviceSweep& sweep, Index nodes);
  void sweep(double* x);  // three a node [m], to and fro
  void end(double* lambda) const;

 private:
  ConstraintProjection<StoredConstraint> projection() const;

  Device& device_;
  Index nodes_ = 0;
  double invDt_ = 0, solvable_ = 0;
  std::vector<Index> colourBegin_;
  std::vector<std::uint8_t> colourKind_;
  Index count_ = 0;
  DeviceBuffer<StoredConstraint> items_;
  DeviceBuffer<double> rest_, lambda_, w_, wNormal_;
  DeviceBuffer<Vec3d> x_, xPrev_, normal_;
  DeviceBuffer<std::uint8_t> leftOut_;
};

MNS_NS_END
