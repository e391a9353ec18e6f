// Rigid bodies in contact with walls in the pressure solve: lying on the floor with no water beneath, in gaps of half a spacing,
// and filling a channel from wall to wall.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <utility>

#include "engine/output/balance.h"
#include "engine/particle/held_bodies.h"
#include "engine/particle/step.h"
#include "engine/scene/mesh_file.h"
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
  Vec3d start, end, velocity, spin;
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
  o.velocity = w.solid.rigid[0].v;
  o.spin = w.solid.rigid[0].omega;
  return o;
}

// Gravity leans by `degrees` against a dry floor that water stands on far from the body.
Outcome slide(const ShapeDef& shape, double height, double mu, double degrees, double speed) {
  SceneDef scene = testing::emptyTank("slide", {0, 0, 0}, {1.2, 0.4, 0.4}, 0.004);
  const double a = degrees * 3.14159265358979 / 180, g = 9.81;
  scene.gravity = {g * std::sin(a), 0, -g * std::cos(a)};
  testing::addBoxOfWater(scene, 0.03, {0.12, 0.4, 0.06}, {1.14, 0.2, 0.03});
  SolidDef body;
  body.name = "body";
  body.kind = SolidKind::rigid;
  body.shape = shape;
  body.transform.translate = {0.3, 0.2, height};
  body.material.density = 1000;
  body.material.friction = mu;
  body.velocity = {speed, 0, 0};
  scene.solids.push_back(body);
  return run(scene, 60);
}

Outcome slide(const Vec3d& size, double mu, double degrees, double speed) {
  ShapeDef box;
  box.size = size;
  return slide(box, size.z / 2, mu, degrees, speed);
}

// A prism of n sides, whose corners all lie at heights of their own, within 1e-4 of its height.
ShapeDef unevenPrism(Index n, double radius, double height) {
  auto mesh = std::make_shared<MeshFile>();
  const auto triangle = [&](Index a, Index b, Index c) { mesh->tri.insert(mesh->tri.end(), {a, b, c}); };
  for (Index k = 0; k < n; ++k) {
    const double a = 2 * 3.14159265358979 * double(k) / double(n), z = height * (0.5 + 1e-4 * double(k * 7 % n) / double(n));
    for (const double end : {-z, z}) mesh->x.push_back({radius * std::cos(a), radius * std::sin(a), end});
    const Index next = (k + 1) % n;
    triangle(2 * k, 2 * next, 2 * next + 1);
    triangle(2 * k, 2 * next + 1, 2 * k + 1);
    if (k == 0 || next == 0) continue;
    triangle(0, 2 * next, 2 * k);
    triangle(1, 2 * k + 1, 2 * next + 1);
  }
  mesh->face.resize(mesh->tri.size() / 3);
  for (std::size_t k = 0; k < mesh->face.size(); ++k) mesh->face[k] = Index(k);
  ShapeDef shape;
  shape.kind = ShapeKind::mesh;
  shape.mesh = mesh;
  return shape;
}

// By Coulomb's law, whether corners share the load evenly (a plate) or the front ones carry more (a cube), and without turning.
TEST(HeldBodies, SlideByTheirFriction) {
  for (const Vec3d& size : {Vec3d{0.2, 0.12, 0.02}, Vec3d{0.12, 0.12, 0.06}, Vec3d{0.1, 0.1, 0.1}}) {
    const Outcome o = slide(size, 0.3, 0, 1);
    EXPECT_NEAR(norm(o.velocity - Vec3d{1 - 0.3 * 9.81 * 0.24, 0, 0}), 0, 0.01) << size.z;
    EXPECT_LE(norm(o.spin), 0.02) << size.z;
    EXPECT_EQ(o.unconverged, 0) << size.z;
  }
}

// Bodies that stand on many points slide by Coulomb's law as well, to what one projection leaves, and gain nothing.
TEST(HeldBodies, ManyPointsSlideByTheirFriction) {
  ShapeDef can;
  can.kind = ShapeKind::cylinder;
  can.radius = 0.06;
  can.height = 0.06;
  ShapeDef pole = can;
  pole.radius = 0.03;
  pole.height = 0.1;
  for (const auto& [shape, height] : {std::pair{can, 0.03}, {pole, 0.05}, {unevenPrism(32, 0.08, 0.04), 0.02 * (1 + 2e-4)}}) {
    const double mu = 0.3, speed = 2;
    const Outcome o = slide(shape, height, mu, 0, speed);
    EXPECT_NEAR(o.velocity.x, speed - mu * 9.81 * 0.24, 0.05) << height;
    EXPECT_LE(std::fabs(o.velocity.z), 0.02) << height;  // it rocks on corners a few micrometres apart
    EXPECT_LE(o.energyMost, o.energyStart * (1 + 1e-3)) << height;
    EXPECT_EQ(o.unconverged, 0) << height;
  }
}

