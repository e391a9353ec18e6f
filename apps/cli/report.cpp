#include "apps/cli/report.h"

#include <fmt/format.h>
#include <cmath>

#include "apps/cli/progress.h"
#include "apps/cli/say.h"
#include "engine/world/hash.h"

namespace meniscus::cli {
namespace {

std::string limits(const ExpectDef& e) {
  std::string text;
  if (e.hasMin) text += fmt::format(" >= {:.6g}", e.min);
  if (e.hasMax) text += fmt::format("{} <= {:.6g}", e.hasMin ? " and" : "", e.max);
  return text;
}

void printStages(const RunInfo& info, std::size_t steps) {
  if (steps == 0 || info.stageSeconds.empty()) return;
  std::string line;
  for (const auto& [name, seconds] : info.stageSeconds)
    line += fmt::format("{}{} {:.2f}", line.empty() ? "" : ", ", name, 1e3 * seconds / double(steps));
  say(stdout, "stages, ms a step: {}\n", line);
}

void printExpect(const Summary& summary, bool ended) {
  // what must hold at the end can only be held against an end that was reached
  if (!ended) return;
  for (const ExpectResult& e : summary.expect)
    say(stdout, "{}: {} = {}, expected{}\n", e.holds ? "holds" : "DOES NOT HOLD", e.name,
        e.known ? fmt::format("{:.6g}", e.value) : "unknown", limits(e.limit));
}

}  // namespace

std::string sizesOf(const World& w) {
  return fmt::format("{}, {}, {}", counted(w.fluid.n, "particle"), counted(w.solid.x.size(), "solid node"),
                     counted(w.solid.constraints.items.size() + w.solid.volumes.size(), "constraint"));
}

void printReport(const World& w, const RunMetrics& m, const RunInfo& info, const Summary& summary, bool ended) {
  const std::size_t steps = m.milliseconds.size();
  say(stdout, "{}: step {}, t = {:.6g} s; {}\n", w.scene.name, w.steps, w.time, sizesOf(w));
  say(stdout, "{} in {} on {}; median {:.2f} ms a step\n", counted(steps, "step"), formatDuration(info.wallSeconds),
      counted(info.threads, "thread"), quantile(m.milliseconds, 0.5).value_or(0));
  printStages(info, steps);
  if (w.fluid.capacity > 0 || w.fluid.n > 0)
    say(stdout,
        "density error mean {:.3g}, volume error {:.3g}, leaked particles {}, pressure iterations {:.1f}, coupling iterations "
        "{:.2f}\n",
        m.densityError.mean().value_or(0), std::fabs(m.volumeChange), m.leaked, m.pressureIterations.mean().value_or(0),
        m.couplingIterations.mean().value_or(0));
  if (m.unconvergedSteps > 0)
    say(stdout, "{} did not converge; the first: {}\n", counted(m.unconvergedSteps, "step"), m.firstReason);
  if (m.substepsUndone > 0)
    say(stdout, "{} found no solution, done again in shorter ones\n", counted(m.substepsUndone, "sub-step"));
  if (m.overflow) say(stdout, "an emitter found no room: the scene's capacity of {} particles is used up\n", w.fluid.capacity);
  say(stdout, "state hash {}\n", hexHash(stateHash(w)));
  printExpect(summary, ended);
}

std::string sizesOf(const offline::OfflineRun& run) {
  const Vec3<Index> n = run.cells();
  const std::string cells =
      run.scene().solver.grid.dimension == 2 ? fmt::format("{} x {}", n.x, n.z) : fmt::format("{} x {} x {}", n.x, n.y, n.z);
  return fmt::format("{} cells, {}", cells, counted(run.nodes(), "solid node"));
}

void printReport(const offline::OfflineRun& run, const offline::OfflineMetrics& m, const RunInfo& info, const Summary& summary,
                 bool ended) {
  const std::size_t steps = m.milliseconds.size();
  say(stdout, "{}: step {}, t = {:.6g} s; {}\n", run.scene().name, run.steps(), run.time(), sizesOf(run));
  say(stdout, "{} in {} on {}; median {:.2f} ms a step\n", counted(steps, "step"), formatDuration(info.wallSeconds),
      counted(info.threads, "thread"), quantile(m.milliseconds, 0.5).value_or(0));
  printStages(info, steps);
  say(stdout, "{}: fluid solves a step {:.2f}, most {:.0f}; pressure iterations {:.1f}\n", run.scene().solver.method,
      m.couplingIterations.mean().value_or(0), m.couplingIterations.max, m.pressureIterations.mean().value_or(0));
  if (run.volumeError() >= 0) say(stdout, "volume error {:.3g}\n", run.volumeError());
  if (run.momentumError() >= 0) say(stdout, "momentum error {:.3g}\n", run.momentumError());
  if (m.unconvergedSteps > 0)
    say(stdout, "{} did not converge; the first: {}\n", counted(m.unconvergedSteps, "step"), m.firstReason);
  say(stdout, "state hash {}\n", hexHash(run.hash()));
  printExpect(summary, ended);
}

}  // namespace meniscus::cli
