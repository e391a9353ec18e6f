// Fluid among solids on the serial device against the CPU.
#include "tests/shared/device_orders.h"
#include "tests/shared/device_solids.h"

namespace meniscus {
namespace {

using namespace testing;

// What the fluid loses by its shear, the bodies have; walls and gravity give the rest.
TEST(DeviceSolids, ShearKeepsMomentum) {
  Exec exec;
  World w = dam(exec, viscousBodies);
  const auto momentum = [](const World& world) {
    Vec3d sum{};
    for (Index i = 0; i < world.fluid.n; ++i) sum += Vec3d(world.fluid.u[i].xyz()) * (1000 * world.particleVolume);
    for (const RigidBody& r : world.solid.rigid)
      if (r.invMass > 0) sum += r.v * r.mass;
    return sum;
  };
  double mass = 1000 * w.particleVolume * w.fluid.n;
  for (const RigidBody& r : w.solid.rigid)
    if (r.invMass > 0) mass += r.mass;
  const Vec3d before = momentum(w);
  DeviceSolver solver(serialFluidCalls(), {}, w);
  for (int k = 0; k < 8; ++k) solver.step(w, w.scene.solver.dt);
  const Vec3d gravity = w.scene.gravity * (w.time * mass);
  const Vec3d left = momentum(w) - before - gravity - w.impulseOnFluidFromStatic - w.impulseOnSolidsFromStatic;
  EXPECT_LE(norm(left), 2e-5 * (norm(gravity) + w.impulseExchanged));
}

TEST(DeviceSolids, WaterFlowsOverPrimitivesAsOnTheCpu) { expectStepsOfCpu(serialFluidCalls(), kSerial, overPrimitives); }
TEST(DeviceSolids, WaterFlowsOverMeshesAsOnTheCpu) { expectStepsOfCpu(serialFluidCalls(), kSerial, overMeshes); }
TEST(DeviceSolids, WaterMeetsSheetsAsOnTheCpu) { expectStepsOfCpu(serialFluidCalls(), kSerial, atSheets); }
TEST(DeviceSolids, MovedBodiesPushWaterAsOnTheCpu) { expectStepsOfCpu(serialFluidCalls(), kSerial, movedBodies); }
TEST(DeviceSolids, FreeBodiesMoveAsOnTheCpu) { expectStepsOfCpu(serialFluidCalls(), kSerial, freeBodies); }
TEST(DeviceSolids, LyingBodiesAreHeldAsOnTheCpu) { expectStepsOfCpu(serialFluidCalls(), kSerial, lyingBodies); }
TEST(DeviceSolids, ViscousWaterDragsFreeBodiesAsOnTheCpu) { expectStepsOfCpu(serialFluidCalls(), kSerialViscous, viscousBodies); }
TEST(DeviceSolids, ViscousWaterSticksToAContainerAsOnTheCpu) { expectStepsOfCpu(serialFluidCalls(), kSerial, inContainer); }

// The continuous test has work to do: without it the water would be behind the sheets.
TEST(DeviceSolids, PathsAreCutAtSheetsAsOnTheCpu) {
  expectStepsOfCpu(serialFluidCalls(), kSerial, throughSheets);
  Exec exec;
  World w = dam(exec, throughSheets);
  DeviceSolver solver(serialFluidCalls(), {}, w);
  Index cut = 0;
  for (int k = 0; k < 5; ++k) {
    solver.step(w, w.scene.solver.dt);
    cut += w.report.contacts;
  }
  EXPECT_GT(cut, 10);
  EXPECT_EQ(w.report.leaked, 0);
}

// Contacts that go through the program, in all steps.
int sharedContacts = 0;
int (*contactsOfProgram)(void*, DeviceContactRow*, int, const DeviceContact*, int) = nullptr;
DeviceFluidCalls countingCalls() {
  DeviceFluidCalls calls = serialFluidCalls();
  calls.step = [](void* fluid, double dt, const DeviceBodies* bodies, const DeviceOpenings* openings, DeviceStepReport* report,
                  char* reason, int n) {
    DeviceBodies counting = *bodies;
    contactsOfProgram = bodies->contacts;
    counting.contacts = [](void* user, DeviceContactRow* rows, int count, const DeviceContact* contacts, int contactCount) {
      sharedContacts += contactCount;
      return contactsOfProgram(user, rows, count, contacts, contactCount);
    };
    return serialFluidCalls().step(fluid, dt, &counting, openings, report, reason, n);
  };
  return calls;
}

// Light and heavy bodies in an impact, with long sub-steps: contacts of many particles with one body, and momentum that is only
// what walls and gravity give.
TEST(DeviceSolids, ThrownBodiesExchangeMomentumAsOnTheCpu) {
  Exec exec;
  World cpu = dam(exec, thrownBodies), device = cpu;
  const auto momentum = [](const World& w) {
    Vec3d sum{};
    for (Index i = 0; i < w.fluid.n; ++i) sum += Vec3d(w.fluid.u[i].xyz()) * (1000 * w.particleVolume);
    for (const RigidBody& r : w.solid.rigid)
      if (r.invMass > 0) sum += r.v * r.mass;
    return sum;
  };
  double mass = 1000 * device.particleVolume * device.fluid.n;
  for (const RigidBody& r : device.solid.rigid)
    if (r.invMass > 0) mass += r.mass;
  const Vec3d before = momentum(device);
  const DeviceFluidCalls calls = countingCalls();
  ParticleSolver onCpu(exec, cpu);
  DeviceSolver onDevice(calls, {}, device);
  sharedContacts = 0;
  for (int k = 0; k < 12; ++k) {
    onCpu.step(cpu, cpu.scene.solver.dt);
    onDevice.step(device, device.scene.solver.dt);
    EXPECT_EQ(device.report.couplingIterations, cpu.report.couplingIterations) << k;
  }
  std::printf("%d contacts with bodies\n", sharedContacts);
  EXPECT_GT(sharedContacts, 20);
  EXPECT_LE(farthest(cpu, device), 1e-3);
  for (std::size_t i = 0; i < cpu.solid.rigid.size(); ++i)
    EXPECT_LE(norm(cpu.solid.rigid[i].x - device.solid.rigid[i].x), 1e-4 * cpu.dx);
  const Vec3d gravity = device.scene.gravity * (device.time * mass);
  const Vec3d left = momentum(device) - before - gravity - device.impulseOnFluidFromStatic - device.impulseOnSolidsFromStatic;
  EXPECT_LE(norm(left), 2e-5 * (norm(gravity) + device.impulseExchanged));
}

TEST(DeviceSolids, OrderOfThreadsDoesNotMatter) {
  Exec exec;
  expectSameInEveryOrder(dam(exec, atSheets), 4);
}

TEST(DeviceSolids, KernelsStayInTheirBuffers) {
  Exec exec;
  expectKernelsStayInTheirBuffers(dam(exec, overMeshes), 3);
}

TEST(DeviceSolids, WarmStepsAllocateNothing) {
  Exec exec;
  World w = dam(exec, overMeshes);
  DeviceSolver solver(serialFluidCalls(), {}, w);
  for (int k = 0; k < 3; ++k) solver.step(w, w.scene.solver.dt);
  const DeviceCounters warm = solver.counters();
  for (int k = 0; k < 5; ++k) solver.step(w, w.scene.solver.dt);
  EXPECT_EQ(solver.counters().allocations, warm.allocations);
}

// What a program changes of the solids between steps counts.
TEST(DeviceSolids, NewFrictionCounts) {
  Exec exec;
  World cpu = dam(exec, overMeshes), device = cpu;
  ParticleSolver onCpu(exec, cpu);
  DeviceSolver onDevice(serialFluidCalls(), {}, device);
  onDevice.step(device, device.scene.solver.dt);
  onCpu.step(cpu, cpu.scene.solver.dt);
  const auto change = [](World& w) {
    w.scene.domain.friction = 0.5;
    for (Body& b : w.solid.bodies) b.material.friction = 0.5;
  };
  change(cpu);
  change(device);
  ParticleSolver again(exec, cpu);
  for (int k = 0; k < 6; ++k) {
    onDevice.step(device, device.scene.solver.dt);
    again.step(cpu, cpu.scene.solver.dt);
  }
  EXPECT_LE(farthest(cpu, device), kSerial.positions);
}

}  // namespace
}  // namespace meniscus
