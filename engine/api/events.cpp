// What happened in a step, as a list.
#include <cstring>

#include "engine/api/objects.h"

using namespace meniscus;
using namespace meniscus::api;

namespace meniscus::api {

void collectEvents(mnsScene& s) {
  s.events.clear();
  const StepReport& r = s.running->world.report;
  mnsEvent e{};
  if (r.overflow) {
    e.kind = MNS_EVENT_OVERFLOW;
    s.events.push_back(e);
  }
  if (!r.converged) {
    e.kind = MNS_EVENT_UNCONVERGED;
    e.value = r.couplingResidual;
    s.events.push_back(e);
  }
}

}  // namespace meniscus::api

extern "C" {

mnsResult mnsScene_GetEvents(mnsScene* scene, mnsEvent* events, size_t stride, int32_t capacity, int32_t* count) {
  return read(scene, [&](mnsScene& s) {
    needPointer(count, "count");
    if (events && stride == 0) fail(MNS_ERROR_INVALID_ARGUMENT, "stride is 0; give sizeof(mnsEvent)");
    *count = std::int32_t(s.events.size());
    for (std::int32_t k = 0; events && k < *count && k < capacity; ++k)
      std::memcpy(reinterpret_cast<char*>(events) + std::size_t(k) * stride, &s.events[std::size_t(k)],
                  std::min(stride, sizeof(mnsEvent)));
    return MNS_OK;
  });
}

}  // extern "C"
