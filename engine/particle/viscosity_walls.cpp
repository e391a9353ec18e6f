// Surfaces as viscosity sees them: velocities that are given, and those of bodies in the vector of unknowns.
#include <algorithm>
#include <cmath>

#include "engine/particle/viscosity.h"
#include "kernels/fluid/viscous_pass.h"

namespace meniscus {
namespace {

// Weight of a slot (negative: the fluid sticks) and velocity of surfaces that no unknown moves. Counts slots of nodes and of rigid
// bodies.
struct FindWalls {
  const Boundary* boundary;
  View<const Feature> features;
  View<const std::uint8_t> featureCount;
  View<const Index> slotBegin;
  View<const Index> particle;
  const Vec4f* x;
  Vec4f* prescribed;
  void operator()(Index k, double* count) const {
    for (int i = 0; i < featureCount[k]; ++i) {
      const Offset s = Offset(slotBegin[k]) + i;
      const Feature& f = features[s];
      const SurfaceInfo info = boundary->surface(f.surface);
      const float weight = std::sqrt(f.w);
      const bool ofNodes = info.owner == SurfaceOwner::nodes, ofRigid = info.owner == SurfaceOwner::rigid;
      const Vec3f v = ofNodes || ofRigid ? Vec3f{} : boundary->surfaceVelocity(f.surface, x[particle[k]].xyz() - f.n * f.d);
      prescribed[s] = Vec4f(v, info.noSlip ? -weight : weight);
      count[0] += ofNodes;
      count[1] += ofRigid;
    }
  }
};

struct PackVelocities {
  const Vec4f* u;
  float* x;
  void operator()(Index i) const { storeVec4(x, i, u[i].withW(0.f)); }
};

void storeVelocity(float* x, Index i, const Vec3d& v) { storeVec4(x, i, Vec4f(Vec3f(v), 0.f)); }

// Velocities of the surfaces from those of bodies in x, four floats a node and two times four a rigid body; prescribed ones are
// zero in a product with an increment.
struct SetWalls {
  const SlotBinding* binding;  // null: no body has a surface here, and the bindings may not have been made
  View<const std::uint8_t> featureCount;
  View<const Index> slotBegin;
  const Vec4f* prescribed;
  bool take;
  const float *node, *rigid;
  Vec4f* wall;
  void operator()(Index k) const {
    for (int i = 0; i < featureCount[k]; ++i) {
      const Offset s = Offset(slotBegin[k]) + i;
      Vec4f v = take ? prescribed[s].withW(0.f) : Vec4f{};
      if (!binding) {
        wall[s] = Vec4f(v.xyz(), prescribed[s].w);
        continue;
      }
      const SlotBinding& b = binding[s];
      if (b.node[0] >= 0)
        for (int q = 0; q < 3; ++q) v += loadVec4(node, b.node[q]) * b.b[q];
      if (b.rigid >= 0) v += Vec4f(loadVec4(rigid, 2 * b.rigid).xyz() + cross(loadVec4(rigid, 2 * b.rigid + 1).xyz(), b.arm), 0.f);
      wall[s] = Vec4f(v.xyz(), prescribed[s].w);
    }
  }
};

// each(add) calls add(body, slot, weight) for all slots in ascending order; by counting.
template <class Each>
void listSlots(Index bodies, const Each& each, BodySlotLists& lists) {
  lists.begin.assign(std::size_t(bodies) + 1, 0);
  each([&](Index body, Offset, float) { ++lists.begin[std::size_t(body) + 1]; });
  for (Index i = 0; i < bodies; ++i) lists.begin[std::size_t(i) + 1] += lists.begin[std::size_t(i)];
  lists.cursor = lists.begin;
  lists.slot.resizeUninitialized(std::size_t(lists.begin.back()));
  lists.weight.resizeUninitialized(std::size_t(lists.begin.back()));
  each([&](Index body, Offset slot, float weight) {
    const std::size_t at = std::size_t(lists.cursor[std::size_t(body)]++);
    lists.slot[at] = slot;
    lists.weight[at] = weight;
  });
}

}  // namespace

void Viscosity::findWalls(const Boundary& boundary) {
  const View<const Index> particle = boundary.nearParticle();
  featureCount_ = boundary.featureCount();
  slotBegin_ = boundary.slotBegin();
  const std::size_t slots = std::size_t(boundary.slotBegin()[particle.n]);
  for (auto* b : {&wall_, &prescribed_, &shear_}) {
    b->clear();
    b->resize(slots);
  }
  double count[2];
  parallelSum<2>(
      *exec_, "viscosity: walls", particle.n,
      FindWalls{&boundary, boundary.features(), featureCount_, slotBegin_, particle, world_->fluid.x.data(), prescribed_.data()},
      count);
  nodes_ = count[0] > 0 ? Index(world_->solid.x.size()) : 0;
  rigids_ = count[1] > 0 ? Index(world_->solid.rigid.size()) : 0;
  listBodySlots(boundary);
}

void Viscosity::listBodySlots(const Boundary& boundary) {
  const Index near = boundary.nearParticle().n;
  const auto forEachSlot = [&](const auto& visit) {
    for (Index k = 0; k < near; ++k)
      for (int i = 0; i < featureCount_[k]; ++i) {
        const Offset s = Offset(slotBegin_[k]) + i;
        visit(s, system_->slots()[std::size_t(s)]);
      }
  };
  if (nodes_ > 0)
    listSlots(
        nodes_,
        [&](const auto& add) {
          forEachSlot([&](Offset s, const SlotBinding& b) {
            for (int q = 0; q < 3 && b.node[0] >= 0; ++q) add(b.node[q], s, b.b[q]);
          });
        },
        nodeSlots_);
  if (rigids_ > 0)
    listSlots(
        rigids_,
        [&](const auto& add) {
          forEachSlot([&](Offset s, const SlotBinding& b) {
            if (b.rigid >= 0) add(b.rigid, s, 1.f);
          });
        },
        rigidSlots_);
}

void Viscosity::setWalls(const float* x, bool prescribed) {
  parallelFor(*exec_, "viscosity: set walls", featureCount_.n,
              SetWalls{nodes_ + rigids_ > 0 ? system_->slots().data() : nullptr, featureCount_, slotBegin_, prescribed_.data(),
                       prescribed, x + 4 * Offset(n_), x + 4 * (Offset(n_) + nodes_), wall_.data()});
}

void Viscosity::addShearOnGiven(const World& world, const Boundary& boundary, const Buffer<Vec4f>& u,
                                std::vector<GivenImpulse>& impulse) {
  const auto& rigid = world.solid.rigid;
  if (std::none_of(rigid.begin(), rigid.end(), [](const RigidBody& r) { return r.invMass == 0; })) return;
  parallelFor(*exec_, "viscosity: pack", n_, PackVelocities{u.data(), x_.data()});
  for (Index i = 0; i < nodes_; ++i) storeVelocity(x_.data(), n_ + i, world.solid.v[i]);
  for (Index i = 0; i < rigids_; ++i) {
    storeVelocity(x_.data(), n_ + nodes_ + 2 * i, rigid[std::size_t(i)].v);
    storeVelocity(x_.data(), n_ + nodes_ + 2 * i + 1, rigid[std::size_t(i)].omega);
  }
  pass(x_.data(), b_.data(), false);
  const View<const Index> particle = boundary.nearParticle();
  for (Index k = 0; k < particle.n; ++k)
    for (int i = 0; i < featureCount_[k]; ++i) {
      const Offset slot = Offset(slotBegin_[k]) + i;
      const Feature& f = boundary.features()[slot];
      const std::int32_t body = boundary.surface(f.surface).rigid;
      if (body < 0 || rigid[std::size_t(body)].invMass > 0) continue;
      const Vec3d point = Vec3d(world.fluid.x[std::size_t(particle[k])].xyz() - f.n * f.d) + world.scene.domain.min;
      impulse[std::size_t(body)].add(Vec3d(shear_[std::size_t(slot)].xyz()) * world.particleVolume,
                                     point - rigid[std::size_t(body)].xPrev);
    }
}

}  // namespace meniscus
