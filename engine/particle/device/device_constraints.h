// Coloured Gauss-Seidel sweeps over the constraints of solids on a device: a launch a colour.
#pragma once

#include <vector>

#include "engine/exec/device.h"
#include "engine/exec/device_fluid.h"
#include "engine/particle/device/packed_upload.h"
#include "kernels/contact/node_contact.h"
#include "kernels/solid/linearise_edge.h"
#include "kernels/solid/project_constraint.h"

MNS_NS_BEGIN

// What sweeps have to know of the nodes: where they were at the start of the sub-step, inverse masses, those along the direction of
// the water at them.
struct SweepNodes {
  const Vec3d* start;
  const double *w, *along;
  const Vec3d* direction;
};

class DeviceConstraints {
 public:
  explicit DeviceConstraints(Device& device);
  // there: of the nodes, unless the sweep has it.
  void begin(const DeviceSweep& sweep, Index nodes, const SweepNodes& there);
  // Several sweeps, the first ones on the x of the begin, the others on what is given; three a node [m]. The farthest way from
  // there that a node was at, after any of several sweeps without contacts [m].
  double sweep(int times, double* x);
  // contacts: filled where a node touched an obstacle. Both may be null.
  void end(double* lambda, NodeAtObstacle* contacts);
  // Multipliers of the constraints at the begin of a sub-step.
  void setMultipliers(const double* lambda, Index constraints, Index nodes);
  // As they are, and where those of a solve go with what it leaves out: the sweeps after solved() begin with them.
  const double* multipliers() const { return lambda_.data(); }
  ExplicitConstraints ofSolve() const { return {lambdaSolved_.data(), leftOut_.data()}; }
  void solved() { solved_ = true; }
  void readOutcome(double* lambda, double* depth);

 private:
  ConstraintProjection<StoredConstraint> projection() const;
  void take(const DeviceSweep& sweep);
  ProjectNodes nodeContacts() const;
  double outcomeOf(int which) const;
  void takeContacts(const DeviceSweep& sweep);
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
  DeviceBuffer<double> lambda_, lambdaSolved_, lambdaBefore_;
  DeviceBuffer<std::uint8_t> leftOut_;
  PackedUpload given_;  // of the projection, and where its arrays are in there; what comes back at once is at its end
  std::size_t obstacleAt_ = 0, xAt_ = 0, outcomeAt_ = 0;
  SweepNodes of_{};
  DeviceBuffer<double> friction_, clearance_;           // a node
  std::vector<double> frictionThere_, clearanceThere_;  // what these two hold
  enum Outcome { farthest2, deepest, outcomes };
  ObstacleWalls walls_{};
  double margin_ = 0, dt_ = 0;
  bool hasClearance_ = false;
  Index obstacles_ = 0;
  bool contacts_ = false, begun_ = false, outcomeHere_ = false, solved_ = false;
  std::vector<char> read_;
  std::vector<double> outcomeRead_;
  DeviceBuffer<NodeAtObstacle> contact_;
  DeviceBuffer<Vec3d> xBefore_;
  Repeated colours_;
  struct Recorded {  // that colours_ was recorded for
    ConstraintProjection<StoredConstraint> projection;
    ProjectNodes nodes;
    int times, contacts;
  };
  Recorded recorded_;
};

MNS_NS_END
