// A small world made by hand, with something in every field of the table.
#pragma once

#include "engine/world/world.h"

namespace meniscus::testing {

inline void addParticles(World& w, int n) {
  FluidState& f = w.fluid;
  for (int i = 0; i < n; ++i) {
    f.x.push_back({0.1f * float(i), 0.2f, 0.3f, 0});
    f.u.push_back({1.f, -0.5f * float(i), 0.25f, 0});
    f.p.push_back(1000.f + float(i));
    f.id.push_back(w.nextId++);
    f.kind.push_back(0);
    f.leaked.push_back(i == 1);
    f.e.push_back(0.001f * float(i));
    f.deficiency.push_back(0.f);
  }
  f.n += n;
}

// A triangle of cloth, nodes one unit apart, masses 1, 2, 3 kg; node 0 is pinned.
inline void addCloth(SolidState& s) {
  Body cloth;
  cloth.name = "cloth";
  cloth.kind = SolidKind::cloth;
  cloth.nodeEnd = 3;
  cloth.triEnd = 1;
  s.bodies.push_back(cloth);
  const Vec3d corner[3] = {{0, 0, 1}, {1, 0, 1}, {0, 1, 1}};
  for (int i = 0; i < 3; ++i) {
    s.x.push_back(corner[i]);
    s.xPrev.push_back(corner[i]);
    s.xRest.push_back(corner[i]);
    s.v.push_back({0, 0, -double(i)});
    s.mass.push_back(1.0 + i);
    s.w.push_back(i == 0 ? 0.0 : 1 / (1.0 + i));
    s.tri.push_back(i);
  }
  Pin pin{};
  pin.start = corner[0];
  pin.motion = -1;
  s.pins.push_back(pin);
  s.rest.push_back(1.0);
  Constraint c{};
  c.node[0] = 0;
  c.node[1] = 1;
  c.node[2] = c.node[3] = -1;
  c.compliance = 1e-6f;
  c.stiffness = -1;
  c.type = ConstraintType::distance;
  s.constraints.items.push_back(c);
  s.constraints.lambda.push_back(-0.125);
  s.constraints.colourBegin = {0, 1};
  s.constraints.serialBegin = 1;
}

inline void addSphere(SolidState& s) {
  RigidBody r;
  r.name = "ball";
  r.shape.kind = ShapeKind::sphere;
  r.shape.radius = 0.25;
  r.mass = 8;
  r.invMass = 1 / r.mass;
  r.x = {1, 1, 0.5};
  r.v = {0.5, 0, 0};
  r.omega = {0, 0, 2};
  s.rigid.push_back(r);
}

inline World smallWorld(int particles = 3) {
  World w;
  w.scene.name = "small";
  w.scene.domain.min = {-1, -2, -3};
  w.scene.domain.max = {3, 2, 1};
  w.scene.fluids.resize(1);
  w.scene.fluids[0].density = 1000;
  w.dx = 0.1;
  w.particleVolume = 1e-3;
  w.fluid.capacity = 16;
  w.time = 0.75;
  w.steps = 12;
  addParticles(w, particles);
  addCloth(w.solid);
  addSphere(w.solid);
  VolumeConstraint volume;
  volume.restVolume = 2;
  volume.lambda = 0.5;
  w.solid.volumes.push_back(volume);
  w.emitters.push_back({0.25, 0.03});
  w.drains.push_back({0.125, 7});
  w.impulseOnFluidFromStatic = {1, 2, 3};
  w.impulseOnSolidsFromStatic = {-1, 0, 2};
  w.impulseExchanged = 4;
  return w;
}

}  // namespace meniscus::testing
