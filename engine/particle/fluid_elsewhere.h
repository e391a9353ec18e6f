// A pressure system whose fluid is not in the world: what the coupling of solids asks of the particles then.
#pragma once

#include "kernels/core/vec.h"
#include "kernels/core/view.h"

namespace meniscus {

class ConstraintSweeps;

class FluidElsewhere {
 public:
  virtual ~FluidElsewhere() = default;
  virtual Index particles() const = 0;
  // Do films that the last solve held want to push again?
  virtual bool filmsChanged() const = 0;
  // Finds the water that moves with each node, for sweeps there: its mass [kg] and the sum of its normals, both null where only
  // they ask for it.
  virtual void wetNodes(double* mass, Vec3d* normal) = 0;
  // About a pivot of each body, its first node at the start (relative to the domain's corner [m]): of the water before it, what
  // resists its rigid motion (v, omega), the upper triangle of a 6x6 matrix, row by row, 21 values a body; and the momentum and
  // spin, 6 values, that the body's own constraints gave to its nodes in the last solve.
  virtual void waterInertia(const Vec3d* pivot, double* inertia, double* internal) = 0;
  // Takes rigid motions, six numbers a body, from the predicted velocities of that water.
  virtual void takeMotion(const double* motion) = 0;
  // Constraints (of SolidState::constraints) are linearised there, where the bodies are at each solve and with the multipliers of
  // the solve or projection before. What the last one found: rows, and squares of multipliers of edges, of those that pushed and
  // all.
  virtual Index constraintRows() const = 0;
  virtual void edgeForces(double& push2, double& all2) const = 0;
  // Where projections make their sweeps.
  virtual ConstraintSweeps& sweeps() = 0;
};

}  // namespace meniscus
