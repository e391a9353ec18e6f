// What the pressure modes without a pressure equation have in common: the fluid's pressures come from elsewhere, and what is still
// solved, by conjugate gradients, is the solids' constraints under those pressures. Neighbours, mirror images at walls, the
// pressure force and what it does to solids are those of the compatible mode, so momentum is exact.
#pragma once

#include "engine/linear/krylov.h"
#include "engine/particle/pressure_system.h"

namespace meniscus {

class GivenPressureSystem : public PressureSystem {
 public:
  // no equation asks for it
  void addStraightPaths(Exec&, View<const Vec4f>, const Buffer<Vec3d>&, const std::vector<Vec3d>&, const std::vector<Vec3d>&,
                        const PairLists&, const Buffer<float>&, float, double, double, Buffer<float>&) override {}
  bool knowsSuction() const override { return false; }
  std::size_t bytes() const override;

 protected:
  bool hasConstraints() const { return layout_.total > fluidRows_; }
  // Multipliers in p_ of the constraints, with the fluid's pressures in p_ as a given load, started from those that are there.
  SolveReport solveConstraints(Exec& exec, double tolerance, int maxIterations);

 private:
  void product(Exec& exec, const Buffer<float>& x, Buffer<float>& y);

  Buffer<float> load_;    // right-hand side of the constraints under the fluid's pressures; fluid rows 0
  Buffer<float> lambda_;  // their multipliers; fluid rows 0
  KrylovWork<float> work_;
};

}  // namespace meniscus
