// What a run has added up so far, as bytes that travel with its snapshots: the summary of a run that is resumed is that of the
// whole.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/output/metrics.h"

namespace meniscus {

struct RunSoFar {
  double wallSeconds = 0;
  std::vector<std::pair<std::string, double>> stageSeconds;
  std::uint64_t peakMemoryBytes = 0;
  std::uint64_t frames = 0;  // written
};

std::string packRecord(const RunMetrics& metrics, const RunSoFar& run);

// name: of the file, for the message. Throws Error(input) and changes nothing where the bytes are not what packRecord made.
void unpackRecord(const std::string& bytes, const std::string& name, RunMetrics& metrics, RunSoFar& run);

// a's sums with b's added, in the order of first use.
std::vector<std::pair<std::string, double>> addStages(std::vector<std::pair<std::string, double>> a,
                                                      const std::vector<std::pair<std::string, double>>& b);

}  // namespace meniscus
