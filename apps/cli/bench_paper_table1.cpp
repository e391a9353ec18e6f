// Table 1 of the ISPH-PBD paper (Abu Rumman et al. 2020): the paper's figures beside ours on its six scenes.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>

#include "apps/cli/bench_table.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/options.h"
#include "apps/cli/progress.h"
#include "apps/cli/say.h"
#include "apps/cli/simulation.h"
#include "engine/base/error.h"
#include "engine/output/metrics.h"
#include "engine/solid/solid_state.h"
#include "engine/world/hash.h"

namespace meniscus::cli {
namespace {

// Counts, mean iterations and ms a step. stretch, whole, bend, volume: #S, #T, #B, #V. Volume changes are at most .025 %
// throughout.
struct Row {
  std::size_t stretch = 0, whole = 0, bend = 0, volume = 0;
  Index particles = 0;
  double pbd = 0, pressure = 0, outer = 0, dt = 0, ms = 0;
  std::size_t constraints() const { return stretch + whole + bend + volume; }
};

struct PaperScene {
  const char* file;
  Row paper;
};
constexpr double kPaperVolumeError = 2.5e-4;
constexpr PaperScene kScenes[] = {
    {"water-balloon", {9000, 1, 0, 0, 22000, 25, 21.3, 2.1, 0.001, 32.5}},
    {"double-cloth", {12000, 0, 9000, 0, 95000, 12, 30.4, 2.5, 0.005, 81.6}},
    {"shell-in-basin", {7000, 0, 4000, 0, 27000, 8, 32.2, 1.4, 0.005, 45.7}},
    {"shower-on-cloth", {13000, 0, 9000, 0, 75000, 12, 43.1, 2.4, 0.005, 77.1}},
    {"deformable-bodies", {15000, 1, 0, 20000, 45000, 36, 40.2, 2.7, 0.001, 87.3}},
    {"flower-pot", {9000, 0, 0, 12000, 27000, 20, 20.3, 1.6, 0.001, 35.2}},
};

struct Measured {
  Row row;
  int threads = 0, steps = 0;
  double substeps = 0;  // a step
  double cpuMs = 0;     // a step, of all threads: what a shared machine does not stretch
  double volumeMost = 0, densityMean = 0;
  std::uint64_t leaked = 0, unconverged = 0;
  std::vector<std::pair<std::string, double>> stages;  // ms a step
  std::string failure, hash;                           // hash: of the state at the end
};

void count(const SolidState& s, Row& row) {
  for (const Constraint& c : s.constraints.items) switch (c.type) {
      case ConstraintType::bendDihedral:
      case ConstraintType::bendIsometric:
        ++row.bend;
        break;
      case ConstraintType::tetVolume:
      case ConstraintType::tetHydrostatic:
        ++row.volume;
        break;
      default:
        ++row.stretch;
    }
  row.whole = s.volumes.size();
}

struct Stopped {};

Measured measure(const SceneDef& scene, const BenchTable1Options& o, const char* name) {
  Simulation sim(scene, o.threads, "");
  Measured m;
  m.threads = sim.threads();
  count(sim.world().solid, m.row);
  m.row.particles = sim.world().fluid.n;
  m.row.pbd = scene.solver.constraintIterations;
  m.row.dt = scene.solver.dt;
  const int steps = o.steps > 0 ? o.steps : int(std::ceil(scene.duration / scene.solver.dt - 1e-6));
  Progress progress(o.quiet, steps);
  double iterations = 0, solves = 0;
  sim.resetStages();
  const std::clock_t cpu = std::clock();
  for (; m.steps < steps && m.failure.empty();) {
    progress.show(m.steps, name);
    const auto begin = std::chrono::steady_clock::now();
    try {
      if (!sim.step(scene.solver.dt, [] { return interrupted() != 0; })) throw Stopped{};
    } catch (const Error& e) {
      if (e.kind != ErrorKind::simulation) throw;
      m.failure = e.what();
      break;
    }
    m.row.ms += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    ++m.steps;
    const StepReport& r = sim.world().report;
    iterations += r.pressureIterations;
    solves += r.pressureSolves;
    m.row.outer += r.couplingIterations;
    m.substeps += r.substeps;
    raise(m.volumeMost, std::fabs(r.volumeChange));
    m.densityMean += r.densityErrorMean;
    m.leaked = std::uint64_t(r.leaked);
    m.unconverged += !r.converged;
  }
  const double n = std::max(1, m.steps);
  m.cpuMs = 1e3 * double(std::clock() - cpu) / CLOCKS_PER_SEC / n;
  for (double* v : {&m.row.ms, &m.row.outer, &m.substeps, &m.densityMean}) *v /= n;
  m.row.pressure = solves > 0 ? iterations / solves : 0;
  m.hash = hexHash(sim.hash());
  m.stages = sim.stageSeconds();
  for (auto& stage : m.stages) stage.second *= 1e3 / n;
  return m;
}

void printRow(const char* who, const Row& r, const std::string& more) {
  say(stdout,
      "  {:<6} #S {:>6} #T {} #B {:>6} #V {:>6} #PBD {:>6} #ISPH {:>6}  sweeps {:>3.0f}  pressure {:>5.1f}  outer {:>4.2f}  dt "
      "{:g} s  {:>7.1f} ms a step{}\n",
      who, r.stretch, r.whole, r.bend, r.volume, r.constraints(), r.particles, r.pbd, r.pressure, r.outer, r.dt, r.ms, more);
}

void print(const PaperScene& p, const Measured& m) {
  say(stdout, "{}: {} threads, {} steps\n", p.file, m.threads, m.steps);
  printRow("paper", p.paper, fmt::format(", volume within {:.2e}", kPaperVolumeError));
  printRow("ours", m.row, fmt::format(", volume within {:.2e}, {} leaked", m.volumeMost, m.leaked));
  say(stdout,
      "  ratio of ms {:.2f} (a third of the paper's is wanted); {:.1f} ms of processor time a step; {:.2f} sub-steps a step, "
      "density error mean {:.2e}, {} "
      "unconverged steps\n",
      m.row.ms / p.paper.ms, m.cpuMs, m.substeps, m.densityMean, m.unconverged);
  std::string stages;
  for (const auto& [name, ms] : m.stages)
    if (ms >= 0.03 * m.row.ms) stages += fmt::format("{}{} {:.1f}", stages.empty() ? "" : ", ", name, ms);
  say(stdout, "  stages [ms]: {}\n", stages);
  if (!m.failure.empty()) say(stdout, "  FAILED: {}\n", m.failure);
  std::fflush(stdout);  // long work: what is known is seen, also in a file
}

// who: "" or "paper's "
void addRow(BenchTable& table, const std::string& scene, const std::string& who, const Row& r, const std::string& hash) {
  table.add(scene + ": " + who + "step", r.ms, "ms a step", hash);
  table.add(scene + ": " + who + "particles", r.particles, "");
  table.add(scene + ": " + who + "constraints", double(r.constraints()), "");
  table.add(scene + ": " + who + "sweeps", r.pbd, "a step");
  table.add(scene + ": " + who + "pressure iterations", r.pressure, "a solve");
  table.add(scene + ": " + who + "outer iterations", r.outer, "a step");
  table.add(scene + ": " + who + "length of a step", r.dt, "simulated s");
}

void addMeasured(BenchTable& table, const std::string& scene, const Measured& m) {
  addRow(table, scene, "", m.row, m.hash);
  table.add(scene + ": processor time of all threads", m.cpuMs, "ms a step", m.hash);
  table.add(scene + ": largest change of volume", m.volumeMost, "");
  table.add(scene + ": leaked particles", double(m.leaked), "");
  table.add(scene + ": sub-steps", m.substeps, "a step");
  table.add(scene + ": mean density error", m.densityMean, "");
  table.add(scene + ": unconverged steps", double(m.unconverged), "");
  table.add(scene + ": steps", m.steps, "");
}

}  // namespace

int benchPaperTable1(const BenchTable1Options& o) {
  BenchTable table(o.table, o.threads);
  std::vector<const PaperScene*> chosen;
  for (const PaperScene& p : kScenes)
    if (o.only.empty() || std::find(o.only.begin(), o.only.end(), p.file) != o.only.end()) chosen.push_back(&p);
  std::vector<std::pair<const PaperScene*, SceneDef>> scenes;
  for (const PaperScene* p : o.shard.of(chosen)) scenes.emplace_back(p, loadCheckedScene(o.folder + "/" + p->file + ".json"));
  catchInterrupts("\nstopping; the scenes that are finished are above\n");
  try {
    for (const auto& [p, scene] : scenes) {
      const Measured m = measure(scene, o, p->file);
      print(*p, m);
      addMeasured(table, p->file, m);
      addRow(table, p->file, "paper's ", p->paper, "");
    }
  } catch (const Stopped&) { return 128 + interrupted(); }
  return table.finish();
}

}  // namespace meniscus::cli
