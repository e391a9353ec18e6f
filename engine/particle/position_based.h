// Position-based fluids as a pressure mode, for comparison (Macklin & Mueller 2013, Algorithm 1): from predicted velocities, a
// fixed number of Jacobi iterations over the density constraints, each with the densities at the positions of the one before; then
// XSPH. Each iteration's corrections act through the compatible operator's transpose with the gradients of the start of the
// sub-step: their reaction on walls and solids is exact, and so is momentum. The solids' inverse masses are in the constraints'
// denominators, shared among the particles that push a node or body together (mass splitting: Tonge et al. 2012), and the solids'
// own constraints are solved within each iteration under the pressures so far. Nothing is kept from step to step, so that the fluid
// is as stiff as iterations and step allow. Vorticity confinement (eq. 15 and 16) is left out: it adds energy.
#pragma once

#include "engine/particle/given_pressure.h"
#include "kernels/core/smoothing_kernel.h"

namespace meniscus {

class PositionBasedSystem final : public GivenPressureSystem {
 public:
  // The packing of a fresh world is settled by the compatible operator: a state of rest is the same for all modes.
  SolveReport solve(Exec& exec, double tolerance, int maxIterations) override;
  void setRightHandSide(Exec& exec, View<const Vec4f> uStar, const Buffer<Vec3d>& nodeVelocity,
                        const std::vector<Vec3d>& rigidLinear, const std::vector<Vec3d>& rigidAngular, View<const float> density,
                        double dt) override;
  void addExplicitForces(Exec& exec, View<const Vec4f> u, double dt, View<Vec4f> uStar) override;
  std::size_t bytes() const override;

 protected:
  void fluidDiagonal(Exec& exec, const PairLists& lists) override;
  void solidsDiagonal(Exec& exec) override;

 private:
  void sumPushes();
  void constraintErrors(Exec& exec, bool accelerated);
  double latticeDiagonal() const;  // sum_k w_k |grad_k C|^2 in a lattice [1/(Pa s^2)]

  View<const Vec4f> uStar_{};
  const float* density_ = nullptr;  // rho / rho0 at the start of the sub-step
  float configuredGamma_ = -1;      // of the operator that settles the packing
  SmoothingKernel<float> kernel_{};
  double latticeC2r2_ = 0, cW_ = 1;
  // of all slots on a node or a rigid body: sum of the pushes, as moments of translation and rotation
  Buffer<double> nodePush_, rigidPush_;
  Buffer<float> Ds_;     // D s
  Buffer<float> error_;  // C
  Buffer<Vec4f> s_;      // way of this sub-step under the pressures so far [m]
};

}  // namespace meniscus
