// Slots of the fluid's surfaces that nodes of deformable solids carry, on a device: what a slot sees of its nodes, which slots act
// on a node, and the water that moves with one. As engine/particle/pressure_system.cpp and coupling.cpp have it.
#pragma once

#include "kernels/contact/surface_set.h"
#include "kernels/fluid/pressure_pass.h"

MNS_NS_BEGIN

struct NodeSlot {
  Index node[3];  // -1: no nodes carry it
  float b[3];     // barycentric weights
  MNS_HD bool carried() const { return node[0] >= 0; }
  // Normal velocity for those of the nodes.
  MNS_HD float speed(const Vec4f& plane, const Vec4f* u) const {
    const Vec4f v = u[node[0]] * b[0] + u[node[1]] * b[1] + u[node[2]] * b[2];
    return dot(v.xyz(), plane.xyz());
  }
};

// Slots and, to be sorted by node, their three corners: key the node (or the number of nodes), value 3 s + corner.
struct BindNodeSlots {
  const Feature* features;
  SurfaceSet set;
  Index nodes;
  NodeSlot* out;
  Index *key, *value;
  MNS_HD void operator()(Index s) const {
    const Feature& f = features[s];
    NodeSlot slot{{-1, -1, -1}, {0, 0, 0}};
    if (f.surface >= 0 && set.material(f.surface).rigid == kOfNodes) {
      slot.b[0] = f.b0;
      slot.b[1] = f.b1;
      slot.b[2] = 1.f - f.b0 - f.b1;
      for (int q = 0; q < 3; ++q) slot.node[q] = set.topology[f.surface].node[q];
    }
    out[s] = slot;
    for (int q = 0; q < 3; ++q) {
      key[3 * s + q] = slot.carried() ? slot.node[q] : nodes;
      value[3 * s + q] = 3 * s + q;
    }
  }
};

struct SingleNodes {
  const Vec3d* from;
  Vec4f* to;
  MNS_HD void operator()(Index n) const { to[n] = Vec4f(Vec3f(from[n]), 0.f); }
};

// Velocities of nodes in place of those that are given.
struct NodeSlotSpeed {
  const NodeSlot* slots;
  const Vec4f *plane, *velocity;
  float* speed;
  MNS_HD void operator()(Index s) const {
    if (slots[s].carried()) speed[s] = slots[s].speed(plane[s], velocity);
  }
};

// The nodes' share of the diagonal, for each near row.
struct NodeDiagonal {
  PairView v;
  const NodeSlot* slots;
  const float* push;
  const double* w;  // inverse masses [1/kg]
  double V;
  float* diag;
  MNS_HD void operator()(Index k) const {
    double sum = 0;
    for (Index s = v.slotBegin[k]; s < v.slotBegin[k + 1]; ++s) {
      const NodeSlot& b = slots[s];
      if (!b.carried()) continue;
      const double kappa2 = double(push[s]) * push[s];
      for (int q = 0; q < 3; ++q) sum += kappa2 * b.b[q] * b.b[q] * w[b.node[q]];
    }
    diag[v.nearParticle[k]] += float(V * sum);
  }
};

// What near particles are to the nodes: those within a spacing move with them along the normal.
struct NearWater {
  PairView v;
  const Feature* features;
  const NodeSlot* slots;
  const std::uint8_t* kind;
  const float* rho;  // per kind [kg/m^3]
  double V;
  float spacing;
  MNS_HD double mass(Index particle) const { return double(rho[kind[particle]]) * V; }
};

// Mass [kg] and sum of the normals of the water that moves with each node, by the first feature of its particles; and what sweeps
// take of it: the direction, the node's inverse mass along it.
struct WetNodes {
  NearWater water;
  const Index *slotBegin, *slotItem;  // of nodes; an item is 3 slot + corner
  const double* w;
  double *mass, *along;
  Vec3d *normal, *unit;
  MNS_HD void operator()(Index n) const {
    double m = 0;
    Vec3d sum{};
    for (Index e = slotBegin[n]; e < slotBegin[n + 1]; ++e) {
      const Index s = slotItem[e] / 3, particle = water.v.slotParticle[s];
      if (s != water.v.slotBegin[water.v.near[particle]] || water.features[s].d > water.spacing) continue;
      const double share = water.mass(particle) * water.slots[s].b[slotItem[e] % 3];
      m += share;
      const Vec3d to(water.v.plane[s].xyz());
      // n n^T counts, not n: both sides of a sheet add up
      sum += to * (dot(sum, to) < 0 ? -share : share);
    }
    mass[n] = m;
    normal[n] = sum;
    unit[n] = normalized(sum);
    along[n] = w[n] > 0 ? 1.0 / (1.0 / w[n] + m) : 0.0;
  }
};

// The body of nodes that a particle is pushed by, by its closest feature within a spacing.
struct Wetted {
  Index body;  // -1: none
  Vec3f n;
};
struct FindWetted {
  NearWater water;
  const SurfaceTopology* topology;
  Wetted* out;
  MNS_HD void operator()(Index k) const {
    Wetted w{-1, {}};
    float closest = water.spacing;
    for (Index s = water.v.slotBegin[k]; s < water.v.slotBegin[k + 1]; ++s) {
      const Feature& f = water.features[s];
      if (!water.slots[s].carried() || f.d > closest) continue;
      closest = f.d;
      w = {topology[f.surface].body, water.v.plane[s].xyz()};
    }
    out[k] = w;
  }
};

constexpr int kInertiaValues = 21;  // of a symmetric matrix of six rows, row by row from the diagonal on

// What a body pushes before it resists a rigid motion (v, omega) about the body's pivot; a block a body.
struct CollectWater {
  NearWater water;
  const Wetted* wetted;
  const Vec4f* x;
  const Vec3d* pivot;  // m
  int threads;         // of a block
  MNS_HD void operator()(Index body, int thread, double (&acc)[kInertiaValues]) const {
    for (Index k = thread; k < water.v.nearCount; k += threads) {
      if (wetted[k].body != body) continue;
      const Index i = water.v.nearParticle[k];
      const Vec3d n(wetted[k].n), turn = cross(Vec3d(x[i].xyz()) - pivot[body], n);
      const double g[6] = {n.x, n.y, n.z, turn.x, turn.y, turn.z}, m = water.mass(i);
      int at = 0;
      for (int r = 0; r < 6; ++r)
        for (int c = r; c < 6; ++c) acc[at++] += m * g[r] * g[c];
    }
  }
};

// A rigid motion of a body.
struct BodyMotion {
  Vec3d v, omega;  // m/s, rad/s
};
// Takes the bodies' motions from the water that they push, along the normals.
struct TakeMotion {
  NearWater water;
  const Wetted* wetted;
  const Vec4f* x;
  const Vec3d* pivot;
  const BodyMotion* motion;
  Vec4f* u;
  MNS_HD void operator()(Index k) const {
    const Wetted& w = wetted[k];
    if (w.body < 0) return;
    const Index i = water.v.nearParticle[k];
    const Vec3d n(w.n), moved = motion[w.body].v + cross(motion[w.body].omega, Vec3d(x[i].xyz()) - pivot[w.body]);
    u[i] = u[i] - Vec4f(Vec3f(n * dot(n, moved)), 0.f);
  }
};

MNS_NS_END
