// Weakly compressible SPH as a pressure mode, for comparison (Becker & Teschner 2007): pressures by Tait's equation from the
// densities at the start of the sub-step, artificial viscosity, and no pressure solve. Sub-steps are bound by the speed of sound.
#pragma once

#include "engine/particle/given_pressure.h"

namespace meniscus {

// Speed of sound [m/s] of a scene: as given, or c = v / sqrt(eta) (eq. 8), v the fastest speed expected: that of a fall through the
// domain from the greatest speed at which fluid or solids start or fluid is emitted. 0 where nothing says how fast things will be.
double soundSpeed(const SceneDef& scene);

class WeaklyCompressibleSystem final : public GivenPressureSystem {
 public:
  // The packing of a fresh world is settled by the compatible operator: a state of rest is the same for all modes.
  SolveReport solve(Exec& exec, double tolerance, int maxIterations) override;
  void addExplicitForces(Exec& exec, View<const Vec4f> u, double dt, View<Vec4f> uStar) override;
  // 0.4 h / (c (1 + 0.6 alpha)) (Monaghan 1992, eq. 4.5 and 4.6), h half the support; less beside bodies lighter than the water
  // that moves with them, whose inertia is not in an explicit pressure. Throws Error(input) where there is no speed of sound.
  double longestSubstep(const World& world) const override;
  double dampingShare() const override { return 0; }
  std::size_t bytes() const override;

 private:
  Buffer<float> stiffness_, rho_;  // a kind of fluid
};

}  // namespace meniscus
