// Fluids before the start.
#include "engine/api/convert.h"
#include "engine/api/create.h"
#include "engine/api/defs.h"

using namespace meniscus;
using namespace meniscus::api;

namespace {

constexpr std::size_t kMostFluids = 256;  // the state numbers them with 8 bits

std::string nameOfBody(mnsScene& s, const mnsBodyId& id) {
  if (MNS_IS_NULL(id)) return {};
  return s.current().solids[std::size_t(s.bodies.at(id, s.serial, "body to be filled").order)].name;
}

}  // namespace

extern "C" {

mnsResult mnsCreateFluid(mnsScene* scene, const mnsFluidDef* given, mnsFluidId* out) {
  return write(scene, [&](mnsScene& s) {
    needPointer(out, "fluid");
    notStarted(s);
    const mnsFluidDef def = checked(given, "mnsFluidDef");
    if (!(s.spacing > 0))
      fail(MNS_ERROR_INVALID_ARGUMENT, "the scene has no spacing; set mnsSceneDef::spacing to create fluids in it");
    if (s.def.fluids.size() >= kMostFluids) fail(MNS_ERROR_CAPACITY, "a scene has {} fluids at the most", kMostFluids);
    const std::string name = nameFor(def.name, "fluid", s.namesMade, s.def.fluids);
    s.fluids.reserveOne();
    s.def.fluids.push_back(toFluid(def, name, nameOfBody(s, def.inside), s.spacing));
    const std::int32_t index = s.fluids.add(std::int32_t(s.def.fluids.size()) - 1, def.userData);
    noteName(s, def.name);
    *out = s.fluids.idOfOrder<mnsFluidId>(std::int32_t(s.def.fluids.size()) - 1, s.serial);
    out->index = index;
    return MNS_OK;
  });
}

mnsResult mnsFluid_AddShape(mnsScene* scene, mnsFluidId fluid, const mnsShape* shape, mnsVec3 position, mnsQuat rotation) {
  return write(scene, [&](mnsScene& s) {
    const Slot& slot = s.fluids.at(fluid, s.serial, "fluid");
    notStarted(s);
    FluidDef f = s.def.fluids[std::size_t(slot.order)];
    addFluidShape(f, checked(shape, "mnsShape"), position, rotation);
    s.def.fluids[std::size_t(slot.order)] = std::move(f);
    return MNS_OK;
  });
}

mnsResult mnsDestroyFluid(mnsScene* scene, mnsFluidId fluid) {
  return write(scene, [&](mnsScene& s) {
    const Slot& slot = s.fluids.at(fluid, s.serial, "fluid");
    notStarted(s);
    const std::string name = s.def.fluids[std::size_t(slot.order)].name;
    for (std::size_t k = s.def.emitters.size(); k-- > 0;)
      if (s.def.emitters[k].fluid == name) {
        s.emitters.remove(s.emitters.idOfOrder<mnsEmitterId>(std::int32_t(k), s.serial).index);
        s.def.emitters.erase(s.def.emitters.begin() + std::ptrdiff_t(k));
      }
    s.def.fluids.erase(s.def.fluids.begin() + slot.order);
    s.fluids.remove(fluid.index);
    return MNS_OK;
  });
}

bool mnsFluid_IsValid(mnsScene* scene, mnsFluidId fluid) {
  return read(scene, [&](mnsScene& s) {
           s.fluids.at(fluid, s.serial, "fluid");
           return MNS_OK;
         }) == MNS_OK;
}

mnsResult mnsFluid_GetUserData(mnsScene* scene, mnsFluidId fluid, void** userData) {
  return read(scene, [&](mnsScene& s) {
    needPointer(userData, "userData");
    *userData = s.fluids.at(fluid, s.serial, "fluid").userData;
    return MNS_OK;
  });
}

mnsResult mnsScene_FindFluid(mnsScene* scene, const char* name, mnsFluidId* fluid) {
  return read(scene, [&](mnsScene& s) {
    needPointer(name, "name");
    needPointer(fluid, "fluid");
    *fluid = findByName<mnsFluidId>(s.fluids, s.current().fluids, name, s.serial, "fluid");
    return MNS_OK;
  });
}

}  // extern "C"
