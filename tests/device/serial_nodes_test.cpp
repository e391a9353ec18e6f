// Solids that deform on the serial device against the CPU.
#include <string>

#include <cstring>
#include <random>
#include <set>
#include <string>
#include <utility>

#include "engine/base/error.h"
#include "engine/particle/device/device_constraints.h"
#include "engine/particle/remote_pressure.h"
#include "engine/scene/load.h"
#include "engine/solid/obstacles.h"
#include "engine/solid/solid.h"
#include "tests/shared/device_nodes.h"
#include "tests/shared/device_orders.h"

namespace meniscus {
namespace {

using namespace testing;

Index nodesOfSweeps = 0;      // of the sweeps made last
std::vector<int> sweepCalls;  // how many were asked for at once

TEST(DeviceNodes, SolidsAloneMoveAsOnTheCpu) {
  Exec exec;
  const World start = settled(exec, solidsAlone());
  expectNodesOfCpu(serialFluidCalls(), kSerialCloth, start, 10);
}

// The sweeps of a projection on the device, by themselves.
const DeviceJoint& sweepsAlone(DeviceConstraints& constraints) {
  static DeviceJoint joint{};
  joint.device = &constraints;
  joint.beginSweeps = [](void* d, const DeviceSweep* s) {
    static_cast<DeviceConstraints*>(d)->begin(*s, nodesOfSweeps, {});
    return 0;
  };
  joint.sweep = [](void* d, std::int32_t times, double* x, double* moved) {
    *moved = static_cast<DeviceConstraints*>(d)->sweep(times, x);
    sweepCalls.push_back(times);
    return 0;
  };
  joint.endSweeps = [](void* d, double* lambda, void* contacts) {
    static_cast<DeviceConstraints*>(d)->end(lambda, static_cast<NodeAtObstacle*>(contacts));
    return 0;
  };
  return joint;
}

// Cloth with both kinds of bending, membranes and tetrahedra, stretched, sheared and lifted at random: eight sweeps of a projection
// have the same bits as on the CPU.
struct Sweeps {
  std::vector<int> calls;  // how many were asked for at once
  int touching = 0;        // nodes at obstacles
};
// clearance: every third node keeps half the margin only.
Sweeps expectSweepsOfCpu(const SceneDef& scene, bool obstacles, double margin, bool clearance = false) {
  Exec exec;
  World cpu = buildWorld(scene, exec, nullptr);
  SolidState& s = cpu.solid;
  std::mt19937 random(7);
  std::uniform_real_distribution<double> by(-0.004, 0.004);
  predictSolids(exec, s, scene.gravity, 0, scene.solver.dt);
  for (std::size_t i = 0; i < s.x.size(); ++i)
    if (s.w[i] > 0) s.x[i] += Vec3d{by(random), by(random), by(random)};
  if (clearance) s.work.clearance.assign(s.x.size(), 1.0);
  for (std::size_t i = 0; i < s.work.clearance.size(); i += 3) s.work.clearance[i] = 0.5 * margin;
  SolidState onDevice = s;
  std::vector<double> wNormal(s.x.size());
  std::vector<Vec3d> normal(s.x.size(), normalized(Vec3d{1, 2, 3}));
  for (std::size_t i = 0; i < s.x.size(); ++i) wNormal[i] = 0.5 * s.w[i];
  std::vector<std::uint8_t> leftOut(s.constraints.items.size());
  for (std::size_t k = 0; k < leftOut.size(); k += 7) leftOut[k] = 1;
  Device device;
  DeviceConstraints constraints(device);
  nodesOfSweeps = Index(s.x.size());
  sweepCalls.clear();
  RemoteSweeps sweeps;
  sweeps.start(sweepsAlone(constraints), false);
  for (SolidState* state : {&s, &onDevice}) {
    const SceneObstacles around(scene.domain, *state);
    projectSolids(exec, *state, obstacles ? &around : nullptr, margin, scene.solver.dt, 8, wNormal.data(), normal.data(),
                  leftOut.data(), state == &s ? nullptr : &sweeps);
  }
  std::set<int> kinds;
  for (const Constraint& c : s.constraints.items) kinds.insert(int(c.type));
  std::printf("%zu constraints of %zu kinds in %zu colours, %zu calls\n", s.constraints.items.size(), kinds.size(),
              s.constraints.colourBegin.size() - 1, sweepCalls.size());
  EXPECT_EQ(std::memcmp(s.x.data(), onDevice.x.data(), s.x.size() * sizeof(Vec3d)), 0);
  EXPECT_EQ(std::memcmp(s.constraints.lambda.data(), onDevice.constraints.lambda.data(), leftOut.size() * sizeof(double)), 0);
  Sweeps found{sweepCalls};
  EXPECT_EQ(s.work.nodeContacts.size(), onDevice.work.nodeContacts.size());
  for (std::size_t i = 0; i < s.x.size(); ++i) {
    const NodeContact &a = s.work.nodeContacts[i], &b = onDevice.work.nodeContacts[i];
    EXPECT_TRUE(a.depth == b.depth && a.moved == b.moved && a.n == b.n && a.v == b.v) << i;
    found.touching += a.depth > 0;
  }
  return found;
}

TEST(DeviceNodes, SweepsHaveTheBitsOfTheCpu) {
  SceneDef scene = solidsAlone();
  scene.solids[1].material.youngsModulus = 1e5;
  scene.solids[1].material.thickness = 1e-3;
  const std::vector<int> one(8, 1), atOnce{8};
  Sweeps found = expectSweepsOfCpu(scene, false, 0);
  EXPECT_EQ(found.calls, atOnce);
  // a ball is just under the block: walls and analytic solids are there as well, with friction
  found = expectSweepsOfCpu(scene, true, 0.03);
  EXPECT_EQ(found.calls, atOnce);
  EXPECT_GT(found.touching, 3);
  const int all = found.touching;
  found = expectSweepsOfCpu(scene, true, 0.03, true);
  EXPECT_LT(found.touching, all);
  EXPECT_GT(found.touching, 3);
  // a ball of triangles is not: its contacts come between the sweeps
  scene.solids.back().shape.resolution = 0.03;
  found = expectSweepsOfCpu(scene, true, 0.03);
  EXPECT_EQ(found.calls, one);
  EXPECT_GT(found.touching, 3);
  // or it is far away, as long as no node gets farther than it was looked for
  scene.solids.back().transform.translate.z = 0.55;
  found = expectSweepsOfCpu(scene, true, 0.01);
  EXPECT_EQ(found.calls, atOnce);
  std::vector<int> again{8};
  again.insert(again.end(), one.begin(), one.end());
  found = expectSweepsOfCpu(scene, true, 1e-4);
  EXPECT_EQ(found.calls, again);
}

TEST(DeviceNodes, BalloonHitsTheGroundAsOnTheCpu) {
  Exec exec;
  const World start = settled(exec, thrownBalloon());
  expectNodesOfCpu(serialFluidCalls(), kSerialBalloon, start, 12);
}

TEST(DeviceNodes, ClothCatchesWaterAsOnTheCpu) {
  Exec exec;
  expectNodesOfCpu(serialFluidCalls(), kSerialCloth, dam(exec, thrownAtCloth), 10);
}

// Rigid bodies that lie on the ground, beside a soft one: what holds them goes to the solve that has the solids' rows.
TEST(DeviceNodes, LyingBodiesAreHeldBesideASoftOneAsOnTheCpu) {
  Exec exec;
  const World start = dam(exec, [](SceneDef& s) {
    lyingBodies(s);
    SolidDef& block = addDeforming(s, SolidKind::soft, {0.06, 0.06, 0.09}, {0.3, 0.1, 0.06});
    block.material.density = 700;
    block.material.youngsModulus = 3e4;
    block.material.poissonRatio = 0.3;
  });
  expectNodesOfCpu(serialFluidCalls(), kSerialCloth, start, 6);
}

// One falls on another that is held along two sides, beside a little water: the contacts are those of the CPU.
TEST(DeviceNodes, AClothFallsOnAnotherAsOnTheCpu) {
  Exec exec;
  const World start = dam(exec, [](SceneDef& s) {
    for (const bool upper : {false, true}) {
      SolidDef& cloth = addDeforming(s, SolidKind::cloth, {upper ? 0.08 : 0.12, 0.12, 0}, {0.3, 0.1, upper ? 0.156 : 0.15});
      cloth.name = upper ? "upper" : "lower";
      cloth.shape.resolution = upper ? 0.021 : 0.02;
      cloth.material.stretch = {Resistance::Kind::compliance, 1e-3, 0};
      if (upper)
        cloth.velocity = {0, 0, -0.5};
      else
        for (const double side : {0.24, 0.36}) pin(cloth, {side - 0.001, 0, 0.14}, {side + 0.001, 1, 0.152});
    }
  });
  World cpu = start, device = start;
  ParticleSolver onCpu(exec, cpu);
  DeviceSolver onDevice(serialFluidCalls(), {}, device);
  int acting = 0;
  for (int k = 0; k < 8; ++k) {
    onCpu.step(cpu, cpu.scene.solver.dt);
    onDevice.step(device, device.scene.solver.dt);
    const std::vector<BodyContact>&a = cpu.solid.work.bodyContacts, &b = device.solid.work.bodyContacts;
    ASSERT_EQ(a.size(), b.size()) << k;
    for (std::size_t c = 0; c < a.size(); ++c) {
      // which of two triangles with one nearest point is the closest one, the last bit says
      EXPECT_EQ(a[c].node[0], b[c].node[0]) << k << ' ' << c;
      EXPECT_NEAR(a[c].distance, b[c].distance, kSerialCloth.positions * cpu.dx) << k << ' ' << c;
      acting += a[c].lambda > 0;
    }
  }
  EXPECT_GT(acting, 20);
  EXPECT_LE(farthest(cpu, device), kSerialCloth.positions);
  EXPECT_LE(farthestNode(cpu, device), kSerialCloth.positions);
}

TEST(DeviceNodes, OrderOfThreadsDoesNotMatter) {
  Exec exec;
  expectSameInEveryOrder(settled(exec, thrownBalloon()), 4);
}

// Nor does it matter whether the iterations of a solve are recorded and replayed or given one by one.
TEST(DeviceNodes, RecordedLaunchesHaveTheSameBits) {
  Exec exec;
  World recorded = settled(exec, thrownBalloon()), given = recorded;
  recorded.scene.fluids[0].viscosity = given.scene.fluids[0].viscosity = 1e-3;
  DeviceOptions options;
  options.recorded = false;
  DeviceSolver a(serialFluidCalls(), {}, recorded), b(serialFluidCalls(), options, given);
  for (int k = 0; k < 3; ++k) {
    a.step(recorded, recorded.scene.solver.dt);
    b.step(given, given.scene.solver.dt);
  }
  EXPECT_GT(a.counters().replayed, 100u);
  EXPECT_EQ(b.counters().replays, 0u);
  EXPECT_EQ(a.counters().launches + a.counters().replayed, b.counters().launches);
  EXPECT_TRUE(sameBits(recorded, given));
  EXPECT_EQ(farthestNode(recorded, given), 0);
}

TEST(DeviceNodes, KernelsStayInTheirBuffers) {
  Exec exec;
  expectKernelsStayInTheirBuffers(settled(exec, thrownBalloon()), 3);
}

// What a warm step does between an upload and a download of the particles.
struct StepCost {
  std::uint64_t up, down, copiesUp, copiesDown, launches, replays, replayed;
  DeviceStepReport report;
};
StepCost costOfStep(World& w) {
  DeviceSolver solver(serialFluidCalls(), {}, w);
  StepCost c{};
  solver.upload(w);
  solver.advance(w, w.scene.solver.dt, c.report);
  const DeviceCounters before = solver.counters();
  solver.advance(w, w.scene.solver.dt, c.report);
  const DeviceCounters after = solver.counters();
  c.up = after.toDevice - before.toDevice;
  c.down = after.toHost - before.toHost;
  c.copiesUp = after.copiesToDevice - before.copiesToDevice;
  c.copiesDown = after.copiesToHost - before.copiesToHost;
  c.launches = after.launches - before.launches;
  c.replays = after.replays - before.replays;
  c.replayed = after.replayed - before.replayed;
  std::printf(
      "%d particles, %d sub-steps, %d solves of %d iterations: %llu bytes up in %llu copies, %llu down in %llu; %llu launches "
      "one by one, %llu in %llu recordings\n",
      w.fluid.n, c.report.substeps, c.report.pressureSolves, c.report.pressureIterations, (unsigned long long)c.up,
      (unsigned long long)c.copiesUp, (unsigned long long)c.down, (unsigned long long)c.copiesDown, (unsigned long long)c.launches,
      (unsigned long long)c.replayed, (unsigned long long)c.replays);
  return c;
}

// Fluid alone copies some numbers to the host and nothing to the device. Beside solids that deform, what crosses the bus belongs to
// nodes, their constraints and particles that touch them: with more water elsewhere in the tank it is the same, to less than a
// single number for each of its particles.
TEST(DeviceNodes, ParticlesStayOnTheDevice) {
  Exec exec;
  World water = dam(exec);
  const StepCost alone = costOfStep(water);
  EXPECT_EQ(alone.copiesUp, 0u);
  EXPECT_LE(alone.down, 4096u);
  SceneDef high = thrownBalloon();  // what nodes at obstacles have to do with them is copied only where there are some
  high.domain.min.z = -0.3;
  World balloon = settled(exec, high);
  const StepCost beside = costOfStep(balloon);
  SceneDef more = high;
  ShapeDef box;
  box.size = {0.12, 0.12, 0.12};
  more.fluids[0].shapes.push_back(box);
  more.fluids[0].transforms.push_back({{0.2, 0.2, 0.2}});
  World withMore = settled(exec, more);
  const Index extra = withMore.fluid.n - balloon.fluid.n;
  ASSERT_GT(extra, 100);
  const StepCost besideMore = costOfStep(withMore);
  ASSERT_EQ(besideMore.report.pressureSolves, beside.report.pressureSolves);
  EXPECT_NEAR(double(besideMore.up), double(beside.up), 4.0 * extra);
  EXPECT_NEAR(double(besideMore.down), double(beside.down), 4.0 * extra);
}

// A solve is one copy to the device; a projection one, and one for its first sweep and for all others together where nothing but
// the constraints acts on the nodes.
TEST(DeviceNodes, RowsGoInOneCopy) {
  Exec exec;
  SceneDef high = thrownBalloon();
  high.domain.min.z = -0.3;
  World balloon = settled(exec, high);
  const StepCost c = costOfStep(balloon);
  ASSERT_EQ(c.report.substeps, 1);
  ASSERT_GE(c.report.pressureSolves, 1);
  EXPECT_LE(c.copiesUp, 8u + 5u * unsigned(c.report.pressureSolves));
  // the rows of edges are made on the device: with them and the multipliers to start from, a step sent twice what they take
  std::size_t edges = 0;
  for (const Constraint& k : balloon.solid.constraints.items) edges += k.type == ConstraintType::distance;
  ASSERT_GT(edges, 1000u);
  EXPECT_LT(double(c.up), 1.4 * double(edges) * (sizeof(EdgeRow) + 2 * sizeof(Vec4f)));
}

// Rows of constraints are made on the device: a solve and a projection send what belongs to nodes, whatever the constraints are,
// and get that back; a sub-step sends their multipliers once and gets them once.
TEST(DeviceNodes, ConstraintsStayOnTheDevice) {
  Exec exec;
  const World coarse = dam(exec, thrownAtCloth);
  World soft = dam(exec, [](SceneDef& s) {
    thrownAtCloth(s);
    for (SolidDef& d : s.solids)
      if (d.kind != SolidKind::rigid) d.shape.resolution = 0.015;
  });
  const std::size_t constraints = soft.solid.constraints.items.size(), nodes = soft.solid.x.size();
  ASSERT_GT(constraints, 3 * coarse.solid.constraints.items.size());
  const StepCost c = costOfStep(soft);
  EXPECT_GT(c.report.pressureSolves, c.report.substeps);
  const double once = double(nodes) * (3 * 24 + 8 + 2 * 24 + 24) + 8.0 * double(constraints), solve = double(nodes) * (2 * 24 + 4),
               projection = double(nodes) * 24;
  const double some = 60e3;  // contacts, rigid bodies, alignment
  EXPECT_LT(double(c.up), c.report.substeps * once + c.report.pressureSolves * (solve + 2 * projection) + some);
  EXPECT_LT(double(c.down), c.report.substeps * (8.0 * double(constraints + nodes)) +
                                c.report.pressureSolves * (projection + 2 * projection) + some);
}

// Edges so weak that they are taken explicitly, beside others.
TEST(DeviceNodes, WeakEdgesAreThoseOfTheCpu) {
  Exec exec;
  expectNodesOfCpu(serialFluidCalls(), kSerialCloth,
                   dam(exec,
                       [](SceneDef& s) {
                         thrownAtCloth(s);
                         s.solids[0].material.stretch = {Resistance::Kind::compliance, 20, 0};
                       }),
                   6);
}

// Edges that are others in the middle of a run, and nodes that are held then: the device hears of it.
TEST(DeviceNodes, ChangedEdgesAreThoseOfTheCpu) {
  Exec exec;
  World cpu = dam(exec, thrownAtCloth), device = cpu, unchanged = cpu;
  ParticleSolver onCpu(exec, cpu), others(exec, unchanged);
  DeviceSolver onDevice(serialFluidCalls(), {}, device);
  for (int k = 0; k < 6; ++k) {
    for (World* w : {&cpu, &device}) {
      if (k == 2)
        for (Constraint& c : w->solid.constraints.items)
          if (c.type == ConstraintType::distance) c.compliance *= 1000;
      if (k == 4) w->solid.w[0] = 0;
    }
    onCpu.step(cpu, cpu.scene.solver.dt);
    onDevice.step(device, device.scene.solver.dt);
    others.step(unchanged, unchanged.scene.solver.dt);
  }
  EXPECT_LE(farthest(cpu, device), kSerialCloth.positions);
  EXPECT_LE(farthestNode(cpu, device), kSerialCloth.positions);
  EXPECT_GT(farthestNode(cpu, unchanged), 2 * kSerialCloth.positions);
}

// A solver may be given another copy of its world.
TEST(DeviceNodes, AnotherWorldGoesOnFromWhereItIs) {
  Exec exec;
  World a = settled(exec, thrownBalloon());
  DeviceSolver solver(serialFluidCalls(), {}, a);
  solver.step(a, a.scene.solver.dt);
  World b = a;
  solver.step(a, a.scene.solver.dt);
  solver.step(b, b.scene.solver.dt);
  EXPECT_TRUE(sameBits(a, b));
  EXPECT_EQ(farthestNode(a, b), 0);
}

// Scenes of the paper at their size, their first step; none of the six needs anything that a device has not.
class SlowScenesOfThePaper : public ::testing::TestWithParam<const char*> {};

TEST_P(SlowScenesOfThePaper, StepAsOnTheCpu) {
  Exec exec;
  const SceneDef scene = loadScene(std::string(MENISCUS_SOURCE_DIR) + "/assets/scenes/" + GetParam() + ".json");
  World start = buildWorld(scene, exec, nullptr);
  ParticleSolver(exec, start).settle(start);
  expectNodesOfCpu(serialFluidCalls(), kSerialCloth, start, 1);
}

INSTANTIATE_TEST_SUITE_P(DeviceNodes, SlowScenesOfThePaper,
                         ::testing::Values("deformable-bodies", "double-cloth", "flower-pot", "shell-in-basin", "shower-on-cloth",
                                           "water-balloon"));

// A viscous fluid drags a balloon's skin along, and cloth, a block and a ball that it sticks to.
TEST(DeviceNodes, ViscousFluidMovesSolidsAsOnTheCpu) {
  Exec exec;
  SceneDef balloon = thrownBalloon();
  balloon.fluids[0].viscosity = 1e-2;
  balloon.solids[0].material.noSlip = true;
  expectNodesOfCpu(serialFluidCalls(), kSerialBalloon, settled(exec, balloon), 6);
  const World start = dam(exec, [](SceneDef& s) {
    thrownAtCloth(s);
    s.fluids[0].viscosity = 1e-2;
    for (SolidDef& d : s.solids) d.material.noSlip = true;
  });
  expectNodesOfCpu(serialFluidCalls(), kSerialCloth, start, 8);
}

}  // namespace
}  // namespace meniscus
