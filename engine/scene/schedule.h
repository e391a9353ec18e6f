// Times during which an opening works.
#pragma once

#include <vector>

#include "engine/scene/scene.h"

namespace meniscus {

// The same times as ascending spans that neither overlap nor touch: what the functions below expect. Empty stays empty: always.
void mergeSpans(std::vector<ScheduleSpan>& spans);

double activeTime(const std::vector<ScheduleSpan>& spans, double t, double h);  // s of [t, t + h]
double closedFor(const std::vector<ScheduleSpan>& spans, double t);             // s since it was last open, seen from t

}  // namespace meniscus
