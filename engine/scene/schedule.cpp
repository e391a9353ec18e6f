#include "engine/scene/schedule.h"

#include <algorithm>

namespace meniscus {

void mergeSpans(std::vector<ScheduleSpan>& spans) {
  std::stable_sort(spans.begin(), spans.end(), [](const ScheduleSpan& a, const ScheduleSpan& b) { return a.begin < b.begin; });
  std::size_t n = 0;
  for (const ScheduleSpan& s : spans) {
    if (n > 0 && s.begin <= spans[n - 1].end)
      spans[n - 1].end = std::max(spans[n - 1].end, s.end);
    else
      spans[n++] = s;
  }
  spans.resize(n);
}

double activeTime(const std::vector<ScheduleSpan>& spans, double t, double h) {
  if (spans.empty()) return h;
  double sum = 0;
  auto s = std::upper_bound(spans.begin(), spans.end(), t, [](double time, const ScheduleSpan& a) { return time < a.end; });
  for (; s != spans.end() && s->begin < t + h; ++s) sum += std::min(s->end, t + h) - std::max(s->begin, t);
  return sum;
}

double closedFor(const std::vector<ScheduleSpan>& spans, double t) {
  if (spans.empty()) return 0;
  const auto after =
      std::lower_bound(spans.begin(), spans.end(), t, [](const ScheduleSpan& a, double time) { return a.begin < time; });
  return after == spans.begin() ? std::numeric_limits<double>::infinity() : std::max(0.0, t - (after - 1)->end);
}

}  // namespace meniscus
