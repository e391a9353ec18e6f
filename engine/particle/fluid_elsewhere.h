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
  // The water that moves with each node: mass [kg] and the sum of its normals.
  virtual void wetNodes(double* mass, Vec3d* normal) = 0;
  // Of the water before each body that resists its rigid motion (v, omega) about a pivot (relative to the domain's corner [m]): the
  // upper triangle of a 6x6 matrix, row by row, 21 values a body.
  virtual void waterInertia(const Vec3d* pivot, double* inertia) = 0;
  // Takes rigid motions, six numbers a body, from the predicted velocities of that water.
  virtual void takeMotion(const double* motion) = 0;
  // Edges are linearised there, at the positions and multipliers of each solve. What the last one found: XPBD multipliers, rows,
  // and whether too many of them pushed.
  virtual bool hasEdges() const = 0;
  virtual double edgeMultiplier(Index edge) const = 0;
  virtual Index edgeRows() const = 0;
  virtual void edgeForces(double& push2, double& all2) const = 0;
  // Where projections make their sweeps.
  virtual ConstraintSweeps& sweeps() = 0;
};

}  // namespace meniscus
