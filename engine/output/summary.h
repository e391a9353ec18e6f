// The summary of a run as one JSON object, and the scene's expectations held against it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/output/metrics.h"
#include "engine/scene/diagnostic.h"

namespace meniscus {

// What the caller knows about the run besides world and metrics.
struct RunInfo {
  std::string device = "cpu";
  int threads = 0;
  double wallSeconds = 0;
  std::vector<std::pair<std::string, double>> stageSeconds;  // since the first of `steps`
  std::uint64_t peakMemoryBytes = 0;
};

struct ExpectResult {
  std::string name;
  bool known = false;  // the quantity has a value
  double value = 0;
  ExpectDef limit;
  bool holds = false;  // false where the value is missing or not finite
};

struct Summary {
  std::string json;  // the object, indented; missing quantities are null
  std::vector<ExpectResult> expect;
  bool allHold() const;
};

Summary summarize(const World& end, const RunMetrics& metrics, const RunInfo& info);

// Largest resident set of this process so far [bytes].
std::uint64_t peakMemory();

// Names that an expectation may have: numbers of the summary by dotted key ("density_error.max"), and of every solid
// "solids.NAME.x", ".y", ".z" (centre [m]), ".speed" [m/s]. Those of the scene that do not exist, with their places and the nearest
// name.
Diagnostics checkExpectNames(const SceneDef& scene);

}  // namespace meniscus
