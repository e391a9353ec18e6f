// The end of a run in a few lines for a person.
#pragma once

#include <string>

#include "engine/output/metrics.h"
#include "engine/output/summary.h"

namespace meniscus::cli {

// "8000 particles, 196 solid nodes, 1 constraint".
std::string sizesOf(const World& world);

void printReport(const World& world, const RunMetrics& metrics, const RunInfo& info, const Summary& summary, bool ended);

}  // namespace meniscus::cli
