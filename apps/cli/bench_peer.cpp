// A cube of water of 1 m in a tank of 4 x 1.5 x 3 m, beside what the strongest open peer takes for it.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

#include "apps/cli/bench_table.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/options.h"
#include "apps/cli/progress.h"
#include "apps/cli/say.h"
#include "apps/cli/simulation.h"
#include "engine/output/metrics.h"
#include "engine/output/summary.h"
#include "engine/world/hash.h"

namespace meniscus::cli {
namespace {

// SPlisHSPlasH 2.16, built with AVX, 2 threads: DFSPH on its DamBreakModel at its own CFL steps.
struct Peer {
  int edge;  // particles
  double seconds, stepMs, megabytes;
};
constexpr Peer kPeers[] = {{29, 12, 34, 39}, {42, 66, 132, 88}, {58, 285, 478, 201}};
constexpr double kPeerError = 4.5e-4;  // mean density error
constexpr double kWantedShare = 0.2;   // of its time

struct Measured {
  Index particles = 0;
  int threads = 0, steps = 0;
  double wallSeconds = 0, simulated = 0, densityMean = 0, substeps = 0;
  double bytes = 0;  // most that was resident, less what the program alone takes
  std::uint64_t leaked = 0;
  std::string hash;
  double perSecond() const { return wallSeconds / simulated; }
};

struct Stopped {};

Measured measure(const SceneDef& scene, const BenchPeerOptions& o, double before) {
  Simulation sim(scene, o.threads, "");
  const double dt = scene.solver.dt;
  Measured m;
  m.threads = sim.threads();
  m.particles = sim.world().fluid.n;
  const int steps = std::max(1, int(std::lround((o.duration > 0 ? o.duration : scene.duration) / dt)));
  Progress progress(o.quiet, steps);
  for (; m.steps < steps; ++m.steps) {
    progress.show(m.steps, scene.name);
    const auto begin = std::chrono::steady_clock::now();
    if (!sim.step(dt, [] { return interrupted() != 0; })) throw Stopped{};
    m.wallSeconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    const StepReport& r = sim.world().report;
    m.densityMean += r.densityErrorMean / steps;
    m.substeps += r.substeps;
    m.leaked = std::uint64_t(r.leaked);
  }
  m.simulated = sim.world().time;
  m.bytes = double(peakMemory()) - before;
  m.hash = hexHash(sim.hash());
  return m;
}

void print(const Peer& peer, const Measured& m) {
  say(stdout, "{} particles, {} threads, {:g} s\n", m.particles, m.threads, m.simulated);
  say(stdout, "  {:<34} {:>10} {:>10} {:>10} {:>10}\n", "", "s a s", "ms a step", "error", "MB");
  say(stdout, "  {:<34} {:>10.1f} {:>10.1f} {:>10.2e} {:>10.0f}\n", "SPlisHSPlasH 2.16, DFSPH, AVX", peer.seconds, peer.stepMs,
      kPeerError, peer.megabytes);
  say(stdout, "  {:<34} {:>10.2f} {:>10.2f} {:>10.2e} {:>10.0f}\n", "Meniscus " + versionAndCommit(), m.perSecond(),
      1e3 * m.wallSeconds / m.substeps, m.densityMean, 1e-6 * m.bytes);
  say(stdout,
      "  {:.3f} of the peer's time, as printed for 2 threads of an idle machine (a fifth is wanted: {}); error {}, memory {}\n",
      m.perSecond() / peer.seconds, m.perSecond() <= kWantedShare * peer.seconds ? "reached" : "NOT REACHED",
      m.densityMean <= kPeerError ? "not above" : "ABOVE", 1e-6 * m.bytes <= peer.megabytes ? "not above" : "ABOVE");
}

// The figure of a peer's run on this machine, if the table has it.
std::optional<double> besideOf(const std::vector<BenchRow>& beside, int edge, const char* what) {
  const std::string name = fmt::format("peer {}: {}", edge, what);
  const auto r = std::find_if(beside.begin(), beside.end(), [&](const BenchRow& row) { return row.name == name; });
  return r == beside.end() ? std::nullopt : std::optional(r->value);
}

void printBeside(const std::vector<BenchRow>& beside, const Peer& peer, const Measured& m) {
  const auto seconds = besideOf(beside, peer.edge, "time"), error = besideOf(beside, peer.edge, "mean density error"),
             bytes = besideOf(beside, peer.edge, "memory");
  if (!seconds || !error || !bytes) return;
  const BenchRow& any = beside.front();
  say(stdout, "  {:<34} {:>10.1f} {:>10.1f} {:>10.2e} {:>10.0f}\n", any.version, *seconds,
      besideOf(beside, peer.edge, "step").value_or(0), *error, 1e-6 * *bytes);
  say(stdout, "  {:.3f} of its time, measured on {} with {}{}\n", m.perSecond() / *seconds, any.machine,
      counted(any.threads, "thread"), any.machine == machineName() ? "" : ", another machine: NOT COMPARABLE");
}

void addRows(BenchTable& table, const Peer& peer, const Measured& m) {
  const std::string name = fmt::format("tank {}: ", peer.edge);
  table.add(name + "time", m.perSecond(), "s a simulated second", m.hash);
  table.add(name + "sub-step", 1e3 * m.wallSeconds / m.substeps, "ms");
  table.add(name + "particles", m.particles, "");
  table.add(name + "mean density error", m.densityMean, "");
  table.add(name + "memory beyond the program's own", m.bytes, "bytes");
  table.add(name + "leaked particles", double(m.leaked), "");
  table.add(name + "share of the peer's printed time", m.perSecond() / peer.seconds, "");
}

// From small to large: the most that was resident is then the last one's.
std::vector<Peer> chosen(const BenchPeerOptions& o) {
  std::vector<Peer> all;
  for (const Peer& peer : kPeers)
    if (o.only.empty() || std::find(o.only.begin(), o.only.end(), peer.edge) != o.only.end()) all.push_back(peer);
  return o.shard.of(all);
}

}  // namespace

int benchPeer(const BenchPeerOptions& o) {
  BenchTable table(o.table, o.threads);
  const std::vector<BenchRow> beside = o.beside.empty() ? std::vector<BenchRow>{} : readBenchTable(o.beside);
  catchInterrupts("\nstopping; the sizes that are finished are above\n");
  const double before = double(peakMemory());
  try {
    for (const Peer& peer : chosen(o)) {
      const SceneDef scene = loadCheckedScene(fmt::format("{}/peer-tank-{}.json", o.folder, peer.edge));
      const Measured m = measure(scene, o, before);
      print(peer, m);
      if (!beside.empty()) printBeside(beside, peer, m);
      std::fflush(stdout);  // long work: what is known is seen, also in a file
      addRows(table, peer, m);
    }
  } catch (const Stopped&) { return 128 + interrupted(); }
  return table.finish();
}

}  // namespace meniscus::cli
