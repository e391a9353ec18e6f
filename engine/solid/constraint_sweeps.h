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
  virtual void sweep(Buffer<Vec3d>& x) = 0;      // one over all constraints, closed volumes and contacts excluded
  virtual void end(Buffer<double>& lambda) = 0;  // the multipliers
};

}  // namespace meniscus
