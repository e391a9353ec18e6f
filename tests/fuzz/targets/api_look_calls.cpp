// What is asked of a scene: queries, events, parameters, figures, its look.
#include <cmath>

#include "tests/fuzz/targets/api_session.h"

namespace meniscus::fuzz {
namespace {

void rayCast(ApiSession& s) {
  mnsRayHit hit{};
  MNS_TRY(s, mnsScene_RayCast, s.scene(), s.b.point(), s.b.vec(0.3), std::uint32_t(s.b.below(5)), s.to(hit));
}
void overlap(ApiSession& s) {
  mnsBodyId bodies[2];
  std::uint32_t particles[4];
  std::int32_t bodyCount = 0, particleCount = 0;
  MNS_TRY(s, mnsScene_OverlapSphere, s.scene(), s.b.point(), s.b.number(0.01, 0.1), s.to(*bodies), s.b.below(4) - 1,
          s.to(bodyCount), s.to(*particles), s.b.below(6) - 1, s.to(particleCount));
}
void sample(ApiSession& s) {
  mnsView points{};
  mnsFluidSample samples[4];
  const mnsView* const view = s.positions(4, points);
  if (points.count > 4) points.count = 4;
  MNS_TRY(s, mnsScene_SampleFluid, s.scene(), view, s.to(*samples), s.b.seldom() ? s.b.byte() % sizeof *samples : sizeof *samples);
}
void buoyancy(ApiSession& s) {
  mnsBuoyancy b{};
  MNS_TRY(s, mnsScene_ProbeBuoyancy, s.scene(), s.b.point(), s.b.number(0.01, 0.05), s.to(b));
}
void events(ApiSession& s) {
  mnsEvent list[4];
  std::int32_t count = 0;
  const std::size_t stride = s.b.seldom() ? s.b.byte() % sizeof *list : sizeof *list;
  MNS_TRY(s, mnsScene_GetEvents, s.scene(), s.to(*list), stride, s.b.below(6) - 1, s.to(count));
}

// One that there is, by number; its name is then asked for and set.
void parameter(ApiSession& s) {
  std::int32_t count = 0;
  mnsScene* const scene = s.scene();
  if (MNS_TRY(s, mnsScene_GetParameterCount, scene, &count) != MNS_OK) return;
  mnsParameter p{};
  p.structSize = sizeof p;
  if (MNS_TRY(s, mnsScene_GetParameter, scene, s.b.byte() % (count + 2) - 1, &p) != MNS_OK) return;
  mnsParameter again{};
  double value = 0;
  MNS_TRY(s, mnsScene_FindParameter, scene, p.name, s.sized(again));
  if (MNS_TRY(s, mnsScene_GetValue, scene, p.name, s.b.seldom() ? nullptr : &value) == MNS_OK && !(value == p.value))
    broken("a parameter has one value");
}
void setValue(ApiSession& s) {
  static const char* const names[] = {
      "gravity.z", "solver.xsph", "fluids.air.buoyancy.z", "emitters.tap.speed", "no.such", "", "solids.ball.density", nullptr};
  mnsScene* const scene = s.scene();
  mnsParameter p{};
  p.structSize = sizeof p;
  if (s.b.below(4) == 0 || mnsScene_GetParameter(scene, s.b.byte() % 40, &p) != MNS_OK) {
    const char* const name = names[s.b.below(8)];
    MNS_TRY(s, mnsScene_SetValue, scene, name, s.b.number(-10, 10));
    return;
  }
  double value = s.b.number(p.low, p.high);
  if (p.integer) value = std::floor(value);
  MNS_TRY(s, mnsScene_SetValue, scene, p.name, value);
}

void statistics(ApiSession& s) {
  mnsStatistics figures{};
  const char *status = nullptr, *notes = nullptr;
  MNS_TRY(s, mnsScene_GetStatistics, s.scene(), s.sized(figures));
  s.touch(MNS_TRY(s, mnsScene_GetStatusText, s.scene(), &status), status);
  s.touch(MNS_TRY(s, mnsScene_GetNotes, s.scene(), &notes), notes);
}
void stages(ApiSession& s) {
  mnsStage list[4];
  std::int32_t count = 0, capacity = s.b.below(6) - 1;
  if (MNS_TRY(s, mnsScene_GetStages, s.scene(), list, capacity, s.to(count)) == MNS_OK && count > 0 && capacity > 0)
    s.touch(MNS_OK, list[0].name);
}
void resetStages(ApiSession& s) { MNS_TRY(s, mnsScene_ResetStages, s.scene()); }

void look(ApiSession& s) {
  mnsLook l{};
  MNS_TRY(s, mnsScene_GetLook, s.scene(), s.sized(l));
  l.structSize = s.b.seldom() ? s.b.byte() : std::uint32_t(sizeof l);
  l.fluid = mnsFluidLook(s.b.below(5) - 1);
  l.colour = mnsFluidColour(s.b.below(9) - 1);
  l.low = s.b.number(0, 1);
  l.high = s.b.number(0, 1);
  l.sheetOpacity = s.b.number(0, 1);
  l.slice = mnsSlice(s.b.below(6) - 1);
  l.slicePosition = s.b.number(0, 1);
  MNS_TRY(s, mnsScene_SetLook, s.scene(), s.to(l));
}
void cameras(ApiSession& s) {
  mnsCamera path[3];
  for (int k = 0; k < 3; ++k) path[k] = {k + s.b.number(0, 0.5), s.b.vec(3), s.b.point(), s.b.number(1, 170)};
  MNS_TRY(s, mnsScene_SetCameras, s.scene(), s.to(*path), s.b.below(5) - 1);
  mnsCamera now{};
  MNS_TRY(s, mnsScene_GetCamera, s.scene(), s.b.number(0, 3), s.to(now));
}

}  // namespace

ApiCalls lookCalls() {
  return {{rayCast, 3, kReads}, {overlap, 2, kReads},     {sample, 2, kReads},     {buoyancy, 1, kReads},
          {events, 1, kReads},  {parameter, 2, kReads},   {setValue, 6, kChanges}, {statistics, 2, kReads},
          {stages, 1, kReads},  {resetStages, 1, kReads}, {look, 1, kReads},       {cameras, 1, kReads}};
}

}  // namespace meniscus::fuzz
