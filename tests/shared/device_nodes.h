// Scenes with solids that deform for the step on a device, and their comparison with the CPU.
#pragma once

#include "tests/shared/balloon.h"
#include "tests/shared/device_solids.h"

namespace meniscus::testing {

inline SolidDef& addDeforming(SceneDef& s, SolidKind kind, const Vec3d& size, const Vec3d& at) {
  SolidDef d;
  d.name = kind == SolidKind::cloth ? "cloth" : "block";
  d.kind = kind;
  d.shape.kind = kind == SolidKind::cloth ? ShapeKind::sheet : ShapeKind::box;
  d.shape.size = size;
  d.shape.resolution = 0.03;
  d.transform.translate = at;
  d.material.arealDensity = 0.3;
  s.solids.push_back(d);
  return s.solids.back();
}

inline void pin(SolidDef& d, const Vec3d& from, const Vec3d& to) {
  PinDef p;
  p.select = PinDef::Select::box;
  p.boxMin = from;
  p.boxMax = to;
  d.pins.push_back(p);
}

// No fluid: a cloth held along one edge swings down, another one is drawn by its corner, a soft block falls on a ball.
inline SceneDef solidsAlone() {
  SceneDef s = emptyTank("solids alone", {0, 0, 0}, {1, 0.6, 0.6}, 0.002);
  s.solver.solidSubsteps = 2;
  SolidDef& held = addDeforming(s, SolidKind::cloth, {0.2, 0.2, 0}, {0.2, 0.3, 0.4});
  held.material.stretch = {Resistance::Kind::compliance, 1e-4, 0.01};
  held.material.bend = {Resistance::Kind::stiffness, 0.1, 0};
  pin(held, {0, 0, 0}, {0.105, 1, 1});
  SolidDef& drawn = addDeforming(s, SolidKind::cloth, {0.2, 0.2, 0}, {0.5, 0.3, 0.4});
  drawn.name = "drawn";
  drawn.material.stretch = {Resistance::Kind::stiffness, 0.9, 0};
  pin(drawn, {0.35, 0.15, 0}, {0.405, 0.205, 1});
  drawn.pins[0].motion = {{0, {}, {}}, {0.02, {-0.03, 0, 0.05}, Quatd::axisAngle({0, 0, 1}, 0.5)}};
  SolidDef& block = addDeforming(s, SolidKind::soft, {0.12, 0.12, 0.09}, {0.8, 0.3, 0.15});
  block.material.density = 500;
  block.material.youngsModulus = 2e4;
  block.material.poissonRatio = 0.3;
  block.material.friction = 0.3;
  block.velocity = {0, 0, -2};
  addObstacle(s, ShapeKind::sphere, {0.8, 0.3, 0.05}).shape.radius = 0.05;
  return s;
}

// The balloon of balloon.h just above the ground, thrown at it.
inline SceneDef thrownBalloon() {
  SceneDef s = balloonScene(0.018);
  s.gravity = {0, 0, -9.81};
  s.domain.min.z = -0.09;
  s.domain.friction = 0.3;
  s.fluids[0].velocity = s.solids[0].velocity = {0.3, 0, -1};
  return s;
}

// The column is thrown at a cloth that hangs in the tank, with a free ball and a soft block behind it.
inline void thrownAtCloth(SceneDef& s) {
  s.fluids[0].velocity = {2, 0, 0.3};
  s.domain.friction = 0.2;
  SolidDef& cloth = addDeforming(s, SolidKind::cloth, {0.16, 0.16, 0}, {0.27, 0.1, 0.12});
  cloth.transform.rotate = Quatd::axisAngle({0, 1, 0}, 1.45);
  cloth.material.arealDensity = 1;
  cloth.material.stretch = {Resistance::Kind::compliance, 1e-3, 0};
  cloth.material.friction = 0.3;
  pin(cloth, {0, 0, 0.17}, {1, 1, 1});
  SolidDef& block = addDeforming(s, SolidKind::soft, {0.06, 0.06, 0.09}, {0.35, 0.04, 0.05});
  block.material.density = 700;
  block.material.youngsModulus = 3e4;
  block.material.poissonRatio = 0.3;
  SolidDef& ball = addObstacle(s, ShapeKind::sphere, {0.34, 0.15, 0.05});
  ball.kind = SolidKind::rigid;
  ball.name = "ball";
  ball.shape.radius = 0.03;
  ball.material.density = 500;
}

inline World settled(Exec& exec, const SceneDef& scene) {
  World w = buildWorld(scene, exec, nullptr);
  ParticleSolver(exec, w).settle(w);
  return w;
}

// Greatest distance of a node from itself in the other world [spacings].
inline double farthestNode(const World& a, const World& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.solid.x.size(); ++i) {
    const double d = norm(a.solid.x[i] - b.solid.x[i]);
    if (!(d <= most)) most = d;
  }
  return most / a.dx;
}

