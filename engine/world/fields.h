// The table of everything a World is made of: one line a field, with its unit and what becomes of it. Snapshots, the state hash,
// the search for values that are not finite and printed listings all walk this table, so a new field is one line here.
#pragma once

#include <cstdint>
#include <type_traits>

#include "engine/world/world.h"

namespace meniscus {

enum class Keep : std::uint8_t {
  state,   // changes in a run and decides how it goes on: in snapshots and in the state hash
  model,   // built from the scene and constant: a snapshot only fits a world that has the same
  derived  // computed from the others in every step: in neither
};

struct FieldInfo {
  const char* name;
  const char* unit;  // "1" for plain numbers
  Keep keep;
  std::int32_t item;  // number of the emitter, drain, rigid body ... the field belongs to, or -1
};

template <class T>
struct TypeName;
// clang-format off
template <> struct TypeName<float> { static constexpr const char* value = "float"; };
template <> struct TypeName<double> { static constexpr const char* value = "double"; };
template <> struct TypeName<std::int32_t> { static constexpr const char* value = "int32"; };
template <> struct TypeName<std::uint32_t> { static constexpr const char* value = "uint32"; };
template <> struct TypeName<std::uint64_t> { static constexpr const char* value = "uint64"; };
template <> struct TypeName<std::uint8_t> { static constexpr const char* value = "uint8"; };
template <> struct TypeName<Vec4f> { static constexpr const char* value = "float4"; };
template <> struct TypeName<Vec3d> { static constexpr const char* value = "double3"; };
template <> struct TypeName<Quatd> { static constexpr const char* value = "quaternion"; };
template <> struct TypeName<Constraint> { static constexpr const char* value = "constraint"; };
// clang-format on

// Calls visit.value(info, field) for every single value and visit.array(info, buffer, count) for every array. W is World or const
// World. Counts come before the arrays that have them, so a reader can size what follows.
template <class W, class V>
void forEachField(W& w, V& visit) {
  static_assert(std::is_same_v<std::remove_const_t<W>, World>);
  const auto one = [&](const char* name, const char* unit, Keep keep, auto& field, std::int32_t item = -1) {
    visit.value(FieldInfo{name, unit, keep, item}, field);
  };
  const auto all = [&](const char* name, const char* unit, Keep keep, auto& buffer) {
    visit.array(FieldInfo{name, unit, keep, -1}, buffer, Index(buffer.size()));
  };

  one("domain.min", "m", Keep::model, w.scene.domain.min);
  one("domain.max", "m", Keep::model, w.scene.domain.max);
  one("dx", "m", Keep::model, w.dx);
  one("particle volume", "m^3", Keep::model, w.particleVolume);
  one("time", "s", Keep::state, w.time);
  one("steps", "1", Keep::state, w.steps);
  one("next id", "1", Keep::state, w.nextId);
  one("lost through walls", "1", Keep::state, w.lostThroughWalls);
  one("escaped", "1", Keep::state, w.escapedTotal);
  one("emitted", "1", Keep::state, w.emittedTotal);
  one("drained", "1", Keep::state, w.drainedTotal);
  one("impulse from static", "N s", Keep::state, w.impulseOnFluidFromStatic);
  one("impulse on solids", "N s", Keep::state, w.impulseOnSolidsFromStatic);
  one("impulse exchanged", "N s", Keep::state, w.impulseExchanged);

  // per particle, in the order of the cells: that order decides the order of sums, so it is state too
  auto& f = w.fluid;
  const auto particles = [&](const char* name, const char* unit, Keep keep, auto& buffer) {
    visit.array(FieldInfo{name, unit, keep, -1}, buffer, f.n);
  };
  one("fluid.n", "1", Keep::state, f.n);
  particles("fluid.x", "m", Keep::state, f.x);
  particles("fluid.u", "m/s", Keep::state, f.u);
  particles("fluid.p", "Pa", Keep::state, f.p);
  particles("fluid.id", "1", Keep::state, f.id);
  particles("fluid.kind", "1", Keep::state, f.kind);
  particles("fluid.leaked", "1", Keep::state, f.leaked);
  particles("fluid.e", "1", Keep::derived, f.e);
  particles("fluid.deficiency", "1", Keep::derived, f.deficiency);

  auto& s = w.solid;
  all("solid.xRest", "m", Keep::model, s.xRest);
  all("solid.mass", "kg", Keep::model, s.mass);
  all("solid.tri", "1", Keep::model, s.tri);
  all("solid.tet", "1", Keep::model, s.tet);
  all("solid.rest", "1", Keep::model, s.rest);
  all("constraints.items", "1", Keep::model, s.constraints.items);
  all("solid.x", "m", Keep::state, s.x);
  all("solid.v", "m/s", Keep::state, s.v);
  all("solid.xPrev", "m", Keep::state, s.xPrev);
  all("solid.w", "1/kg", Keep::state, s.w);
  all("constraints.lambda", "1", Keep::state, s.constraints.lambda);
  all("solid.contactLambda", "kg m", Keep::state, s.contactLambda);
  one("solid.couplingIterations", "1", Keep::state, s.couplingIterations);
  one("solid.multiplierStep", "s", Keep::state, s.multiplierStep);

  for (std::size_t i = 0; i < s.volumes.size(); ++i) {
    const std::int32_t k = std::int32_t(i);
    one("volume.restVolume", "m^3", Keep::state, s.volumes[i].restVolume, k);
    one("volume.pressure", "Pa", Keep::state, s.volumes[i].pressure, k);
    one("volume.lambda", "1", Keep::state, s.volumes[i].lambda, k);
  }
  for (std::size_t i = 0; i < s.rigid.size(); ++i) {
    const std::int32_t k = std::int32_t(i);
    one("rigid.start", "m", Keep::model, s.rigid[i].start.translate, k);
    one("rigid.turn", "1", Keep::model, s.rigid[i].start.rotate, k);
    one("rigid.size", "m", Keep::model, s.rigid[i].shape.size, k);
    one("rigid.normal", "1", Keep::model, s.rigid[i].shape.normal, k);
    one("rigid.radius", "m", Keep::model, s.rigid[i].shape.radius, k);
    one("rigid.height", "m", Keep::model, s.rigid[i].shape.height, k);
    one("rigid.mass", "kg", Keep::model, s.rigid[i].mass, k);
    one("rigid.x", "m", Keep::state, s.rigid[i].x, k);
    one("rigid.v", "m/s", Keep::state, s.rigid[i].v, k);
    one("rigid.omega", "rad/s", Keep::state, s.rigid[i].omega, k);
    one("rigid.q", "1", Keep::state, s.rigid[i].q, k);
    one("rigid.xPrev", "m", Keep::state, s.rigid[i].xPrev, k);
    one("rigid.qPrev", "1", Keep::state, s.rigid[i].qPrev, k);
  }
  for (std::size_t i = 0; i < w.emitters.size(); ++i) {
    const std::int32_t k = std::int32_t(i);
    one("emitter.volume", "m^3", Keep::state, w.emitters[i].volume, k);
    one("emitter.carry", "m", Keep::state, w.emitters[i].carry, k);
  }
  for (std::size_t i = 0; i < w.drains.size(); ++i) {
    const std::int32_t k = std::int32_t(i);
    one("drain.budget", "m^3", Keep::state, w.drains[i].budget, k);
    one("drain.removed", "1", Keep::state, w.drains[i].removed, k);
  }
}

// What a message needs to say of the solid with this node, or of this rigid body: its name and how it resists.
std::string nameOfNode(const SolidState& solids, Index node);
std::string nameOfRigid(const SolidState& solids, Index rigid);

// Name of the first state field that holds a value which is not finite, with its place and, of solids, whose it is ("fluid.u of
// number 17 of 300"), or "".
std::string findNotFinite(const World& world);

// One line a field: name, type, count, unit, kept as what, smallest and largest value.
std::string describeFields(const World& world);

}  // namespace meniscus
