// The nodes of deformable bodies: held, carried, pushed; and what closed bodies enclose.
#include "engine/api/body_at.h"
#include "engine/api/convert.h"
#include "engine/api/grid_bodies.h"
#include "engine/api/views.h"
#include "engine/solid/prescribed.h"
#include "engine/solid/rigid.h"
#include "engine/solid/volume.h"

using namespace meniscus;
using namespace meniscus::api;

namespace {

// One vector a node.
std::vector<Vec3d> byNode(const mnsView* view, std::int64_t nodes, const char* what) {
  std::vector<Vec3d> v = vectorsOf(view, what, "node");
  if (std::int64_t(v.size()) != nodes)
    fail(MNS_ERROR_INVALID_ARGUMENT, "there are {} {}, but the body has {} nodes", v.size(), what, nodes);
  return v;
}

// Numbered as in the state.
std::vector<Index> nodesOf(const BodyAt& b, const int32_t* nodes, int32_t count) {
  if (count < 0) fail(MNS_ERROR_INVALID_ARGUMENT, "the number of nodes is {}", count);
  if (count > 0) needPointer(nodes, "nodes");
  std::vector<Index> out;
  for (int32_t k = 0; k < count; ++k) {
    if (nodes[k] < 0 || nodes[k] >= b.nodes())
      fail(MNS_ERROR_INVALID_ARGUMENT, "node {} does not exist: the body \"{}\" has {}", nodes[k], b.def.name, b.nodes());
    out.push_back(b.place.body->nodeBegin + nodes[k]);
  }
  return out;
}

VolumeConstraint& gasOf(const BodyAt& b) {
  for (VolumeConstraint& c : b.state.volumes)
    if (c.body == b.place.bodyIndex && c.restVolume <= 0) return c;
  fail(MNS_ERROR_WRONG_KIND, "the body \"{}\" holds no gas: create it as an inflatable with a pressure", b.def.name);
}

double volumeOf(const BodyAt& b) {
  if (b.place.body) {
    if (b.place.body->closed) return enclosedVolume(b.state, b.place.body->triBegin, b.place.body->triEnd);
  } else if (b.rigid().shape.kind != ShapeKind::plane) {
    return massProperties(scaledShape(b.rigid().shape, b.rigid().scale, b.def.name)).volume;
  }
  fail(MNS_ERROR_WRONG_KIND, "the body \"{}\" is not closed and encloses no volume", b.def.name);
}

}  // namespace

extern "C" {

mnsResult mnsBody_PinNodes(mnsScene* scene, mnsBodyId body, const int32_t* nodes, int32_t count) {
  return write(scene, [&](mnsScene& s) {
    const BodyAt b = bodyAt(s, body);
    needDeformable(b);
    const std::vector<Index> held = nodesOf(b, nodes, count);
    holdNodes(b.state, held.data(), held.size());
    s.published.renewBodies();
    return MNS_OK;
  });
}

mnsResult mnsBody_UnpinNodes(mnsScene* scene, mnsBodyId body, const int32_t* nodes, int32_t count) {
  return write(scene, [&](mnsScene& s) {
    const BodyAt b = bodyAt(s, body);
    needDeformable(b);
    const std::vector<Index> freed = nodesOf(b, nodes, count);
    releaseNodes(b.state, freed.data(), freed.size());
    s.published.renewBodies();
    return MNS_OK;
  });
}

mnsResult mnsBody_MoveNode(mnsScene* scene, mnsBodyId body, int32_t node, mnsVec3 target, double seconds) {
  return write(scene, [&](mnsScene& s) {
    const BodyAt b = bodyAt(s, body);
    needDeformable(b);
    const Index i = nodesOf(b, &node, 1)[0];
    const Vec3d to = toPlace(target, "target");
    needPositive(seconds, "seconds");
    needResolved(b.world, norm(to - b.state.x[std::size_t(i)]) / seconds, "the node");
    carryNode(b.state, i, to, b.world.time, seconds);
    s.published.renewBodies();
    return MNS_OK;
  });
}

mnsResult mnsBody_ApplyNodeForces(mnsScene* scene, mnsBodyId body, const mnsView* forces) {
  return write(scene, [&](mnsScene& s) {
    const BodyAt b = bodyAt(s, body);
    needDeformable(b);
    s.forces.push_back({b.order, {}, false, {}, byNode(forces, b.nodes(), "forces")});
    return MNS_OK;
  });
}

mnsResult mnsBody_SetNodeVelocities(mnsScene* scene, mnsBodyId body, const mnsView* velocities) {
  return write(scene, [&](mnsScene& s) {
    const BodyAt b = bodyAt(s, body);
    needDeformable(b);
    const std::vector<Vec3d> v = byNode(velocities, b.nodes(), "velocities");
    for (const Vec3d& u : v) needSpeed(norm(u), "the velocity of a node");
    for (std::size_t k = 0; k < v.size(); ++k) {
      const std::size_t i = std::size_t(b.place.body->nodeBegin) + k;
      if (b.state.w[i] > 0) b.state.v[i] = v[k];
    }
    s.published.renewBodies();
    return MNS_OK;
  });
}

mnsResult mnsBody_SetPressure(mnsScene* scene, mnsBodyId body, double pressure) {
  return write(scene, [&](mnsScene& s) {
    const BodyAt b = bodyAt(s, body);
    if (b.def.kind != SolidKind::inflatable)
      fail(MNS_ERROR_WRONG_KIND, "the body \"{}\" is no inflatable; only those hold gas", b.def.name);
    VolumeConstraint& gas = gasOf(b);
    needNotNegative(pressure, "pressure");
    gas.pressure = b.def.pressure = pressure;
    if (pressure == 0) b.def.inflation = 0;  // it stays one with gas, and holds no volume
    return MNS_OK;
  });
}

mnsResult mnsBody_GetVolume(mnsScene* scene, mnsBodyId body, double* volume) {
  return read(scene, [&](mnsScene& s) {
    needPointer(volume, "volume");
    *volume = onGrid(s) ? gridVolume(s, body) : volumeOf(bodyAt(s, body));
    return MNS_OK;
  });
}

}  // extern "C"
