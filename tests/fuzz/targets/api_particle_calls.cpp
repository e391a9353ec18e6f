// Particles and arrays: brought in, taken out, seen and copied.
#include "tests/fuzz/targets/api_session.h"

namespace meniscus::fuzz {
namespace {

void emit(ApiSession& s) {
  mnsView x{}, u{};
  std::uint32_t first = 0;
  const mnsView* const positions = s.positions(3, x);
  MNS_TRY(s, mnsScene_EmitParticles, s.scene(), s.pick(s.fluids), positions, s.b.below(2) ? nullptr : s.positions(3, u),
          s.to(first));
}
void remove(ApiSession& s) {
  const std::uint32_t ids[2] = {s.b.byte(), s.b.byte()};
  std::int32_t removed = 0;
  MNS_TRY(s, mnsScene_RemoveParticles, s.scene(), s.to(*ids), s.b.below(4) - 1, s.to(removed));
}
void setVelocities(ApiSession& s) {
  const std::uint32_t ids[2] = {s.b.byte(), s.b.byte()};
  mnsView u{};
  const mnsView* const velocities = s.positions(2, u);
  if (s.b.byte() < 240) u.count = 2;
  if (u.count > 2) u.count = 2;
  MNS_TRY(s, mnsScene_SetParticleVelocities, s.scene(), ids, s.b.seldom() ? s.b.below(3) : int(u.count), velocities);
}

mnsParticleField particleField(Bytes& b) { return mnsParticleField(b.below(11) - 1); }
mnsBodyField bodyField(Bytes& b) { return mnsBodyField(b.below(13) - 1); }

void getParticles(ApiSession& s) {
  mnsView view{};
  s.touch(MNS_TRY(s, mnsScene_GetParticles, s.scene(), particleField(s.b), &view), view);
}
void getArray(ApiSession& s) {
  mnsView view{};
  s.touch(MNS_TRY(s, mnsBody_GetArray, s.scene(), s.pick(s.bodies), bodyField(s.b), &view), view);
}

// Room for what a field has, and sometimes less.
struct Room {
  Room(ApiSession& s, mnsResult known, const mnsView& field) {
    const bool some = known == MNS_OK && s.b.byte() < 220;
    const std::int64_t count = some ? field.count : s.b.byte(), stride = s.b.below(3) ? 16 : 0;
    bytes.resize(std::size_t(16 * count));
    view = mnsHostView(bytes.data(), known == MNS_OK && !s.b.seldom() ? field.format : mnsFormat(s.b.below(10) - 1), count);
    view.stride = s.b.seldom() ? s.b.below(40) - 24 : stride;
    if (s.b.seldom()) view.memory = mnsMemory(s.b.below(4));
    if (s.b.seldom()) view.count = -view.count;
    if (view.stride > 16) view.stride = 16;
  }
  std::vector<char> bytes;
  mnsView view;
};
void copyParticles(ApiSession& s) {
  const mnsParticleField field = particleField(s.b);
  mnsView there{};
  std::int64_t written = 0;
  mnsScene* const scene = s.scene();
  const Room room(s, mnsScene_GetParticles(scene, field, &there), there);
  MNS_TRY(s, mnsScene_CopyParticles, scene, field, s.to(room.view), s.to(written));
}
void copyArray(ApiSession& s) {
  const mnsBodyField field = bodyField(s.b);
  const mnsBodyId body = s.pick(s.bodies);
  mnsView there{};
  std::int64_t written = 0;
  mnsScene* const scene = s.scene();
  const Room room(s, mnsBody_GetArray(scene, body, field, &there), there);
  MNS_TRY(s, mnsBody_CopyArray, scene, body, field, s.to(room.view), s.to(written));
}

}  // namespace

ApiCalls particleCalls() {
  return {{emit, 4, kChanges},   {remove, 2, kChanges},      {setVelocities, 2, kChanges}, {getParticles, 4, kReads},
          {getArray, 5, kReads}, {copyParticles, 2, kReads}, {copyArray, 2, kReads}};
}

}  // namespace meniscus::fuzz
