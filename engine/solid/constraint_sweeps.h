// Coloured sweeps over the constraints of solids that are made somewhere else, with the same outcome to the bit.
#pragma once

#include "engine/solid/solid.h"

namespace meniscus {

// Is there nothing but constraints and obstacles that acts on nodes between sweeps?
bool nothingElseActs(const SolidState& s);

class ConstraintSweeps {
 public:
  virtual ~ConstraintSweeps() = default;
  // Of one projection: see projectSolids. obstacles: null, or those that nodes are to be kept off by `margin` after each sweep,
  // with nothing in between; false where that is not done there.
  virtual bool begin(const SolidState& s, double dt, const double* invMassNormal, const Vec3d* normal, const std::uint8_t* leftOut,
                     const Obstacles* obstacles, double margin) = 0;
  // Over all constraints, closed volumes and contacts excluded, several times with nothing between. False where a node was farther
  // than `most` from where it began, after any of several sweeps: x is then as before, and multipliers want to be begun with again.
  virtual bool sweep(Buffer<Vec3d>& x, int times, double most) = 0;
  // The multipliers, and what nodes had to do with the obstacles.
  virtual void end(Buffer<double>& lambda, Buffer<NodeContact>& contacts) = 0;
};

}  // namespace meniscus
