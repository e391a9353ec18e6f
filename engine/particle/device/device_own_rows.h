// Rows of the joint system that a device makes itself: those of the solids' constraints, from where the nodes are.
#pragma once

#include "engine/exec/device.h"
#include "engine/exec/device_fluid.h"
#include "kernels/solid/own_rows.h"

MNS_NS_BEGIN

class DeviceOwnRows {
 public:
  explicit DeviceOwnRows(Device& device);
  void take(const DeviceConstraintTable& table, Index nodes);
  Index edges() const { return edges_; }
  Index rows() const { return rows_; }  // of other constraints
  // Rows at the places given with the multipliers lambda; constraints: where those of the solve go. sums: kSums values on the
  // device, of this and store().
  void linearise(const EdgePlaces& at, const RowUnits& units, const double* lambda, const ExplicitConstraints& constraints,
                 bool firstOfStep, double* sums);
  // Multipliers of the constraints once x has those of their rows, and which edges pull.
  void store(const SolvedPlaces& placed, const SolidVector& x);
  void addTo(JointView& view) const;
  EdgeRow* edgeRows() const { return edgeRow_.data(); }
  const Vec4f* edgeRates() const { return edgeRate_.data(); }
  const float* edgeGuess() const { return edgeGuess_.data(); }  // four an edge
  const float* rates() const { return rate_.data(); }
  const float* measures() const { return measure_.data(); }
  const float* diagonal() const { return diag_.data(); }
  const float* guess() const { return guess_.data(); }
  ExplicitImpulses explicitImpulses() const { return {sums_, launches(), edgeImpulse_.data(), impulse_.data()}; }
  // In the sums: pairs of which the first is a number of rows, one of each launch that counted ...
  int launches() const { return (edges_ + generals_ > 0 ? 1 : 0) + (elements_ > 0 ? 1 : 0); }
  enum { edgePush2 = 4, edgeAll2, kSums };  // ... and, where there are edges, these

 private:
  Index firstElementRow() const { return generals_; }

  Device& device_;
  Index edges_ = 0, generals_ = 0, elements_ = 0, rows_ = 0;
  DeviceBuffer<StoredEdge> edge_;
  DeviceBuffer<StoredGeneral> general_;
  DeviceBuffer<StoredElement> element_;
  DeviceBuffer<OwnRow> row_;
  DeviceBuffer<double> rest_;
  DeviceBuffer<Index> itemBegin_;
  DeviceBuffer<OwnItem> item_;
  DeviceBuffer<std::uint8_t> edgeActive_;
  DeviceBuffer<EdgeRow> edgeRow_;
  DeviceBuffer<Vec4f> edgeRate_, grad_;
  DeviceBuffer<float> edgeGuess_, compliance_, rate_, measure_, diag_, guess_;
  DeviceBuffer<Vec3d> edgeImpulse_, impulse_;
  DeviceBuffer<Mat3d> mode_, taken_;  // of elements
  ExplicitConstraints constraints_{};
  RowUnits units_{};
  double* sums_ = nullptr;
};

MNS_NS_END
