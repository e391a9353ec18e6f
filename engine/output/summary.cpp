#include "engine/output/summary.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "engine/base/build_info.h"
#include "engine/output/summary_parts.h"
#include "engine/scene/methods.h"
#include "engine/world/hash.h"

namespace meniscus {

using Json = SummaryJson;

namespace {

// Every key of the contract but `expect`, in its order.
Json quantities(const World& w, const RunMetrics& m, const RunInfo& info) {
  const bool fluid = w.fluid.capacity > 0 || w.fluid.n > 0, stepped = !m.milliseconds.empty();
  const auto ofFluid = [&](std::optional<double> v) { return fluid && stepped ? orNull(v) : Json(nullptr); };
  Json j = beginSummary(w.scene, w.steps, w.time, m.milliseconds, info);
  j["particles"] = w.fluid.n;
  j["solid_nodes"] = w.solid.x.size();
  j["constraints"] = w.solid.constraints.items.size() + w.solid.volumes.size();
  j["pressure_iterations"] = {{"mean", ofFluid(m.pressureIterations.mean())}, {"max", ofFluid(m.pressureIterations.max)}};
  j["coupling_iterations"] = {{"mean", ofFluid(m.couplingIterations.mean())}, {"max", ofFluid(m.couplingIterations.max)}};
  j["unconverged_steps"] = m.unconvergedSteps;
  j["unconverged_reason"] = m.unconvergedSteps > 0 ? Json(m.firstReason) : Json(nullptr);
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

// Centre of mass and its velocity of every solid.
void solidQuantities(const SolidState& s, std::map<std::string, double>& out) {
  for (const RigidBody& r : s.rigid) putSolid(r.name, r.x, r.v, out);
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
    if (mass > 0) putSolid(b.name, x / mass, v / mass, out);
  }
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
  return finishSummary(j, values, end.scene.expect);
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
  // of fluids of particles, and null in the summary of a grid
  const std::vector<std::string> ofParticles = {"particles",         "constraints",      "substeps_undone", "density_error.mean",
                                                "density_error.max", "divergence_error", "leaked_particles"};
  const bool grid = isGridScene(scene);
  if (grid) {
    const auto unknown = [&](const std::string& name) {
      return std::find(ofParticles.begin(), ofParticles.end(), name) != ofParticles.end();
    };
    known.erase(std::remove_if(known.begin(), known.end(), unknown), known.end());
    known.push_back("lost_particles");
  }
  for (const SolidDef& s : scene.solids)
    for (const char* key : {".x", ".y", ".z", ".speed"}) known.push_back("solids." + s.name + key);
  Diagnostics mistakes;
  for (const ExpectDef& e : scene.expect) {
    if (std::find(known.begin(), known.end(), e.name) != known.end()) continue;
    if (e.name.rfind("stages.", 0) == 0) continue;  // known only once the solver has run
    if (grid && std::find(ofParticles.begin(), ofParticles.end(), e.name) != ofParticles.end()) {
      mistakes.push_back({scene.file, e.where.line, e.where.column,
                          fmt::format("\"{}\" is of fluids of particles; this scene is one of a grid, whose summary has no such "
                                      "number",
                                      e.name)});
      continue;
    }
    const std::string near = nearestSpelling(e.name, known);
    mistakes.push_back(
        {scene.file, e.where.line, e.where.column,
         fmt::format("the summary has no number \"{}\"{}", e.name, near.empty() ? "" : "; did you mean \"" + near + "\"?")});
  }
  return mistakes;
}

}  // namespace meniscus
