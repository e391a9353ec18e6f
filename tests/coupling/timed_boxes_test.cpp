// What the stages of a run say that fluid and solids took.
#include "engine/coupling/timed_boxes.h"

#include <gtest/gtest.h>

#include <thread>

#include "tests/coupling/boxes.h"

namespace meniscus::testing {
namespace {

void wait() { std::this_thread::sleep_for(std::chrono::milliseconds(20)); }

struct SlowFluid : FunctionFluid {
  SlowFluid() : FunctionFluid([](const VectorXd& x) { return x; }) {}
  Load solve(const Motion& end, double dt) override {
    wait();
    return FunctionFluid::solve(end, dt);
  }
  std::vector<double> stopped(const Motion& end, double) override {
    wait();
    return end.position;
  }
};

// Where a boundary is stopped is found with the fluid's faces, and is no time of the coupling.
TEST(TimedBoxes, SolvesAndStopsAreTheFluids) {
  SlowFluid fluid;
  double seconds = 0;
  coupling::TimedFluid timed(fluid, seconds);
  timed.solve({{0}, {0}}, 0.1);
  EXPECT_GE(seconds, 0.02);
  timed.stopped({{0}, {0}}, 0.1);
  EXPECT_GE(seconds, 0.04);
}

}  // namespace
}  // namespace meniscus::testing
