#include "engine/output/summary_parts.h"

#include <cmath>

#include "engine/base/build_info.h"

namespace meniscus {

using Json = SummaryJson;

Json orNull(std::optional<double> v) { return v && std::isfinite(*v) ? Json(*v) : Json(nullptr); }

namespace {

Json stagesPerStep(const RunInfo& info, std::size_t steps) {
  Json stages = Json::object();
  for (const auto& [name, seconds] : info.stageSeconds)
    stages[name] = steps ? orNull(1e3 * seconds / double(steps)) : Json(nullptr);
  return stages;
}

ExpectResult hold(const ExpectDef& limit, const SummaryValues& values) {
  ExpectResult r;
  r.name = limit.name;
  r.limit = limit;
  const auto found = values.find(limit.name);
  r.known = found != values.end() && std::isfinite(found->second);
  if (!r.known) return r;
  r.value = found->second;
  r.holds = (!limit.hasMin || r.value >= limit.min) && (!limit.hasMax || r.value <= limit.max);
  return r;
}

Json toJson(const ExpectResult& r) {
  Json limit = Json::object();
  if (r.limit.hasMin) limit["min"] = r.limit.min;
  if (r.limit.hasMax) limit["max"] = r.limit.max;
  return {{"name", r.name}, {"value", r.known ? Json(r.value) : Json(nullptr)}, {"limit", limit}, {"holds", r.holds}};
}

}  // namespace

Json beginSummary(const SceneDef& scene, std::uint64_t steps, double time, const std::vector<double>& milliseconds,
                  const RunInfo& info) {
  std::optional<double> meanMs;
  if (!milliseconds.empty()) {
    double sum = 0;
    for (double ms : milliseconds) sum += ms;
    meanMs = sum / double(milliseconds.size());
  }
  Json j;
  j["meniscus"] = version();
  j["scene"] = scene.name;
  j["method"] = scene.solver.method;
  j["device"] = info.device;
  j["threads"] = info.threads;
  j["steps"] = steps;
  j["simulated_seconds"] = orNull(time);
  j["wall_seconds"] = orNull(info.wallSeconds);
  j["ms_per_step"] = {
      {"mean", orNull(meanMs)}, {"median", orNull(quantile(milliseconds, 0.5))}, {"p95", orNull(quantile(milliseconds, 0.95))}};
  j["stages"] = stagesPerStep(info, milliseconds.size());
  return j;
}

// Adds "key.key" -> number of every number in j.
void flatten(const Json& j, const std::string& prefix, SummaryValues& out) {
  for (const auto& [key, value] : j.items()) {
    const std::string name = prefix.empty() ? key : prefix + "." + key;
    if (value.is_object()) flatten(value, name, out);
    if (value.is_number()) out[name] = value.get<double>();
  }
}

void putSolid(const std::string& name, const Vec3d& x, const Vec3d& v, SummaryValues& out) {
  const std::string key = "solids." + name;
  out[key + ".x"] = x.x;
  out[key + ".y"] = x.y;
  out[key + ".z"] = x.z;
  out[key + ".speed"] = norm(v);
}

Summary finishSummary(Json& j, const SummaryValues& values, const std::vector<ExpectDef>& expect) {
  Summary summary;
  j["expect"] = Json::array();
  for (const ExpectDef& e : expect) {
    summary.expect.push_back(hold(e, values));
    j["expect"].push_back(toJson(summary.expect.back()));
  }
  summary.json = j.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  return summary;
}

}  // namespace meniscus
