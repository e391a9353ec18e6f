// Rigid bodies that give way in the pressure equation of a device: what the slots of their surfaces do to them, and they to those.
// As PressureSystem::solidPass of engine/particle/solid_pass.cpp.
#pragma once

#include "kernels/contact/surface_set.h"
#include "kernels/fluid/pressure_rows.h"
#include "kernels/solid/rigid_hold.h"

MNS_NS_BEGIN

struct CopyRigidRate {
  const RigidRate* from;
  double* to;  // six a body
  MNS_HD void operator()(Index b) const {
    for (int k = 0; k < 3; ++k) {
      to[6 * Offset(b) + k] = from[b].linear[k];
      to[6 * Offset(b) + 3 + k] = from[b].angular[k];
    }
  }
};

// Where a slot acts on a body that gives way.
struct RigidSlot {
  Vec3f arm;    // closest point minus the centre of mass at the start [m]
  Index rigid;  // -1: on none; kOfNodes: on nodes (node_slots.h)
  MNS_HD float speed(const RigidRate* rate, const Vec4f& plane) const {
    const RigidRate& r = rate[rigid];
    return float(dot(r.linear + cross(r.angular, Vec3d(arm)), Vec3d(plane.xyz())));
  }
};

struct BindRigidSlots {
  const Feature* features;
  const Index* particle;
  const Vec4f* x;
  SurfaceSet set;
  RigidSlot* out;
  MNS_HD void operator()(Index s) const {
    const Feature& f = features[s];
    const Index r = set.material(f.surface).rigid;
    out[s] = {Vec3f{}, r == kOfNodes ? kOfNodes : -1};
    if (r < 0 || !(set.rigid[r].invMass > 0)) return;
    out[s] = {(x[particle[s]].xyz() - f.n * f.d) - Vec3f(set.rigid[r].start.origin), r};
  }
};

// The bodies' share of the diagonal, for each near row.
struct RigidDiagonal {
  PairView v;
  const RigidSlot* slots;
  const float* push;
  const SurfaceRigid* rigid;
  double V;
  float* diag;
  MNS_HD void operator()(Index k) const {
    double sum = 0;
    for (Index s = v.slotBegin[k]; s < v.slotBegin[k + 1]; ++s) {
      const RigidSlot& b = slots[s];
      if (b.rigid < 0) continue;
      const SurfaceRigid& r = rigid[b.rigid];
      const Vec3d rn = cross(Vec3d(b.arm), Vec3d(v.plane[s].xyz()));
      sum += double(push[s]) * push[s] * (r.invMass + dot(rn, r.invInertia * rn));
    }
    diag[v.nearParticle[k]] += float(V * sum);
  }
};

// Force and torque by the slots of each body, a block a body [1/V N, 1/V N m].
struct CollectRigidForces {
  const SolveScalars* solve;  // null: not in a solve
  const RigidSlot* slots;
  const Vec4f* plane;
  const float* phi;
  Index count;
  int threads;  // of a block
  MNS_HD void operator()(Index body, int thread, double (&acc)[6]) const {
    if (solve && solve->done) return;
    for (Index s = thread; s < count; s += threads) {
      if (slots[s].rigid != body) continue;
      const Vec3d f = Vec3d(plane[s].xyz()) * double(phi[s]), t = cross(Vec3d(slots[s].arm), f);
      for (int k = 0; k < 3; ++k) {
        acc[k] += f[k];
        acc[3 + k] += t[k];
      }
    }
  }
};
// The accelerations by them, without and with what contacts hold, and the body's share of the quadratic form.
struct StoreRigidAccelerations {
  const SurfaceRigid* rigid;
  const RigidHold* hold;
  double V;
  RigidRate *free, *acceleration;
  double* quadratic;
  MNS_HD void operator()(Index body, const double (&v)[6]) const {
    const Vec3d force{v[0], v[1], v[2]}, torque{v[3], v[4], v[5]};
    free[body] = {force * (V * rigid[body].invMass), rigid[body].invInertia * torque * V};
    const RigidRate a = hold[body].of(free[body], force * V, torque * V);
    acceleration[body] = a;
    quadratic[body] = dot(force, a.linear) + dot(torque, a.angular);
  }
};

// And what bodies hold of each other, by one thread.
struct HoldIslandsOnce {
  const SolveScalars* solve;  // null: not in a solve
  HoldIslands hold;
  MNS_HD void operator()(Index) const {
    if (!solve || !solve->done) hold();
  }
};

// Velocities of the bodies' surfaces in place of those that are given.
struct RigidSlotSpeed {
  const RigidSlot* slots;
  const Vec4f* plane;
  const RigidRate* velocity;
  float* speed;
  MNS_HD void operator()(Index s) const {
    if (slots[s].rigid >= 0) speed[s] = slots[s].speed(velocity, plane[s]);
  }
};
// nu, and g less nu, by accelerations between the two passes.
struct RigidSlotAcceleration {
  const SolveScalars* solve;  // null: not in a solve
  const RigidSlot* slots;
  const Vec4f* plane;
  const RigidRate* acceleration;
  float *g, *nu;
  MNS_HD void operator()(Index s) const {
    if (slots[s].rigid < 0 || (solve && solve->done)) return;
    nu[s] = slots[s].speed(acceleration, plane[s]);
    g[s] -= nu[s];
  }
};

// d . A d of the fluid's rows alone, until the bodies' share is there.
struct KeepTranspose {
  SolveScalars* s;
  MNS_HD void operator()(const double (&dAd)[1]) const {
    if (!s->done) s->dAd = dAd[0];
  }
};
struct AddBodies {
  const double* quadratic;
  Index bodies;
  SolveScalars* s;
  MNS_HD void operator()(Index) const {
    if (s->done) return;
    double sum[1] = {0};
    for (Index b = 0; b < bodies; ++b) sum[0] += quadratic[b];
    sum[0] += s->dAd;
    AfterTranspose{s}(sum);
  }
};

MNS_NS_END
