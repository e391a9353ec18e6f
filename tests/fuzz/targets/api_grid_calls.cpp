// What is asked of scenes on a grid.
#include "tests/fuzz/targets/api_session.h"

namespace meniscus::fuzz {
namespace {

void grid(ApiSession& s) {
  mnsGrid g{};
  MNS_TRY(s, mnsScene_GetGrid, s.scene(), s.sized(g));
}
void coupling(ApiSession& s) {
  mnsCoupling c{};
  MNS_TRY(s, mnsScene_GetCoupling, s.scene(), s.sized(c));
}
// The fields there are, and some there are not.
void fields(ApiSession& s) {
  mnsScene* const scene = s.scene();
  std::int32_t count = 0;
  mnsGridField field{};
  field.structSize = sizeof field;
  if (MNS_TRY(s, mnsScene_GetGridFieldCount, scene, s.to(count)) != MNS_OK) return;
  if (MNS_TRY(s, mnsScene_GetGridField, scene, s.b.byte() % (count + 2) - 1, &field) != MNS_OK) return;
  mnsView view{};
  const mnsResult r = MNS_TRY(s, mnsScene_GetGridArray, scene, field.name, &view);
  if (r != MNS_OK) broken("a field that is named is there");
  s.touch(r, view);
}
void array(ApiSession& s) {
  static const char* const names[] = {"smoke", "level_set", "velocity", "pressure", "presure", "", "\xff", nullptr};
  mnsView view{};
  const char* const name = names[s.b.below(8)];
  s.touch(MNS_TRY(s, mnsScene_GetGridArray, s.scene(), name, &view), view);
}

}  // namespace

ApiCalls gridCalls() { return {{grid, 1, kReads}, {coupling, 2, kReads}, {fields, 3, kReads}, {array, 2, kReads}}; }

}  // namespace meniscus::fuzz
