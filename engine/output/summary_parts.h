// What the summaries of particles and of grids have in common.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "engine/output/summary.h"

namespace meniscus {

using SummaryJson = nlohmann::ordered_json;
using SummaryValues = std::map<std::string, double>;

SummaryJson orNull(std::optional<double> v);  // null for none and for what is not finite

// The keys up to `stages`.
SummaryJson beginSummary(const SceneDef& scene, std::uint64_t steps, double time, const std::vector<double>& milliseconds,
                         const RunInfo& info);
// Adds "key.key" -> number of every number in j.
void flatten(const SummaryJson& j, const std::string& prefix, SummaryValues& out);
// "solids.NAME.x", ".y", ".z" [m], ".speed" [m/s].
void putSolid(const std::string& name, const Vec3d& x, const Vec3d& v, SummaryValues& out);
// Adds `expect`, held against the values.
Summary finishSummary(SummaryJson& j, const SummaryValues& values, const std::vector<ExpectDef>& expect);

}  // namespace meniscus
