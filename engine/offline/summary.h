// The summary of a run of a grid method: the keys of all runs, null where it has no such quantity, why the first step that did not
// converge did not ("unconverged_reason"), and the particles of water that solids left no place for ("lost_particles").
#pragma once

#include "engine/offline/metrics.h"
#include "engine/output/summary.h"

namespace meniscus::offline {

Summary summarize(const OfflineRun& end, const OfflineMetrics& metrics, const RunInfo& info);

// The line of a step, and the first line of its file: times in s, lengths in m, momentum in kg m/s, volumes in m^3 and pressures in
// Pa; in two dimensions per metre of depth. A volume for each inflatable, in the order of the scene; p0 of the enclosed region with
// the largest. Of water its volume, how much that is beside what it should be, and the particles that were lost.
std::string offlineCsvHeader(const OfflineRun& run);
std::string offlineCsvLine(const OfflineRun& run, const StepReport& step, double milliseconds);

}  // namespace meniscus::offline
