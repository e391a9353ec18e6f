// Micro-benchmarks of the particle step, by the time that its named launches take: the pressure operator a pair, the neighbour
// search a particle, the solids' sweeps a constraint, and how all of it grows with the number of particles.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/cli/bench_table.h"
#include "apps/cli/kernel_run.h"
#include "apps/cli/options.h"
#include "apps/cli/say.h"
#include "engine/base/error.h"
#include "engine/particle/pairs.h"

namespace meniscus::cli {
namespace {

// What a pair costs in a pass: a coefficient and the other particle's place are read in order, four floats of that particle are
// gathered from what is near in memory, and four multiply-adds follow.
constexpr double kGatheredOfPair = 16, kOperationsOfPair = 8;
double bytesOfPair(const KernelRun& run) { return kRowsArePacked && run.particles() >= kRoundedFrom ? 4 : 8; }

void figure(BenchTable& table, const std::string& name, double value, const char* unit, double wanted = 0,
            const std::string& more = "", const std::string& hash = "") {
  say(stdout, "  {:<52} {:>10.4g} {:<22}{}{}\n", name, value, unit, wanted > 0 ? fmt::format(" wanted <= {:g}", wanted) : "", more);
  std::fflush(stdout);
  table.add(name, value, unit, hash);
}

// The passes over all pairs, and how near they come to what the memory and the units give.
void benchPasses(KernelRun& run, const std::string& name, double wanted, BenchTable& table) {
  const double pairs = run.pairs(), pass1 = run.perCall("solve: pass 1"), pass2 = run.perCall("solve: pass 2");
  const double bytes = bytesOfPair(run);
  const double streamed = 2 * bytes * pairs / (pass1 + pass2), read = run.readBandwidth(std::size_t(bytes * pairs));
  figure(table, name + "pressure operator, both passes", 1e9 * (pass1 + pass2) / pairs, "ns a pair", wanted);
  figure(table, name + "pass 1", 1e9 * pass1 / pairs, "ns a pair");
  figure(table, name + "pass 2 with the updates of x, r, z", 1e9 * pass2 / pairs, "ns a pair");
  figure(table, name + "lists read by the passes", streamed / 1e9, "GB/s", 0,
         fmt::format("  {:.0f} % of a plain read of as much, {:.0f} GB/s", 100 * streamed / read, read / 1e9));
  figure(table, name + "operations of the passes", 2 * kOperationsOfPair * pairs / (pass1 + pass2) / 1e9, "Gflop/s");
}

// A cube of disturbed water in free fall, away from walls: 28 particles along an edge.
void benchCube(const BenchKernelsOptions& o, double support, BenchTable& table) {
  constexpr int kEdge = 28;
  const bool narrow = support < 2.2;
  KernelRun run(cubeScene(kEdge, support), o.threads);
  run.measure(8, o.repeat);
  const double n = run.particles();
  const std::string name = fmt::format("cube, support {:.1f}: ", support);
  say(stdout, "cube of {} particles, support {:.1f} spacings, {:.1f} pairs a particle, {} threads\n", n, support, run.pairs() / n,
      run.threads());
  benchPasses(run, name, narrow ? 0.45 : 0, table);
  const double search = run.perSubstep({"pairs: coordinates", "pairs: direct", "pairs: nearest features", "pairs: mirror",
                                        "pairs: tracked surfaces", "pack: link lengths", "pack: links"});
  figure(table, name + "new direction", 1e9 * run.perCall("solve: direction") / n, "ns a particle");
  figure(table, name + "neighbours: search and lists", 1e9 * search / n, "ns a particle", narrow ? 35 : 60);
  figure(table, name + "sort by cells", 1e9 * run.stage("sort") / n, "ns a particle");
}

// A deep tank at rest, from a disturbed start, at several numbers of particles: the same water, finer.
void benchTanks(const BenchKernelsOptions& o, BenchTable& table) {
  double first = 0, firstIterations = 0;
  for (const int wanted : o.particles) {
    KernelRun run(tankScene(wanted), o.threads);
    run.measure(6, o.repeat);
    const double n = run.particles(), ns = 1e9 * run.substepSeconds() / n, iterations = run.iterationsASolve();
    const std::string name = fmt::format("tank of {} particles: ", run.particles());
    say(stdout, "{}{} threads\n", name, run.threads());
    figure(table, name + "step", ns, "ns a particle", first > 0 ? std::round(100 * 1.15 * first) / 100 : 0, "", run.hash());
    figure(table, name + "pressure iterations", iterations, "a solve",
           firstIterations > 0 ? std::round(100 * 1.2 * firstIterations) / 100 : 0);
    benchPasses(run, name, 0, table);
    figure(table, name + "an iteration", 1e9 * run.perCall({"solve: pass 1", "solve: pass 2", "solve: direction"}) / n,
           "ns a particle");
    figure(table, name + "step without the pressure solve", 1e9 * (run.substepSeconds() - run.stage("solve pressure")) / n,
           "ns a particle");
    figure(table, name + "memory of the solver", double(run.solverBytes()) / n, "bytes a particle");
    if (first == 0) {
      first = ns;
      firstIterations = iterations;
    }
  }
}

// A sheet and a block of jelly that swing, and water that is dropped on a sheet.
void benchSolids(const BenchKernelsOptions& o, BenchTable& table) {
  {
    KernelRun run(clothScene(), o.threads);
    run.measure(10, o.repeat);
    const double rows = double(run.constraints()) * run.sweeps();
    say(stdout, "cloth of {} constraints, {} sweeps a step\n", run.constraints(), run.sweeps());
    figure(table, "cloth: sweeps of constraints", 1e9 * run.perSubstep({"constraints", "constraints: edges"}) / rows,
           "ns a constraint");
    figure(table, "cloth: joint solve of its edges", 1e9 * run.stage("solve pressure") / double(run.constraints()),
           "ns a constraint");
    figure(table, "cloth: whole step", 1e9 * run.substepSeconds() / double(run.nodes()), "ns a node", 0, "", run.hash());
  }
  KernelRun run(wetClothScene(), o.threads);
  run.measure(6, o.repeat);
  const double n = run.particles();
  say(stdout, "{} particles on a cloth of {} nodes\n", run.particles(), run.nodes());
  figure(table, "water on cloth: places of surfaces", 1e9 * run.stage("boundary") / n, "ns a particle");
  figure(table, "water on cloth: contacts on the way", 1e9 * run.stage("contacts") / n, "ns a particle");
  figure(table, "water on cloth: whole step", 1e9 * run.substepSeconds() / n, "ns a particle", 0, "", run.hash());
}

}  // namespace

int benchKernels(const BenchKernelsOptions& o) {
  BenchTable table(o.table, o.threads);
  say(stdout, "fastest of {} repeats; wanted: on 2 idle threads of a server processor\n", o.repeat);
  say(stdout, "a pass and pair: 8 bytes read in order, 4 from {} particles on, {:g} gathered nearby, {:g} flop\n", kRoundedFrom,
      kGatheredOfPair, kOperationsOfPair);
  for (const double support : {2.0, 2.4}) benchCube(o, support, table);
  benchTanks(o, table);
  benchSolids(o, table);
  return table.finish();
}

}  // namespace meniscus::cli
