// A time during which something works.
#pragma once

#include <limits>

namespace meniscus {

struct ScheduleSpan {
  double begin = 0, end = std::numeric_limits<double>::infinity();
};  // s

}  // namespace meniscus
