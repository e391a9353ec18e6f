// The bodies' share of the pressure equation: what their surfaces and constraints do to nodes and rigid bodies, and what those do
// to the surfaces' velocities.
#include <algorithm>

#include "engine/particle/pressure_system.h"

namespace meniscus {
namespace {

// Acceleration of the nodes by surfaces, edges and constraint rows, and its share of the quadratic form.
struct NodeForces {
  NodeListView<SlotEnds> slots;
  const NodeSurface* surfaces;
  NodeListView<EdgeEnds> edges;
  const Index *entryBegin, *row;
  const Vec4f* grad;
  const float *phi, *edgeX, *rowX;
  const double* w;
  double V;
  Vec4f* single;
  Vec3d* precise;  // null: sums in single precision, eight nodes at a time

  void operator()(Index begin, Index end, double* acc) const {
    if (precise) {
      for (Index n = begin; n < end; ++n) {
        const Vec3d f = preciseForce(n);
        precise[n] = f * (V * w[n]);
        put(n, f, acc);
      }
      return;
    }
    for (Index g = begin / kLanes; g < laneGroups(end); ++g) {
      alignas(64) Vec4f f[kLanes];
      force(g, std::min(end, (g + 1) * kLanes), f);
      for (Index n = g * kLanes; n < std::min(end, (g + 1) * kLanes); ++n) put(n, Vec3d(f[n - g * kLanes].xyz()), acc);
    }
  }
  void put(Index n, const Vec3d& f, double* acc) const {
    const Vec3d a = f * (V * w[n]);
    single[n] = Vec4f(Vec3f(a), 0.f);
    acc[0] += dot(f, a);
  }
  Vec3d preciseForce(Index n) const {
    const Index lane = n % kLanes;
    Vec3d f;
    for (Index k = 0; k < slots.count[n]; ++k) {
      const SlotEnds& ends = slots.item(n, k);
      f += Vec3d(surfaces[ends.slot[lane]].n * ends.weight[lane]) * double(phi[ends.slot[lane]]);
    }
    for (Index k = 0; k < edges.count[n]; ++k) {
      const EdgeEnds& ends = edges.item(n, k);
      f += Vec3d(loadVec4(edgeX + 4 * ends.edge[lane]).xyz()) * double(ends.sign[lane]);
    }
    for (Index s = entryBegin[n]; s < entryBegin[n + 1]; ++s) f += Vec3d(grad[s].xyz()) * double(rowX[row[s]]);
    return f;
  }
  // Of the nodes of a group.
  void force(Index g, Index end, Vec4f (&f)[kLanes]) const {
    Vec8 s0{}, s1{}, t{};
    Index e = slots.begin[g];
    const Index slotEnd = slots.begin[g + 1];
    for (; e + 2 <= slotEnd; e += 2) {
      addSlots(slots.items[e], s0);
      addSlots(slots.items[e + 1], s1);
    }
    if (e < slotEnd) addSlots(slots.items[e], s0);
    for (e = edges.begin[g]; e < edges.begin[g + 1]; ++e) {
      const EdgeEnds& ends = edges.items[e];
      t.addScaled(gatherVec8(edgeX, ends.edge), Float8::load(ends.sign));
    }
    storeVec8(&f[0].x, (s0 + s1) + t);
    if (entryBegin[g * kLanes] == entryBegin[end]) return;
    for (Index n = g * kLanes; n < end; ++n) f[n - g * kLanes] += ofRows(entryBegin[n], entryBegin[n + 1]);
  }
  void addSlots(const SlotEnds& ends, Vec8& s) const {
    s.addScaled(gatherVec8<8>(&surfaces->n.x, ends.slot) * Float8::load(ends.weight), gather(phi, ends.slot));
  }
  Vec4f ofRows(Index begin, Index end) const {
    Vec4f s0{}, s1{};
    Index s = begin;
    for (; s + 2 <= end; s += 2) {
      s0.addScaled(grad[s], rowX[row[s]]);
      s1.addScaled(grad[s + 1], rowX[row[s + 1]]);
    }
    if (s < end) s0.addScaled(grad[s], rowX[row[s]]);
    return s0 + s1;
  }
};

// Surfaces carried by nodes: nu, and g less nu.
struct NodeSurfaceVelocities {
  const NodeSurface* surface;
  const Vec4f* node;
  float *g, *nu;
  void operator()(Index slot) const {
    if (!surface[slot].carried()) return;
    const float speed = surface[slot].speed(node);
    nu[slot] = speed;
    g[slot] -= speed;
  }
};

}  // namespace

void PressureSystem::surfaceVelocities(Exec& exec, const std::vector<Vec3d>& lin, const std::vector<Vec3d>& ang) {
  parallelFor(exec, "system: surface velocities", Index(nodeSurfaces_.size()),
              NodeSurfaceVelocities{nodeSurfaces_.data(), nodeV_.data(), g_.data(), nu_.data()});
  for (std::size_t i = 0; i < lin.size(); ++i)
    for (Index e = rigidSlotBegin_[i]; e < rigidSlotBegin_[i + 1]; ++e) {
      const Index s = rigidSlots_[e];
      const SlotBinding& b = slots_[s];
      nu_[s] = float(dot(lin[i] + cross(ang[i], Vec3d(b.arm)), Vec3d(b.n)));
      g_[s] -= nu_[s];
    }
}

// From phi_ to the accelerations of nodes and rigid bodies, and from those to the velocities of surfaces.
double PressureSystem::solidPass(Exec& exec, const float* x, bool precise) {
  double nodes[1];
  parallelBlockSums<1>(exec, "solve: node forces", nodes_,
                       NodeForces{nodeSlots_.view(), nodeSurfaces_.data(), edgesOfNodes(), nodeEntryBegin_.data(),
                                  nodeEntryRow_.data(), nodeEntryGrad_.data(), phi_.data(), x + layout_.edges, x + layout_.rows,
                                  nodeW_.data(), V_, nodeV_.data(), precise ? nodeB_.data() : nullptr},
                       nodes);
  double quadratic = nodes[0];
  for (std::size_t i = 0; i < rigidB_.size(); ++i) {
    Vec3d force{}, torque{};
    for (Index e = rigidSlotBegin_[i]; e < rigidSlotBegin_[i + 1]; ++e) {
      const SlotBinding& b = slots_[rigidSlots_[e]];
      const Vec3d f = Vec3d(b.n) * double(phi_[rigidSlots_[e]]);
      force += f;
      torque += cross(Vec3d(b.arm), f);
    }
    rigidLoad_[i] = {force, torque};
  }
  for (std::size_t e = 0; e < rigidEntryBody_.size(); ++e) {
    RigidRate& load = rigidLoad_[std::size_t(rigidEntryBody_[e])];
    const double m = double(x[layout_.rows + rigidEntryRow_[e]]);
    load.linear += rigidEntryGrad_[e].linear * m;
    load.angular += rigidEntryGrad_[e].angular * m;
  }
  for (std::size_t i = 0; i < rigidB_.size(); ++i) {
    const Vec3d &force = rigidLoad_[i].linear, &torque = rigidLoad_[i].angular;
    rigidB_[i] = force * (V_ * rigidInvMass_[i]);
    rigidBOmega_[i] = rigidInvInertia_[i] * torque * V_;
    rigidFree_[i] = {rigidB_[i], rigidBOmega_[i]};
    rigidHeld_[i] = holds_.own[i].of(rigidFree_[i], force * V_, torque * V_);
    rigidQuadratic_[i] = dot(force, rigidHeld_[i].linear) + dot(torque, rigidHeld_[i].angular);
  }
  HoldIslands{holds_.islands.data(), V_, rigidFree_.data(), rigidHeld_.data(), rigidQuadratic_.data()}();
  for (std::size_t i = 0; i < rigidB_.size(); ++i) {
    rigidLeft_[i] = rigidHeld_[i].linear;
    rigidLeftOmega_[i] = rigidHeld_[i].angular;
    quadratic += rigidQuadratic_[i];
  }
  surfaceVelocities(exec, rigidLeft_, rigidLeftOmega_);
  return quadratic;
}

}  // namespace meniscus
