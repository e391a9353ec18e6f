// Emitters, drains and open sides on the serial device against the CPU.
#include <string>

#include "engine/base/error.h"
#include "engine/scene/load.h"
#include "engine/world/snapshot.h"
#include "tests/shared/device_openings.h"
#include "tests/shared/device_orders.h"

namespace meniscus {
namespace {

using namespace testing;

TEST(DeviceOpenings, ParticlesComeAndGoAsOnTheCpu) {
  Exec exec;
  const World start = dam(exec, comeAndGo);
  expectFlowOfCpu(serialFluidCalls(), start, 20, 1e-4);
}

// And through open sides, between free bodies and beside a cloth.
TEST(DeviceOpenings, WithSolidsAndOpenSidesAsOnTheCpu) {
  Exec exec;
  const World start = dam(exec, [](SceneDef& s) {
    thrownAtCloth(s);
    comeAndGo(s);
    s.domain.walls[1] = s.domain.walls[3] = false;
    s.fluids[0].velocity = {3, 1, 0};
  });
  expectFlowOfCpu(serialFluidCalls(), start, 10, 2e-2);
}

// A tank that is empty at first, with a body in it that falls to its ground.
TEST(DeviceOpenings, AnEmptyTankFillsAsOnTheCpu) {
  Exec exec;
  SceneDef s = emptyTank("filling", {0, 0, 0}, {0.6, 0.2, 0.4}, 0.002);
  addBoxOfWater(s, 0.02, {0.04, 0.04, 0.04}, {0.3, 0.1, 0.14});
  s.duration = 1;
  EmitterDef& jet = addJet(s, OpeningKind::disc, {0.45, 0.1, 0.3}, 2.5);
  jet.schedule = {{0.01, 1}};
  SolidDef& ball = addObstacle(s, ShapeKind::sphere, {0.3, 0.1, 0.06});
  ball.kind = SolidKind::rigid;
  ball.name = "ball";
  ball.shape.radius = 0.03;
  ball.material.density = 500;
  World start = buildWorld(s, exec, nullptr);
  start.fluid.n = 0;  // as one is that has run dry
  for (auto* b : {&start.fluid.x, &start.fluid.u}) b->resize(0);
  for (auto* b : {&start.fluid.p, &start.fluid.e, &start.fluid.deficiency}) b->resize(0);
  for (auto* b : {&start.fluid.kind, &start.fluid.leaked}) b->resize(0);
  start.fluid.id.resize(0);
  start.solid.rigid[0].v = {0, 0, -3};
  expectFlowOfCpu(serialFluidCalls(), start, 40, 1e-2);
  DeviceSolver solver(serialFluidCalls(), {}, start);
  for (int k = 0; k < 6; ++k) solver.step(start, start.scene.solver.dt);
  ASSERT_EQ(start.fluid.n, 0);
  std::printf("the ball is at %.4f m\n", start.solid.rigid[0].x.z);
  EXPECT_GE(start.solid.rigid[0].x.z, 0.03);  // not through the ground, without any water
}

TEST(DeviceOpenings, NoRoomIsAStatus) {
  Exec exec;
  const World start = dam(exec, [](SceneDef& s) {
    comeAndGo(s);
    s.drains.clear();
    s.maxParticles = 1700;
  });
  ASSERT_LT(start.fluid.n, 1700);
  expectFlowOfCpu(serialFluidCalls(), start, 12, 1e-4);
  World w = start;
  DeviceSolver solver(serialFluidCalls(), {}, w);
  bool overflow = false;
  for (int k = 0; k < 12; ++k) {
    solver.step(w, w.scene.solver.dt);
    overflow |= w.report.overflow;
  }
  EXPECT_TRUE(overflow);
  EXPECT_EQ(w.fluid.n, 1700);
}

// Ten steps here, ten there, by a snapshot between them.
TEST(DeviceOpenings, RunsGoOnOnTheOtherDevice) {
  Exec exec;
  const World start = dam(exec, comeAndGo);
  World cpu = start;
  ParticleSolver onCpu(exec, cpu);
  for (int k = 0; k < 20; ++k) onCpu.step(cpu, cpu.scene.solver.dt);
  for (const bool deviceFirst : {true, false}) {
    World first = start, second = start;
    const auto run = [&](World& w, bool onDevice) {
      if (onDevice) {
        DeviceSolver solver(serialFluidCalls(), {}, w);
        for (int k = 0; k < 10; ++k) solver.step(w, w.scene.solver.dt);
      } else {
        ParticleSolver solver(exec, w);
        for (int k = 0; k < 10; ++k) solver.step(w, w.scene.solver.dt);
      }
    };
    run(first, deviceFirst);
    unpackSnapshot(second, packSnapshot(first), "the first ten steps");
    run(second, !deviceFirst);
    EXPECT_EQ(second.emittedTotal, cpu.emittedTotal);
    EXPECT_EQ(second.drainedTotal, cpu.drainedTotal);
    EXPECT_LE(farthest(cpu, second), 1e-4);
  }
}

TEST(DeviceOpenings, OrderOfThreadsDoesNotMatter) {
  Exec exec;
  expectSameInEveryOrder(dam(exec, comeAndGo), 6);
}

TEST(DeviceOpenings, KernelsStayInTheirBuffers) {
  Exec exec;
  expectKernelsStayInTheirBuffers(dam(exec, comeAndGo), 6);
}

// An error of the device within a call of the openings is the step's, not lost on the way through the program.
TEST(DeviceOpenings, ErrorsOfTheDeviceComeThrough) {
  Exec exec;
  World w = dam(exec, comeAndGo);
  DeviceOptions options;
  options.memoryBytes = std::size_t(8) << 20;
  for (; options.memoryBytes < std::size_t(64) << 20; options.memoryBytes += std::size_t(1) << 19) {
    World now = w;
    try {
      DeviceSolver solver(serialFluidCalls(), options, now);
      for (int k = 0; k < 3; ++k) solver.step(now, now.scene.solver.dt);
      return;  // with so much memory it goes on
    } catch (const Error& e) {
      ASSERT_EQ(e.kind, ErrorKind::deviceNotAvailable);
      ASSERT_NE(std::string(e.what()).find("out of memory"), std::string::npos) << e.what();
    }
  }
  FAIL() << "no memory is enough";
}

// A scene of the assets with all of it at once: a tap on a stiff cloth, a throttled drain, a ball, a paddle, an open side.
TEST(DeviceOpenings, TapOnClothAsOnTheCpu) {
  Exec exec;
  World start = buildWorld(loadScene(std::string(MENISCUS_SOURCE_DIR) + "/assets/scenes/tap-on-cloth.json"), exec, nullptr);
  ParticleSolver(exec, start).settle(start);
  expectFlowOfCpu(serialFluidCalls(), start, 6, 5e-2);
}

}  // namespace
}  // namespace meniscus
