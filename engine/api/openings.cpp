// Emitters and drains: made, moved, asked, destroyed, before the start and between steps.
#include <new>

#include "engine/api/convert.h"
#include "engine/api/create.h"
#include "engine/api/defs.h"
#include "engine/api/grid_scene.h"
#include "engine/api/parameter_list.h"
#include "engine/world/check.h"

using namespace meniscus;
using namespace meniscus::api;

namespace {

// What emitters and drains differ in, so that each call is written once.
struct Emitters {
  using Id = mnsEmitterId;
  static constexpr const char* kind = "emitter";
  static IdTable& ids(mnsScene& s) { return s.emitters; }
  static std::vector<EmitterDef>& defs(mnsScene& s) { return s.current().emitters; }
  static std::vector<EmitterState>& states(Running& r) { return r.world.emitters; }
};
struct Drains {
  using Id = mnsDrainId;
  static constexpr const char* kind = "drain";
  static IdTable& ids(mnsScene& s) { return s.drains; }
  static std::vector<DrainDef>& defs(mnsScene& s) { return s.current().drains; }
  static std::vector<DrainState>& states(Running& r) { return r.world.drains; }
};

template <class Kind>
const Slot& slotOf(mnsScene& s, typename Kind::Id id) {
  return Kind::ids(s).at(id, s.serial, Kind::kind);
}

// Before the start the start checks it.
template <class Opening>
void checkNow(mnsScene& s, const Opening& o) {
  if (s.running) throwIfAny(mistakesIn(s.running->world, o));
}

// The first emitter of a running scene may be what there is no room for.
void noteNoRoom(mnsScene& s) noexcept {
  if (!s.running || s.current().emitters.size() != 1) return;
  try {
    const std::string note = noRoomNote(s, s.running->world);
    if (note.empty()) return;
    s.notes += (s.notes.empty() ? "" : "\n") + note;
    MNS_LOG(*s.context, MNS_LOG_WARNING, "scene", note);
  } catch (const std::bad_alloc&) {}  // the emitter is there; only what is missing for it is not said
}

template <class Kind, class Opening>
typename Kind::Id add(mnsScene& s, Opening&& opening, void* userData) {
  checkNow(s, opening);
  auto& defs = Kind::defs(s);
  Kind::ids(s).reserveOne();
  if (s.running) Kind::states(*s.running).reserve(defs.size() + 1);
  defs.push_back(std::move(opening));
  if (s.running) Kind::states(*s.running).resize(defs.size());
  const std::int32_t order = std::int32_t(defs.size()) - 1;
  Kind::ids(s).add(order, userData);
  return Kind::ids(s).template idOfOrder<typename Kind::Id>(order, s.serial);
}

template <class Kind>
mnsResult destroy(mnsScene* scene, typename Kind::Id id) {
  return write(scene, [&](mnsScene& s) {
    const std::ptrdiff_t order = slotOf<Kind>(s, id).order;
    auto& defs = Kind::defs(s);
    forgetParameters(s, fmt::format("{}s.{}.", Kind::kind, defs[std::size_t(order)].name));
    defs.erase(defs.begin() + order);
    if (s.running) Kind::states(*s.running).erase(Kind::states(*s.running).begin() + order);
    Kind::ids(s).remove(id.index);
    return MNS_OK;
  });
}

template <class Kind>
bool isValid(mnsScene* scene, typename Kind::Id id) {
  return read(scene, [&](mnsScene& s) {
           slotOf<Kind>(s, id);
           return MNS_OK;
         }) == MNS_OK;
}

template <class Kind>
mnsResult userDataOf(mnsScene* scene, typename Kind::Id id, void** userData) {
  return read(scene, [&](mnsScene& s) {
    needPointer(userData, "userData");
    *userData = slotOf<Kind>(s, id).userData;
    return MNS_OK;
  });
}

template <class Kind>
mnsResult findOne(mnsScene* scene, const char* name, typename Kind::Id* out) {
  return read(scene, [&](mnsScene& s) {
    needPointer(name, "name");
    needPointer(out, Kind::kind);
    *out = findByName<typename Kind::Id>(Kind::ids(s), Kind::defs(s), name, s.serial, Kind::kind);
    return MNS_OK;
  });
}

}  // namespace

