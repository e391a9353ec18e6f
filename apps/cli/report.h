// The end of a run in a few lines for a person.
#pragma once

#include <string>

#include "engine/offline/metrics.h"
#include "engine/output/metrics.h"
#include "engine/output/summary.h"

namespace meniscus::cli {

// "8000 particles, 196 solid nodes, 1 constraint".
std::string sizesOf(const World& world);
// "40 x 60 cells, 81 solid nodes".
std::string sizesOf(const offline::OfflineRun& run);

void printReport(const World& world, const RunMetrics& metrics, const RunInfo& info, const Summary& summary, bool ended);
void printReport(const offline::OfflineRun& run, const offline::OfflineMetrics& metrics, const RunInfo& info,
                 const Summary& summary, bool ended);

}  // namespace meniscus::cli
