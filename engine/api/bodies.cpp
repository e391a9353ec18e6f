// Bodies: made, found, described, destroyed.
#include "engine/api/convert.h"
#include "engine/api/create.h"
#include "engine/api/defs.h"

using namespace meniscus;
using namespace meniscus::api;

namespace {

constexpr std::size_t kMostSolids = 65535;  // the state numbers them with 16 bits

}  // namespace

extern "C" {

mnsResult mnsCreateBody(mnsScene* scene, const mnsBodyDef* given, mnsBodyId* out) {
  return write(scene, [&](mnsScene& s) {
    needPointer(out, "body");
    *out = mnsBodyId{0, 0, 0};
    const mnsBodyDef def = checked(given, "mnsBodyDef");
    SceneDef& now = s.current();
    if (now.solids.size() >= kMostSolids) fail(MNS_ERROR_CAPACITY, "a scene has {} bodies at the most", kMostSolids);
    SolidDef solid = toSolid(def, nameFor(def.name, "body", s.namesMade, now.solids));
    s.bodies.reserveOne();
    notStarted(s);
    now.solids.push_back(std::move(solid));
    const std::int32_t order = std::int32_t(now.solids.size()) - 1;
    s.bodies.add(order, def.userData);
    *out = s.bodies.idOfOrder<mnsBodyId>(order, s.serial);
    return MNS_OK;
  });
}

bool mnsBody_IsValid(mnsScene* scene, mnsBodyId body) {
  return read(scene, [&](mnsScene& s) {
           s.bodies.at(body, s.serial, "body");
           return MNS_OK;
         }) == MNS_OK;
}

mnsResult mnsBody_GetKind(mnsScene* scene, mnsBodyId body, mnsBodyKind* kind) {
  return read(scene, [&](mnsScene& s) {
    needPointer(kind, "kind");
    *kind = mnsBodyKind(int(s.current().solids[std::size_t(s.bodies.at(body, s.serial, "body").order)].kind));
    return MNS_OK;
  });
}

mnsResult mnsBody_GetName(mnsScene* scene, mnsBodyId body, const char** name) {
  return read(scene, [&](mnsScene& s) {
    needPointer(name, "name");
    *name = s.current().solids[std::size_t(s.bodies.at(body, s.serial, "body").order)].name.c_str();
    return MNS_OK;
  });
}

mnsResult mnsBody_GetUserData(mnsScene* scene, mnsBodyId body, void** userData) {
  return read(scene, [&](mnsScene& s) {
    needPointer(userData, "userData");
    *userData = s.bodies.at(body, s.serial, "body").userData;
    return MNS_OK;
  });
}

mnsResult mnsScene_FindBody(mnsScene* scene, const char* name, mnsBodyId* body) {
  return read(scene, [&](mnsScene& s) {
    needPointer(name, "name");
    needPointer(body, "body");
    *body = findByName<mnsBodyId>(s.bodies, s.current().solids, name, s.serial, "body");
    return MNS_OK;
  });
}

mnsResult mnsScene_GetBodies(mnsScene* scene, mnsBodyId* bodies, int32_t capacity, int32_t* count) {
  return read(scene, [&](mnsScene& s) {
    needPointer(count, "count");
    *count = std::int32_t(s.current().solids.size());
    for (std::int32_t k = 0; bodies && k < *count && k < capacity; ++k) bodies[k] = s.bodies.idOfOrder<mnsBodyId>(k, s.serial);
    return MNS_OK;
  });
}

}  // extern "C"
