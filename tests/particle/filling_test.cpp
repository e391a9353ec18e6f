// What is filled into a skin is inside of it: by the winding number, which no path test takes part in.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/particle/step.h"
#include "engine/solid/solid.h"
#include "engine/world/build.h"
#include "tests/shared/balloon.h"

namespace meniscus {
namespace {

// Solid angle of the closed surface seen from x, in turns (van Oosterom & Strackee 1983): 1 inside, 0 outside.
double windingNumber(const SolidState& s, const Vec3d& x) {
  double sum = 0;
  for (std::size_t t = 0; t + 2 < s.tri.size(); t += 3) {
    const Vec3d a = s.x[s.tri[t]] - x, b = s.x[s.tri[t + 1]] - x, c = s.x[s.tri[t + 2]] - x;
    const double la = norm(a), lb = norm(b), lc = norm(c);
    sum += 2 * std::atan2(dot(a, cross(b, c)), la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
  }
  return sum / (4 * 3.14159265358979323846);
}

int outside(const World& w) {
  int count = 0;
  for (Index i = 0; i < w.fluid.n; ++i)
    count += std::fabs(windingNumber(w.solid, Vec3d(w.fluid.x[i].xyz()) + w.scene.domain.min)) < 0.5;
  return count;
}

// The count that fills the space exactly needs lattice points beyond the facets of the skin; they used to stay there.
TEST(Filling, AllParticlesAreInsideTheSkin) {
  Exec exec;
  World w = buildWorld(testing::balloonScene(0.01), exec, nullptr);
  EXPECT_NEAR(w.fluid.n * w.particleVolume, enclosedVolume(w.solid, 0, Index(w.solid.tri.size() / 3)), 0.5 * w.particleVolume);
  EXPECT_EQ(outside(w), 0);
  ParticleSolver solver(exec, w);
  solver.settle(w);
  EXPECT_EQ(outside(w), 0);
}

}  // namespace
}  // namespace meniscus
