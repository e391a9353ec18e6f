#include "engine/offline/scene_times.h"

#include "engine/scene/schedule.h"

namespace meniscus::offline {

template <int D>
std::vector<double> inflowsAt(const SmokeDomain<D>& domain, const std::vector<double>& full, const std::vector<InflowDef>& inflows,
                              double t, double dt) {
  std::vector<double> now = full;
  for (std::size_t k = 0; k < now.size(); ++k) {
    const std::vector<ScheduleSpan>& spans = inflows[std::size_t(domain.inflow[k].opening)].schedule;
    if (!spans.empty()) now[k] *= activeTime(spans, t, dt) / dt;
  }
  return now;
}

// A step that begins within round-off of the end begins at it.
template <int D>
bool holdPins(SceneSolid<D>& solid, double t) {
  bool changed = false;
  for (std::size_t i = 0; i < solid.pin.size(); ++i) {
    if (solid.pin[i] < 0) continue;
    const double until = solid.pinUntil[std::size_t(solid.pin[i])];
    const bool holds = t < until * (1 - 1e-9);
    if (holds == (solid.held[i] != 0)) continue;
    changed = true;
    solid.held[i] = holds;
    if (holds)
      solid.nodal->prescribe(int(i), implicit::NodalSolid<D>::Coordinates::Zero());
    else
      solid.nodal->release(int(i));
  }
  return changed;
}

#define MNS_INSTANTIATE(D)                                                                                                    \
  template std::vector<double> inflowsAt<D>(const SmokeDomain<D>&, const std::vector<double>&, const std::vector<InflowDef>&, \
                                            double, double);                                                                  \
  template bool holdPins<D>(SceneSolid<D>&, double);
MNS_INSTANTIATE(2)
MNS_INSTANTIATE(3)
#undef MNS_INSTANTIATE

}  // namespace meniscus::offline
