// Steps on the serial device that may not hang on how its threads are run.
#pragma once

#include <vector>

#include "tests/shared/device_step.h"

namespace meniscus::testing {

inline void expectSameState(const World& a, const World& b, const char* what) {
  EXPECT_TRUE(sameBits(a, b)) << what;
  ASSERT_EQ(a.solid.x.size(), b.solid.x.size());
  for (std::size_t i = 0; i < a.solid.x.size(); ++i) ASSERT_EQ(norm(a.solid.x[i] - b.solid.x[i]), 0) << what << ", node " << i;
}

inline World stepped(World w, const DeviceOptions& options, int steps) {
  DeviceSolver solver(serialFluidCalls(), options, w);
  for (int k = 0; k < steps; ++k) solver.step(w, w.scene.solver.dt);
  return w;
}

inline void expectSameInEveryOrder(const World& start, int steps) {
  const World first = stepped(start, {}, steps);
  DeviceOptions options;
  expectSameState(first, stepped(start, options, steps), "again");
  options.order = ThreadOrder::backward;
  expectSameState(first, stepped(start, options, steps), "backward");
  options.order = ThreadOrder::shuffled;
  expectSameState(first, stepped(start, options, steps), "shuffled");
}

// Buffers without slack, each before a page that nothing may touch.
inline void expectKernelsStayInTheirBuffers(const World& start, int steps) {
  DeviceOptions options;
  options.guarded = true;
  expectSameState(stepped(start, {}, steps), stepped(start, options, steps), "guarded");
}

}  // namespace meniscus::testing
