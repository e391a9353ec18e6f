// Nodes and rigid bodies in an implicit viscous step on a device: behind the particles, the vectors of the solve have four floats a
// node and two times four a rigid body, its velocity and its angular velocity. As engine/particle/viscosity.cpp has it; equations
// of bodies are divided by the volume V of a particle, as those of particles are.
#pragma once

#include "kernels/solid/node_slots.h"
#include "kernels/solid/rigid_slots.h"

MNS_NS_BEGIN

struct ViscousBodies {
  Index n = 0, nodes = 0, rigids = 0, slots = 0;
  const NodeSlot* nodeSlot = nullptr;
  const Index *slotBegin = nullptr, *slotItem = nullptr;  // of nodes; an item is 3 slot + corner
  const double* w = nullptr;                              // inverse masses of nodes [1/kg]
  const RigidSlot* rigidSlot = nullptr;
  const SurfaceRigid* rigid = nullptr;
  double V = 0;
  MNS_HD Index rows() const { return n + nodes + 2 * rigids; }
  MNS_HD Index rowOf(Index body) const { return n + nodes + 2 * body; }
  // z = M^-1 r of a row behind the particles.
  MNS_HD Vec3d divide(Index row, const float* r) const {
    const Vec3d a(loadVec4(r, row).xyz());
    if (row < n + nodes) {
      const double wi = w[row - n];
      return a * (wi > 0 ? wi * V : 1.0);
    }
    const SurfaceRigid& b = rigid[(row - n - nodes) / 2];
    if (!(b.invMass > 0)) return a;
    return (row - n - nodes) % 2 == 0 ? a * (b.invMass * V) : b.invInertia * a * V;
  }
};

MNS_HD inline void storeRow(float* x, Index row, const Vec3d& a) { storeVec4(x, row, Vec4f(Vec3f(a), 0.f)); }

// Velocities of all that the step changes.
struct PackViscous {
  ViscousBodies b;
  const Vec4f* u;
  const Vec3d* node;
  const RigidRate* body;
  float* x;
  MNS_HD void operator()(Index i) const {
    if (i < b.n) return storeVec4(x, i, u[i].withW(0.f));
    if (i < b.n + b.nodes) return storeRow(x, i, node[i - b.n]);
    const Index k = i - b.n - b.nodes;
    storeRow(x, i, k % 2 == 0 ? body[k / 2].linear : body[k / 2].angular);
  }
};

// Velocity of the surface at each slot, and the root of the feature's weight, negative where the fluid sticks. given: with that of
// surfaces that move as given; those of bodies that give way are in x.
struct SurfaceWallOfBodies {
  ViscousBodies b;
  const Feature* features;
  const Index* particle;  // of the slot
  const Vec4f* at;
  SurfaceSet set;
  bool given;
  const float* x;
  Vec4f* wall;
  MNS_HD void operator()(Index s) const {
    const Feature& f = features[s];
    const float weight = std::sqrt(f.w);
    const bool ofNodes = b.nodes > 0 && b.nodeSlot[s].carried(), ofRigid = b.rigidSlot[s].rigid >= 0;
    Vec4f v{};
    if (given && !ofNodes && !ofRigid) v = Vec4f(set.velocity(f.surface, at[particle[s]].xyz() - f.n * f.d), 0.f);
    if (ofNodes)
      for (int q = 0; q < 3; ++q) v += loadVec4(x, b.n + b.nodeSlot[s].node[q]) * b.nodeSlot[s].b[q];
    if (ofRigid) {
      const RigidSlot& r = b.rigidSlot[s];
      v += Vec4f(loadVec4(x, b.rowOf(r.rigid)).xyz() + cross(loadVec4(x, b.rowOf(r.rigid) + 1).xyz(), r.arm), 0.f);
    }
    wall[s] = Vec4f(v.xyz(), set.material(f.surface).noSlip ? -weight : weight);
  }
};

// y = M x + h L x of the nodes, or without the masses.
struct ViscousNodes {
  ViscousBodies b;
  const Vec4f* shear;
  bool step;
  const float* x;
  float* y;
  MNS_HD void operator()(Index i) const {
    const double w = b.w[i];
    Vec3d sum = step ? Vec3d(loadVec4(x, b.n + i).xyz()) * (w > 0 ? 1 / (w * b.V) : 1.0) : Vec3d{};
    for (Index e = b.slotBegin[i]; w > 0 && e < b.slotBegin[i + 1]; ++e) {
      const Index s = b.slotItem[e] / 3;
      sum -= Vec3d(shear[s].xyz()) * double(b.nodeSlot[s].b[b.slotItem[e] % 3]);
    }
    storeRow(y, b.n + i, sum);
  }
};

// The same of the rigid bodies, a block a body.
struct CollectShear {
  ViscousBodies b;
  const Vec4f* shear;
  int threads;  // of a block
  MNS_HD void operator()(Index body, int thread, double (&acc)[6]) const {
    for (Index s = thread; s < b.slots; s += threads) {
      if (b.rigidSlot[s].rigid != body) continue;
      const Vec3d f(shear[s].xyz()), t = cross(Vec3d(b.rigidSlot[s].arm), f);
      for (int k = 0; k < 3; ++k) {
        acc[k] += f[k];
        acc[3 + k] += t[k];
      }
    }
  }
};
struct StoreViscousRigid {
  ViscousBodies b;
  bool step;
  const float* x;
  float* y;
  MNS_HD void operator()(Index body, const double (&v)[6]) const {
    const SurfaceRigid& r = b.rigid[body];
    const Index row = b.rowOf(body);
    Vec3d force{}, torque{};
    if (step) {
      force = Vec3d(loadVec4(x, row).xyz());
      torque = Vec3d(loadVec4(x, row + 1).xyz());
      if (r.invMass > 0) {
        force = force * (1 / (r.invMass * b.V));
        torque = inverse(r.invInertia) * torque * (1.0 / b.V);
      }
    }
    storeRow(y, row, force - Vec3d{v[0], v[1], v[2]});
    storeRow(y, row + 1, torque - Vec3d{v[3], v[4], v[5]});
  }
};

MNS_NS_END