TEST(HeldBodies, StickOnASlopeWithinTheirFriction) {
  for (const double mu : {0.4, 0.6}) {  // tan 20 degrees: .364
    const Outcome o = slide({0.1, 0.1, 0.06}, mu, 20, 0);
    EXPECT_LE(norm(o.velocity), 2e-3) << mu;
    EXPECT_LE(norm(o.end - o.start), 1e-3) << mu;
  }
}

// What a scene's meshes left in the working memory of threads is nothing to the next scene's.
TEST(HeldBodies, NothingOfAnotherSceneIsMet) {
  SceneDef boxes = tankWithBox({0.1, 0.1, 0.1}, {0.2, 0.1, 0.1}, 500), mesh = boxes;
  mesh.solids[0].shape = unevenPrism(32, 0.08, 0.1);
  const auto end = [](Exec& exec, const SceneDef& scene) {
    World w = buildWorld(scene, exec, nullptr);
    ParticleSolver solver(exec, w);
    for (int k = 0; k < 5; ++k) solver.step(w, scene.solver.dt);
    return w.solid.rigid[0].x;
  };
  Exec fresh, used;
  end(used, mesh);
  const Vec3d a = end(fresh, boxes), b = end(used, boxes);
  for (int k = 0; k < 3; ++k) EXPECT_EQ(a[k], b[k]);
}

// A solver that is made anew while a kinematic body is somewhere else knows the gaps of the start.
TEST(HeldBodies, KeepTheirGapsToBodiesThatHaveMoved) {
  SceneDef scene = tankWithBox({0.1, 0.1, 0.1}, {0.2, 0.1, 0.29}, 500);
  SolidDef plate;
  plate.name = "plate";
  plate.kind = SolidKind::kinematic;
  plate.shape.kind = ShapeKind::box;
  plate.shape.size = {0.2, 0.2, 0.03};
  plate.transform.translate = {0.2, 0.1, 0.225};
  scene.solids.push_back(plate);
  Exec exec;
  World w = buildWorld(scene, exec, nullptr);
  const ParticleSolver first(exec, w);
  const Buffer<double> gaps = w.solid.work.rigidClearance;
  EXPECT_NEAR(gaps[4], 0, 1e-9);  // it stands on the plate
  w.solid.rigid[1].x.z -= 0.1;
  const ParticleSolver again(exec, w);
  ASSERT_EQ(w.solid.work.rigidClearance.size(), gaps.size());
  for (std::size_t k = 0; k < gaps.size(); ++k) EXPECT_EQ(w.solid.work.rigidClearance[k], gaps[k]) << k;
  EXPECT_NEAR(w.solid.rigid[1].x.z, 0.125, 1e-12);
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

// A light rod, whose friction keeps it from being pushed about: what moves with it is the water, fifty times as heavy.
TEST(HeldBodies, LightRodsStick) {
  SceneDef scene = tankWithBox({0.2, 0.04, 0.03}, {0.2, 0.1, 0.015}, 22);
  scene.solids[0].material.friction = 0.6;
  const Outcome o = run(scene, 30);
  EXPECT_EQ(o.unconverged, 0);
  EXPECT_LE(norm(o.end - o.start), 1e-3);
  EXPECT_LE(o.energyMost, o.energyStart * (1 + 1e-3));
}

// Bodies of many points under water, on the floor and against walls.
TEST(HeldBodies, ManyPointsUnderWater) {
  ShapeDef can;
  can.kind = ShapeKind::cylinder;
  can.radius = 0.05;
  can.height = 0.06;
  for (const ShapeDef& shape : {can, unevenPrism(32, 0.05, 0.06)})
    for (const double density : {100.0, 2000.0})
      for (const Vec3d& centre : {Vec3d{0.2, 0.1, 0.031}, {0.06, 0.06, 0.04}}) {
        SceneDef scene = tankWithBox({0.1, 0.1, 0.1}, centre, density);
        scene.solids[0].shape = shape;
        scene.solids[0].material.friction = centre.x > 0.1 ? 0.3 : 0;  // light ones that slide along walls take more iterations
        const Outcome o = run(scene, 30);
        EXPECT_LE(o.unconverged, 1) << density << " " << centre.x;
        EXPECT_LE(o.fastest, 1) << density << " " << centre.x;
        EXPECT_LE(o.energyMost, o.energyStart * 1.01) << density << " " << centre.x;
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
  const std::vector<Vec3d> pressed{{0, 0, 1}}, unturned{{}};
  held.note(s, h, {pressed, unturned});
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
  const RigidRate a = held.holds().own[0].of({force * b.invMass, inWorldAxes(b.qPrev, b.invInertia) * torque}, force, torque);
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
