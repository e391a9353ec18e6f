// Rigid bodies in contact with walls in the pressure solve: lying on the floor with no water beneath, in gaps of half a spacing,
// and filling a channel from wall to wall.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/output/balance.h"
#include "engine/particle/held_bodies.h"
#include "engine/particle/step.h"
#include "engine/solid/rigid.h"
#include "engine/world/build.h"
#include "tests/shared/water_scene.h"

namespace meniscus {
namespace {

constexpr double kSpacing = 0.02, kDt = 0.005;

SceneDef tankWithBox(const Vec3d& size, const Vec3d& centre, double density) {
  SceneDef scene = testing::emptyTank("box", {0, 0, 0}, {0.4, 0.2, 0.4}, kDt);
  testing::addBoxOfWater(scene, kSpacing, {0.4, 0.2, 0.2}, {0.2, 0.1, 0.1}).carve = true;
  SolidDef box;
  box.name = "box";
  box.kind = SolidKind::rigid;
  box.shape.kind = ShapeKind::box;
  box.shape.size = size;
  box.transform.translate = centre;
  box.material.density = density;
  scene.solids.push_back(box);
  return scene;
}

struct Outcome {
  double energyStart, energyMost = 0, fastest = 0;
  int unconverged = 0, undone = 0, leaked = 0, iterations = 0;
  Vec3d start, end;
};

Outcome run(const SceneDef& scene, int steps) {
  Exec exec;
  World w = buildWorld(scene, exec, nullptr);
  ParticleSolver solver(exec, w);
  solver.settle(w);
  Outcome o;
  o.energyStart = totalEnergy(w);
  o.start = w.solid.rigid[0].x;
  for (int k = 0; k < steps; ++k) {
    solver.step(w, scene.solver.dt);
    o.energyMost = std::max(o.energyMost, totalEnergy(w));
    o.fastest = std::max(o.fastest, double(w.report.maxSpeed));
    o.unconverged += !w.report.converged;
    o.undone += w.report.undone;
    o.leaked += w.report.leaked;
    o.iterations = std::max(o.iterations, w.report.couplingIterations);
  }
  o.end = w.solid.rigid[0].x;
  return o;
}

// Water presses light bodies on the floor that it cannot get beneath: they stay.
TEST(HeldBodies, LightOnesStayOnTheFloor) {
  for (const double density : {20.0, 300.0, 5000.0}) {
    const Outcome o = run(tankWithBox({0.1, 0.1, 0.08}, {0.2, 0.1, 0.04}, density), 20);
    EXPECT_EQ(o.unconverged, 0) << density;
    EXPECT_LE(o.iterations, 4) << density;
    EXPECT_NEAR(norm(o.end - o.start), 0, 1e-6) << density;
    EXPECT_LE(o.energyMost, o.energyStart * (1 + 1e-3)) << density;
  }
}

TEST(HeldBodies, PlatesStayOnTheFloor) {
  for (const double density : {20.0, 5000.0}) {
    const Outcome o = run(tankWithBox({0.16, 0.12, 0.01}, {0.2, 0.1, 0.005}, density), 20);
    EXPECT_EQ(o.unconverged, 0) << density;
    EXPECT_NEAR(norm(o.end - o.start), 0, 1e-6) << density;
  }
}

// Half a spacing off the floor and two walls.
TEST(HeldBodies, LightOnesNearWallsGainNoEnergy) {
  const Outcome channel = run(tankWithBox({0.1, 0.18, 0.08}, {0.2, 0.1, 0.05}, 100), 60),
                corner = run(tankWithBox({0.1, 0.1, 0.08}, {0.06, 0.06, 0.05}, 100), 60);
  for (const Outcome& o : {channel, corner}) {
    EXPECT_LE(o.energyMost, o.energyStart * 1.01);
    EXPECT_LE(o.unconverged, 3);
    EXPECT_EQ(o.leaked, 0);
  }
}

// A heavy box that fills a channel from wall to wall sinks on a layer of water that has to get out at its sides.
TEST(HeldBodies, WaterUnderASinkingBoxGetsNoFasterThanEnergyAllows) {
  const Outcome o = run(tankWithBox({0.1, 0.2, 0.08}, {0.2, 0.1, 0.1}, 5000), 60);
  EXPECT_LE(o.energyMost, o.energyStart * 1.02);
  // all of the box's weight from where it starts, in eight particles
  const double fall = 5000 * 0.1 * 0.2 * 0.08 * 9.81 * 0.06;
  EXPECT_LE(o.fastest, std::sqrt(2 * fall / (8 * 1000 * std::pow(kSpacing, 3))));
  EXPECT_EQ(o.leaked, 0);
}

// What is left of a body's freedom on a floor: it slides and spins, and neither sinks nor tips; and what the floor gives is a push
// at each corner.
TEST(HeldBodies, ContactsTakeTheirDirections) {
  SolidState s;
  RigidBody b;
  b.mass = 2;
  b.invMass = 0.5;
  b.inertia = {0.1, 0.2, 0.3};
  b.invInertia = {10, 5, 1 / 0.3};
  b.x = b.xPrev = {0, 0, 0.5};
  b.q = b.qPrev = Quatd::axisAngle({0, 0, 1}, 0.4);
  b.reach = 1;
  s.rigid.push_back(b);
  HeldBodies held;
  held.begin(s);
  for (int k = 0; k < 4; ++k) {
    RigidContact c{};
    c.local = {k & 1 ? 0.4 : -0.4, k & 2 ? 0.3 : -0.3, -0.5};
    c.n = {0, 0, 1};
    c.sample = k;
    c.lambda = 1e-3;
    s.work.rigidContacts.push_back(c);
  }
  const double h = 0.01;
  held.note(s, h);
  std::vector<Vec3d> v{{1, 2, -3}}, omega{{0.5, -0.7, 0.2}};
  held.endProjection(s, {v, omega}, {v, omega}, v, omega);
  EXPECT_NEAR(v[0].z, -3 - 4 * 1e-3 / h * b.invMass, 1e-12);  // the contacts' own part is taken out
  held.take(s, h);
  ASSERT_TRUE(held.any());
  std::vector<Vec3d> left = v, leftOmega = omega;
  held.hold(left, leftOmega);
  EXPECT_NEAR(norm(left[0] - Vec3d{1, 2, 0}), 0, 1e-12);
  EXPECT_NEAR(norm(leftOmega[0] - Vec3d{0, 0, 0.2}), 0, 1e-12);
  const Vec3d force{3, -1, -7}, torque{1, 2, 0.6};
  const RigidRate a = held.holds()[0].of({force * b.invMass, inWorldAxes(b.qPrev, b.invInertia) * torque}, force, torque);
  EXPECT_NEAR(norm(a.linear - Vec3d{1.5, -0.5, 0}), 0, 1e-12);
  EXPECT_NEAR(norm(a.angular - Vec3d{0, 0, 2}), 0, 1e-12);
  // pushed down: all stay. lifted: all are let go.
  const std::vector<Vec3d> none{{}}, down{{0, 0, -1}}, up{{0, 0, 1}}, still{{0, 0, 0}};
  EXPECT_FALSE(held.release(s, h, {down, none}, {none, none}, {still, none}, 1e-4));
  EXPECT_TRUE(held.release(s, h, {up, none}, {none, none}, {still, none}, 1e-4));
  held.take(s, h);
  EXPECT_FALSE(held.any());
}

}  // namespace
}  // namespace meniscus
