// Coloured Gauss-Seidel sweeps over the constraints of solids on a device: a launch a colour.
#pragma once

#include <vector>

#include "engine/exec/device.h"
#include "engine/exec/device_fluid.h"
#include "engine/particle/device/packed_upload.h"
#include "kernels/contact/node_contact.h"
#include "kernels/solid/project_constraint.h"

MNS_NS_BEGIN

class DeviceConstraints {
 public:
  explicit DeviceConstraints(Device& device);
  void begin(const DeviceSweep& sweep, Index nodes);
  // Several sweeps, the first ones on the x of the begin, the others on what is given; three a node [m]. The farthest way from
  // there that a node was at, after any of several sweeps without contacts [m].
  double sweep(int times, double* x);
  // contacts: filled where a node touched an obstacle.
  void end(double* lambda, NodeAtObstacle* contacts);

 private:
  ConstraintProjection<StoredConstraint> projection() const;
  void take(const DeviceSweep& sweep);
  ProjectNodes nodeContacts() const;
  double outcomeOf(int which) const;
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
  PackedUpload given_;  // of the projection, and where its arrays are in there; what comes back at once is at its end
  std::size_t wAt_ = 0, wNormalAt_ = 0, xPrevAt_ = 0, normalAt_ = 0, leftOutAt_ = 0, obstacleAt_ = 0, frictionAt_ = 0,
              clearanceAt_ = 0, xAt_ = 0, lambdaAt_ = 0, outcomeAt_ = 0;
  enum Outcome { farthest2, deepest, outcomes };
  ObstacleWalls walls_{};
  double margin_ = 0, dt_ = 0;
  bool hasClearance_ = false;
  Index obstacles_ = 0;
  bool contacts_ = false, begun_ = false, lambdaHere_ = false;
  std::vector<char> read_;
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
