#include "engine/output/summary.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "engine/base/build_info.h"
#include "engine/world/hash.h"

namespace meniscus {
namespace {

using Json = nlohmann::ordered_json;

Json orNull(std::optional<double> v) { return v && std::isfinite(*v) ? Json(*v) : Json(nullptr); }

Json stagesPerStep(const RunInfo& info, std::size_t steps) {
  Json stages = Json::object();
  for (const auto& [name, seconds] : info.stageSeconds)
    stages[name] = steps ? orNull(1e3 * seconds / double(steps)) : Json(nullptr);
  return stages;
}

// Every key of the contract but `expect`, in its order.
Json quantities(const World& w, const RunMetrics& m, const RunInfo& info) {
  const bool fluid = w.fluid.capacity > 0 || w.fluid.n > 0, stepped = !m.milliseconds.empty();
  const auto ofFluid = [&](std::optional<double> v) { return fluid && stepped ? orNull(v) : Json(nullptr); };
  const std::size_t steps = m.milliseconds.size();
  std::optional<double> meanMs;
  if (stepped) {
    double sum = 0;
    for (double ms : m.milliseconds) sum += ms;
    meanMs = sum / double(steps);
  }
  Json j;
  j["meniscus"] = version();
  j["scene"] = w.scene.name;
  j["method"] = w.scene.solver.method;
  j["device"] = info.device;
  j["threads"] = info.threads;
  j["steps"] = w.steps;
  j["simulated_seconds"] = orNull(w.time);
  j["wall_seconds"] = orNull(info.wallSeconds);
  j["ms_per_step"] = {
      {"mean", orNull(meanMs)}, {"median", orNull(quantile(m.milliseconds, 0.5))}, {"p95", orNull(quantile(m.milliseconds, 0.95))}};
  j["stages"] = stagesPerStep(info, steps);
  j["particles"] = w.fluid.n;
  j["solid_nodes"] = w.solid.x.size();
  j["constraints"] = w.solid.constraints.items.size() + w.solid.volumes.size();
  j["pressure_iterations"] = {{"mean", ofFluid(m.pressureIterations.mean())}, {"max", ofFluid(m.pressureIterations.max)}};
  j["coupling_iterations"] = {{"mean", ofFluid(m.couplingIterations.mean())}, {"max", ofFluid(m.couplingIterations.max)}};
  j["unconverged_steps"] = m.unconvergedSteps;
  j["substeps_undone"] = m.substepsUndone;
  j["density_error"] = {{"mean", ofFluid(m.densityError.mean())}, {"max", ofFluid(m.densityError.max)}};
  j["divergence_error"] = ofFluid(m.divergenceError.mean());
  j["volume_error"] = ofFluid(std::fabs(m.volumeChange));
  j["leaked_particles"] = fluid && stepped ? Json(m.leaked) : Json(nullptr);
  j["momentum_error"] = orNull(m.momentumError(w));
  j["energy"] = {{"start", orNull(m.energyStart)}, {"end", orNull(totalEnergy(w))}};
  j["peak_memory_bytes"] = info.peakMemoryBytes;
  j["state_hash"] = hexHash(stateHash(w));
  return j;
}

// Adds "key.key" -> number of every number in j.
void flatten(const Json& j, const std::string& prefix, std::map<std::string, double>& out) {
  for (const auto& [key, value] : j.items()) {
    const std::string name = prefix.empty() ? key : prefix + "." + key;
    if (value.is_object()) flatten(value, name, out);
    if (value.is_number()) out[name] = value.get<double>();
  }
}

void put(const std::string& name, const Vec3d& x, const Vec3d& v, std::map<std::string, double>& out) {
  const std::string key = "solids." + name;
  out[key + ".x"] = x.x;
  out[key + ".y"] = x.y;
  out[key + ".z"] = x.z;
  out[key + ".speed"] = norm(v);
}

// Centre of mass and its velocity of every solid.
void solidQuantities(const SolidState& s, std::map<std::string, double>& out) {
  for (const RigidBody& r : s.rigid) put(r.name, r.x, r.v, out);
  for (const Body& b : s.bodies) {
    if (b.rigid >= 0) continue;
    Vec3d x{}, v{};
    double mass = 0;
    for (Index i = b.nodeBegin; i < b.nodeEnd; ++i) {
      const double m = s.mass[std::size_t(i)];
      x += m * s.x[std::size_t(i)];
      v += m * s.v[std::size_t(i)];
      mass += m;
    }
    if (mass > 0) put(b.name, x / mass, v / mass, out);
  }
}

ExpectResult hold(const ExpectDef& limit, const std::map<std::string, double>& values) {
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

bool Summary::allHold() const {
  return std::all_of(expect.begin(), expect.end(), [](const ExpectResult& r) { return r.holds; });
}

Summary summarize(const World& end, const RunMetrics& metrics, const RunInfo& info) {
  Json j = quantities(end, metrics, info);
  std::map<std::string, double> values;
  flatten(j, "", values);
  solidQuantities(end.solid, values);
  Summary summary;
  j["expect"] = Json::array();
  for (const ExpectDef& e : end.scene.expect) {
    summary.expect.push_back(hold(e, values));
    j["expect"].push_back(toJson(summary.expect.back()));
  }
  summary.json = j.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  return summary;
}

std::uint64_t peakMemory() {
  rusage usage{};
  return getrusage(RUSAGE_SELF, &usage) == 0 ? std::uint64_t(usage.ru_maxrss) * 1024 : 0;  // Linux counts KiB
}

Diagnostics checkExpectNames(const SceneDef& scene) {
  std::vector<std::string> known = {"threads",
                                    "steps",
                                    "simulated_seconds",
                                    "wall_seconds",
                                    "ms_per_step.mean",
                                    "ms_per_step.median",
                                    "ms_per_step.p95",
                                    "particles",
                                    "solid_nodes",
                                    "constraints",
                                    "pressure_iterations.mean",
                                    "pressure_iterations.max",
                                    "coupling_iterations.mean",
                                    "coupling_iterations.max",
                                    "unconverged_steps",
                                    "substeps_undone",
                                    "density_error.mean",
                                    "density_error.max",
                                    "divergence_error",
                                    "volume_error",
                                    "leaked_particles",
                                    "momentum_error",
                                    "energy.start",
                                    "energy.end",
                                    "peak_memory_bytes"};
  for (const SolidDef& s : scene.solids)
    for (const char* key : {".x", ".y", ".z", ".speed"}) known.push_back("solids." + s.name + key);
  Diagnostics mistakes;
  for (const ExpectDef& e : scene.expect) {
    if (std::find(known.begin(), known.end(), e.name) != known.end()) continue;
    if (e.name.rfind("stages.", 0) == 0) continue;  // known only once the solver has run
    const std::string near = nearestSpelling(e.name, known);
    mistakes.push_back(
        {scene.file, e.where.line, e.where.column,
         fmt::format("the summary has no number \"{}\"{}", e.name, near.empty() ? "" : "; did you mean \"" + near + "\"?")});
  }
  return mistakes;
}

}  // namespace meniscus
