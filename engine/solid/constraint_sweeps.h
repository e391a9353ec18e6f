// Coloured sweeps over the constraints of solids that are made somewhere else, with the same outcome to the bit.
#pragma once

#include "engine/solid/solid_state.h"

namespace meniscus {

class ConstraintSweeps {
 public:
  virtual ~ConstraintSweeps() = default;
  // Of one projection: see projectSolids.
  virtual void begin(const SolidState& s, double dt, const double* invMassNormal, const Vec3d* normal,
                     const std::uint8_t* leftOut) = 0;
  // Over all constraints, closed volumes and contacts excluded, several times with nothing between. False where a node was farther
  // than `most` from where it began, after any of several sweeps: x is then as before, and multipliers want to be begun with again.
  virtual bool sweep(Buffer<Vec3d>& x, int times, double most) = 0;
  virtual void end(Buffer<double>& lambda) = 0;  // the multipliers
};

}  // namespace meniscus
