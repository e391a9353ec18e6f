// Fluids, emitters and drains: made, moved, destroyed, asked for what they are.
#include "tests/fuzz/targets/api_shapes.h"

namespace meniscus::fuzz {
namespace {

char userData;  // of every object

void createFluid(ApiSession& s) {
  mnsShape shape = shapeOf(s, MNS_BODY_STATIC);
  mnsFluidDef def = mnsDefaultFluidDef();
  if (s.b.below(3)) def.shape = s.damaged(shape);
  if (s.b.below(4) == 0) def.inside = s.pick(s.bodies);
  def.name = nameOf(s, "water");
  def.position = s.b.point();
  def.rotation = s.b.rotation();
  def.viscosity = s.b.number(0, 1e-3);
  def.density = s.b.number(500, 2000);
  def.carve = s.b.below(2) == 0;
  // no bytes of its own, so that kept sessions stay what they are
  if (def.density < 1250) def.surfaceTension = 100 * def.viscosity;
  def.userData = &userData;
  mnsFluidId id{};
  s.keep(MNS_TRY(s, mnsCreateFluid, s.scene(), s.damaged(def), &id), id, s.fluids);
}
void addShape(ApiSession& s) {
  mnsShape shape = shapeOf(s, MNS_BODY_STATIC);
  MNS_TRY(s, mnsFluid_AddShape, s.scene(), s.pick(s.fluids), s.damaged(shape), s.b.point(), s.b.rotation());
}
void destroyFluid(ApiSession& s) { MNS_TRY(s, mnsDestroyFluid, s.scene(), s.pick(s.fluids)); }

template <class Def>
void place(ApiSession& s, Def& def, const char* name) {
  def.name = nameOf(s, name);
  def.kind = mnsOpeningKind(s.b.below(3));
  const double wide = s.b.number(0.02, 0.05);
  if (def.kind == MNS_OPENING_RECTANGLE)
    def.sizeX = def.sizeY = wide;
  else
    def.radius = wide;
  def.position = s.b.point();
  def.rotation = s.b.rotation();
  def.end = s.b.below(2) ? def.end : s.b.number(0, 0.1);
  def.userData = &userData;
}
void createEmitter(ApiSession& s) {
  mnsEmitterDef def = mnsDefaultEmitterDef();
  def.fluid = s.pick(s.fluids);
  place(s, def, "tap");
  def.speed = s.b.number(0, 2);
  mnsEmitterId id{};
  s.keep(MNS_TRY(s, mnsCreateEmitter, s.scene(), s.damaged(def), &id), id, s.emitters);
}
void createDrain(ApiSession& s) {
  mnsDrainDef def = mnsDefaultDrainDef();
  place(s, def, "plug");
  def.depth = s.b.number(0, 0.05);
  def.rate = s.b.below(2) ? 0 : s.b.number(0, 1e-3);
  mnsDrainId id{};
  s.keep(MNS_TRY(s, mnsCreateDrain, s.scene(), s.damaged(def), &id), id, s.drains);
}
void destroyEmitter(ApiSession& s) { MNS_TRY(s, mnsDestroyEmitter, s.scene(), s.pick(s.emitters)); }
void destroyDrain(ApiSession& s) { MNS_TRY(s, mnsDestroyDrain, s.scene(), s.pick(s.drains)); }
void setTransform(ApiSession& s) {
  MNS_TRY(s, mnsEmitter_SetTransform, s.scene(), s.pick(s.emitters), s.b.point(), s.b.rotation());
}
void setSpeed(ApiSession& s) { MNS_TRY(s, mnsEmitter_SetSpeed, s.scene(), s.pick(s.emitters), s.b.number(0, 2)); }
void getVolume(ApiSession& s) {
  double volume = 0;
  MNS_TRY(s, mnsEmitter_GetVolume, s.scene(), s.pick(s.emitters), s.to(volume));
}
void getCount(ApiSession& s) {
  std::uint64_t count = 0;
  MNS_TRY(s, mnsDrain_GetCount, s.scene(), s.pick(s.drains), s.to(count));
}

// What was given comes back; objects of files have none.
void ofHost(mnsResult r, const void* data) {
  if (r == MNS_OK && data && data != &userData) broken("user data are those that were given");
}
void userDatas(ApiSession& s) {
  void* data = nullptr;
  ofHost(MNS_TRY(s, mnsFluid_GetUserData, s.scene(), s.pick(s.fluids), &data), data);
  ofHost(MNS_TRY(s, mnsEmitter_GetUserData, s.scene(), s.pick(s.emitters), &data), data);
  ofHost(MNS_TRY(s, mnsDrain_GetUserData, s.scene(), s.pick(s.drains), s.to(data)), data);
}

void areValid(ApiSession& s) {
  s.used("mnsFluid_IsValid", MNS_CALL(mnsFluid_IsValid, s.scene(), s.pick(s.fluids)));
  s.used("mnsEmitter_IsValid", MNS_CALL(mnsEmitter_IsValid, s.scene(), s.pick(s.emitters)));
  s.used("mnsDrain_IsValid", MNS_CALL(mnsDrain_IsValid, s.scene(), s.pick(s.drains)));
  s.used("mnsBody_IsValid", MNS_CALL(mnsBody_IsValid, s.scene(), s.pick(s.bodies)));
}

// What a file or a name of the library's has made comes into the lists here.
void find(ApiSession& s) {
  static const char* const names[] = {"water", "air", "ball", "cloth", "balloon", "plank", "paddle",
                                      "wall",  "tap", "plug", "x",     "",        "\xff",  nullptr};
  const char* const name = names[s.b.below(14)];
  mnsFluidId fluid{};
  mnsBodyId body{};
  mnsEmitterId emitter{};
  mnsDrainId drain{};
  s.keep(MNS_TRY(s, mnsScene_FindFluid, s.scene(), name, &fluid), fluid, s.fluids);
  s.keep(MNS_TRY(s, mnsScene_FindBody, s.scene(), name, &body), body, s.bodies);
  s.keep(MNS_TRY(s, mnsScene_FindEmitter, s.scene(), name, &emitter), emitter, s.emitters);
  s.keep(MNS_TRY(s, mnsScene_FindDrain, s.scene(), name, &drain), drain, s.drains);
  mnsBodyId all[4] = {};
  std::int32_t count = 0;
  if (MNS_TRY(s, mnsScene_GetBodies, s.scene(), all, s.b.below(6) - 1, s.to(count)) == MNS_OK && count > 0 && s.b.below(2))
    s.bodies.push_back(all[0]);
}

}  // namespace

ApiCalls objectCalls() {
  return {{createFluid, 14, kChanges}, {addShape, 2, kChanges},
          {destroyFluid, 1, kChanges}, {createEmitter, 4, kChanges},
          {createDrain, 3, kChanges},  {destroyEmitter, 1, kChanges},
          {destroyDrain, 1, kChanges}, {setTransform, 3, kChanges},
          {setSpeed, 1, kChanges},     {getVolume, 1, kReads},
          {getCount, 1, kReads},       {userDatas, 1, kReads},
          {areValid, 1, kReads},       {find, 8, kReads}};
}

}  // namespace meniscus::fuzz
