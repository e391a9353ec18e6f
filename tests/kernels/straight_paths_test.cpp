// The compression by straight paths against the change of the density itself.
#include <gtest/gtest.h>

#include "tests/shared/fluid_box.h"

namespace meniscus {
namespace {

// What straight paths compress: half the second derivative of the density sum, by central differences over +-h with the lists built
// anew at both ends. Plain walls, each particle with its own velocity; the pairs' own part and the images' part both count.
TEST(StraightPaths, AreTheSecondDerivativeOfTheDensity) {
  testing::FluidBoxDef def;
  def.jitter = 0.4;
  World now = testing::fluidBox(def);
  Exec exec(1);
  std::mt19937 rng(3);
  std::uniform_real_distribution<float> uniform(-1, 1);
  testing::FluidLists<PressureSystem> lists(exec, now);
  const Index n = now.fluid.n;
  for (Index i = 0; i < n; ++i) now.fluid.u[i] = Vec4f(uniform(rng), uniform(rng), uniform(rng), 0.f);
  constexpr float h = 2e-4f;  // of a metre a second: a hundredth of a spacing
  const auto moved = [&](float t) {
    World w = testing::fluidBox(def);
    w.fluid = now.fluid;
    for (Index i = 0; i < n; ++i) w.fluid.x[i] += w.fluid.u[i] * t;
    testing::FluidLists<PressureSystem> l(exec, w);
    std::vector<float> byId(static_cast<std::size_t>(n));
    for (Index i = 0; i < n; ++i) byId[std::size_t(w.fluid.id[i])] = l.lists.density[i];
    return byId;
  };
  const std::vector<float> before = moved(-h), middle = moved(0), after = moved(h);
  Buffer<float> deficiency, term;
  deficiency.assign(before.size(), 0.f);
  term.assign(before.size(), 0.f);
  lists.system.addStraightPaths(exec, now.fluid.u.view(), {}, {}, {}, lists.lists, deficiency, lists.builder.kernel().invH, 1e30, 1,
                                term);
  const double cW = lists.builder.lattice().cW;
  double error2[3] = {}, size2[3] = {};  // by surfaces near the particle: none, one, more
  for (Index i = 0; i < n; ++i) {
    const std::size_t id = std::size_t(now.fluid.id[i]), k = std::size_t(std::min(2, lists.features(i)));
    const double wanted = (double(before[id]) - 2 * double(middle[id]) + after[id]) / (2 * cW * h * h);
    error2[k] += (term[i] - wanted) * (term[i] - wanted);
    size2[k] += wanted * wanted;
  }
  EXPECT_LT(std::sqrt(error2[0] / size2[0]), 2e-3);
  EXPECT_LT(std::sqrt(error2[1] / size2[1]), 2e-3);
  EXPECT_LT(std::sqrt(error2[2] / size2[2]), 0.35);  // images in edges and corners have their surfaces' links for want of their own
}

}  // namespace
}  // namespace meniscus
