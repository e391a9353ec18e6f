// The end of a run in a few lines for a person.
#pragma once

#include "engine/output/metrics.h"
#include "engine/output/summary.h"

namespace meniscus::cli {

void printReport(const World& world, const RunMetrics& metrics, const RunInfo& info, const Summary& summary,
                 bool ended);

}  // namespace meniscus::cli