extern "C" {

mnsResult mnsCreateEmitter(mnsScene* scene, const mnsEmitterDef* given, mnsEmitterId* out) {
  return write(scene, [&](mnsScene& s) {
    needPointer(out, "emitter");
    needParticles(s);
    const mnsEmitterDef def = checked(given, "mnsEmitterDef");
    const std::string& fluid = s.current().fluids[std::size_t(s.fluids.at(def.fluid, s.serial, "fluid").order)].name;
    const std::string name = nameFor(def.name, "emitter", s.namesMade, s.current().emitters);
    *out = add<Emitters>(s, toEmitter(def, name, fluid), def.userData);
    noteName(s, def.name);
    noteNoRoom(s);
    return MNS_OK;
  });
}

mnsResult mnsCreateDrain(mnsScene* scene, const mnsDrainDef* given, mnsDrainId* out) {
  return write(scene, [&](mnsScene& s) {
    needPointer(out, "drain");
    needParticles(s);
    const mnsDrainDef def = checked(given, "mnsDrainDef");
    const std::string name = nameFor(def.name, "drain", s.namesMade, s.current().drains);
    *out = add<Drains>(s, toDrain(def, name), def.userData);
    noteName(s, def.name);
    return MNS_OK;
  });
}

mnsResult mnsDestroyEmitter(mnsScene* scene, mnsEmitterId emitter) { return destroy<Emitters>(scene, emitter); }
mnsResult mnsDestroyDrain(mnsScene* scene, mnsDrainId drain) { return destroy<Drains>(scene, drain); }
bool mnsEmitter_IsValid(mnsScene* scene, mnsEmitterId emitter) { return isValid<Emitters>(scene, emitter); }
bool mnsDrain_IsValid(mnsScene* scene, mnsDrainId drain) { return isValid<Drains>(scene, drain); }

mnsResult mnsEmitter_GetUserData(mnsScene* scene, mnsEmitterId emitter, void** userData) {
  return userDataOf<Emitters>(scene, emitter, userData);
}
mnsResult mnsDrain_GetUserData(mnsScene* scene, mnsDrainId drain, void** userData) {
  return userDataOf<Drains>(scene, drain, userData);
}
mnsResult mnsScene_FindEmitter(mnsScene* scene, const char* name, mnsEmitterId* emitter) {
  return findOne<Emitters>(scene, name, emitter);
}
mnsResult mnsScene_FindDrain(mnsScene* scene, const char* name, mnsDrainId* drain) { return findOne<Drains>(scene, name, drain); }

mnsResult mnsEmitter_SetTransform(mnsScene* scene, mnsEmitterId emitter, mnsVec3 position, mnsQuat rotation) {
  return write(scene, [&](mnsScene& s) {
    EmitterDef& def = s.current().emitters[std::size_t(slotOf<Emitters>(s, emitter).order)];
    EmitterDef moved = def;
    moved.transform.translate = toVec(position, "position");
    moved.transform.rotate = toQuat(rotation, "rotation");
    checkNow(s, moved);
    def.transform = moved.transform;
    return MNS_OK;
  });
}

mnsResult mnsEmitter_SetSpeed(mnsScene* scene, mnsEmitterId emitter, double speed) {
  return write(scene, [&](mnsScene& s) {
    const EmitterDef& def = s.current().emitters[std::size_t(slotOf<Emitters>(s, emitter).order)];
    setParameter(s, ("emitters." + def.name + ".speed").c_str(), speed);
    return MNS_OK;
  });
}

mnsResult mnsEmitter_GetVolume(mnsScene* scene, mnsEmitterId emitter, double* volume) {
  return read(scene, [&](mnsScene& s) {
    needPointer(volume, "volume");
    const Slot& slot = slotOf<Emitters>(s, emitter);
    *volume = s.running ? s.running->world.emitters[std::size_t(slot.order)].volume : 0;
    return MNS_OK;
  });
}

mnsResult mnsDrain_GetCount(mnsScene* scene, mnsDrainId drain, uint64_t* count) {
  return read(scene, [&](mnsScene& s) {
    needPointer(count, "count");
    const Slot& slot = slotOf<Drains>(s, drain);
    *count = s.running ? s.running->world.drains[std::size_t(slot.order)].removed : 0;
    return MNS_OK;
  });
}

}  // extern "C"