// Sums over the nodes are in another order than the CPU's, and a joint solve in single precision ends at its tolerance. Measured on
// the serial device: 1.3e-5 of a spacing for the balloon. Of cloth, edges between slack and taut go one way or the other by that
// much: 2e-3.
constexpr Agreement kSerialBalloon{1e-4, 2e-3}, kSerialCloth{1e-2, 1e-2};

// alike: the CPU preconditions as the device does, so both take as many iterations; else it takes more.
inline void expectNodesOfCpu(const DeviceFluidCalls& calls, const Agreement& within, const World& start, int steps,
                             bool alike = true) {
  Exec exec;
  World cpu = start, device = start;
  ParticleSolver onCpu(exec, cpu);
  DeviceSolver onDevice(calls, {}, device);
  int iterations = 0, onCpuIterations = 0, couplings = 0;
  for (int k = 0; k < steps; ++k) {
    onCpu.step(cpu, cpu.scene.solver.dt);
    onDevice.step(device, device.scene.solver.dt);
    const StepReport &c = cpu.report, &d = device.report;
    iterations += d.pressureIterations;
    couplings += d.couplingIterations;
    EXPECT_EQ(d.substeps, c.substeps) << k;
    EXPECT_EQ(d.converged, c.converged) << k << d.reason << "|" << c.reason;
    EXPECT_NEAR(d.constraintRows, c.constraintRows, 0.02 * c.constraintRows) << k;
    EXPECT_NEAR(d.couplingIterations, c.couplingIterations, alike ? 1 : 2) << k;
    onCpuIterations += c.pressureIterations;
    EXPECT_EQ(d.leaked, 0) << k;
  }
  const StepReport &c = cpu.report, &d = device.report;
  const double off = farthest(cpu, device), nodes = farthestNode(cpu, device);
  std::printf(
      "%d particles, %zu nodes, apart by %.2e and %.2e spacings; density error %.3e and %.3e; %d iterations in %d couplings\n",
      cpu.fluid.n, cpu.solid.x.size(), off, nodes, c.densityErrorMean, d.densityErrorMean, iterations, couplings);
  if (alike)
    EXPECT_NEAR(iterations, onCpuIterations, 5 + 0.1 * onCpuIterations);
  else
    EXPECT_LT(iterations, onCpuIterations);
  EXPECT_LE(off, within.positions);
  EXPECT_LE(nodes, within.positions);
  EXPECT_NEAR(d.densityErrorMean, c.densityErrorMean, 1e-6 + within.report * c.densityErrorMean);
  for (std::size_t i = 0; i < cpu.solid.rigid.size(); ++i)
    EXPECT_LE(norm(device.solid.rigid[i].x - cpu.solid.rigid[i].x), within.positions * cpu.dx) << cpu.solid.rigid[i].name;
  EXPECT_LE(norm(device.impulseOnFluidFromStatic - cpu.impulseOnFluidFromStatic), within.report * cpu.impulseExchanged);
  EXPECT_LE(norm(device.impulseOnSolidsFromStatic - cpu.impulseOnSolidsFromStatic), within.report * cpu.impulseExchanged);
}

}  // namespace meniscus::testing
