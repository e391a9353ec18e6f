// Contact after the move: what it takes from particles it gives to the bodies, momentum and angular momentum.
#include <gtest/gtest.h>

#include "tests/contact/contact_scene.h"

namespace meniscus {
namespace {

using namespace test;

Vec3d momentum(const ContactScene& s) {
  Vec3d p{};
  const double m = 1000 * s.world.particleVolume;
  for (const Vec4f& u : s.u) p += Vec3d(u.xyz()) * m;
  for (std::size_t k = 0; k < s.world.solid.v.size(); ++k)
    if (s.world.solid.w[k] > 0) p += s.world.solid.v[k] * s.world.solid.mass[k];
  for (const RigidBody& r : s.world.solid.rigid) p += r.v * r.mass;
  return p;
}

// Many particles on a few light nodes must not throw them: the energy falls, the momentum stays.
TEST(Resolve, MomentumOfParticlesAndClothIsKept) {
  World w = emptyWorld({0.4, 0.4, 0.4}, false);
  const Mesh m = sheet({0.1, 0.1, 0.2}, {0.2, 0, 0}, {0, 0.2, 0}, 3, 3);
  addSurface(w, SolidKind::cloth, false, true, m.x, m.tri, 1e-4);  // 80 times lighter than a particle
  w.solid.bodies[0].material.friction = 0.2;
  ContactScene s(std::move(w));
  Random random(34);
  std::vector<Vec3d> p;
  for (int i = 0; i < 60; ++i) p.push_back({random.uniform(0.12, 0.28), random.uniform(0.12, 0.28), 0.206});
  s.setParticles(p);
  s.find();
  const double mass = 1000 * s.world.particleVolume;
  double energy = 0, impulse = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const Vec3d u{random.uniform(-1, 1), random.uniform(-1, 1), -5};
    setVelocity(s, i, u, 0.002);
    energy += 0.5 * mass * norm2(u);
    impulse += mass * norm(u);
  }
  const Vec3d before = momentum(s);
  s.resolve();
  EXPECT_LT(norm(momentum(s) - before), 1e-6 * impulse);
  EXPECT_LT(norm(s.world.impulseOnFluidFromStatic), 1e-12);
  double after = 0;
  for (const Vec4f& u : s.u) after += 0.5 * mass * double(norm2(u.xyz()));
  for (std::size_t k = 0; k < s.world.solid.v.size(); ++k) after += 0.5 * s.world.solid.mass[k] * norm2(s.world.solid.v[k]);
  EXPECT_LT(after, energy);
  EXPECT_EQ(leaks(s), 0);
}

// Linear and angular momentum of a particle and a free rigid box, hit off its centre, with friction.
TEST(Resolve, MomentumOfAParticleAndARigidBody) {
  World w = emptyWorld({0.6, 0.6, 0.6}, false);
  RigidBody r;
  r.shape.kind = ShapeKind::box;
  r.shape.size = {0.2, 0.1, 0.1};
  r.material.friction = 0.5;
  r.mass = 0.05;
  r.invMass = 20;
  r.inertia = {0.05 * 0.02 / 12, 0.05 * 0.05 / 12, 0.05 * 0.05 / 12};
  for (int k = 0; k < 3; ++k) r.invInertia[k] = 1 / r.inertia[k];
  r.x = r.xPrev = {0.3, 0.3, 0.3};
  r.q = r.qPrev = Quatd::axisAngle({1, 1, 0}, 0.3);
  w.solid.rigid.push_back(r);
  ContactScene s(std::move(w));
  s.setParticles({{0.36, 0.32, 0.37}});
  s.find();
  setVelocity(s, 0, {1, 0.5, -5}, 0.01);
  const Vec3d p0 = momentum(s);
  const double mass = 1000 * s.world.particleVolume;
  const Vec3d u0(s.u[0].xyz()), x0(s.x[0].xyz());
  s.resolve();
  const RigidBody& b = s.world.solid.rigid[0];
  EXPECT_GT(norm(b.v), 0.1);
  EXPECT_GT(norm(b.omega), 0.1);
  EXPECT_LT(norm(momentum(s) - p0), 1e-6 * norm(p0));
  // about the common centre of mass, whose way back is limited
  const auto relative = [&](const Vec3d& x, const Vec3d& u, const RigidBody& body) {
    const Vec3d centre = (x * mass + body.x * body.mass) / (mass + body.mass);
    const Vec3d o = body.q.conjugate().rotate(body.omega);
    const Vec3d own = body.q.rotate({o.x * body.inertia.x, o.y * body.inertia.y, o.z * body.inertia.z});
    return cross(x - centre, u * mass) + cross(body.x - centre, body.v * body.mass) + own;
  };
  const Vec3d before = relative(x0, u0, r), after = relative(Vec3d(s.x[0].xyz()), Vec3d(s.u[0].xyz()), b);
  EXPECT_GT(norm(before), 1e-3);
  EXPECT_LT(norm(after - before), 1e-6 * norm(before));
}

// Particles that end their way too near to a free sheet, or behind it, and slide along it: they are moved, so the sheet moves back
// and turns.
TEST(Resolve, MovedParticlesMoveAFreeSheetBack) {
  World w = emptyWorld({0.8, 0.8, 0.8}, false);
  const Mesh m = sheet({0.3, 0.3, 0.4}, {0.2, 0, 0.05}, {0, 0.2, 0.02}, 6, 6);
  addSurface(w, SolidKind::cloth, false, true, m.x, m.tri, 0.02);
  w.solid.bodies[0].material.friction = 0.2;
  ContactScene s(std::move(w));
  Random random(36);
  std::vector<Vec3d> p;
  for (int i = 0; i < 40; ++i) {
    const double a = random.uniform(0.1, 0.9), b = random.uniform(0.1, 0.9);
    p.push_back(Vec3d{0.3 + 0.2 * a, 0.3 + 0.2 * b, 0.4 + 0.05 * a + 0.02 * b + 0.31 * kDx});
  }
  s.setParticles(p);
  s.find();
  for (std::size_t i = 0; i < p.size(); ++i)
    setVelocity(s, i, {random.uniform(1, 3), random.uniform(-1, 1), random.uniform(-1.5, -0.5)}, 2e-3);
  for (Vec3d& v : s.world.solid.v) v = {0.4, 0, 0.7};
  const double mass = 1000 * s.world.particleVolume;
  const auto angular = [&](Vec3d& firstMoment) {
    Vec3d l{};
    firstMoment = {};
    const auto add = [&](double k, const Vec3d& x, const Vec3d& v) {
      l += cross(x, v * k);
      firstMoment += x * k;
    };
    for (std::size_t i = 0; i < p.size(); ++i) add(mass, Vec3d(s.x[i].xyz()), Vec3d(s.u[i].xyz()));
    for (std::size_t k = 0; k < s.world.solid.x.size(); ++k) add(0.02, s.world.solid.x[k], s.world.solid.v[k]);
    return l;
  };
  Vec3d first, firstAfter;
  const Vec3d before = angular(first);
  const std::vector<Vec4f> target(s.x.begin(), s.x.end());
  s.resolve();
  double way = 0;
  for (std::size_t i = 0; i < p.size(); ++i) way += mass * norm(Vec3d((s.x[i] - target[i]).xyz()));
  ASSERT_GT(way, 1e-4);  // kg m
  const Vec3d after = angular(firstAfter);
  EXPECT_LT(norm(firstAfter - first), 1e-5 * way);
  EXPECT_LT(norm(after - before), 1e-6 * mass * 40);
  EXPECT_EQ(leaks(s), 0);
}

}  // namespace
}  // namespace meniscus
