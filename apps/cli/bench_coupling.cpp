// Table 1 of Akbay et al. 2018 anew: mean numbers of fluid solves a step for a cloth in a jet of smoke, by method and mass ratio.
#include <fmt/format.h>

#include <chrono>
#include <functional>

#include "apps/cli/bench_table.h"
#include "apps/cli/options.h"
#include "apps/cli/say.h"
#include "engine/coupling/cases/smoke_jet.h"
#include "engine/coupling/gain.h"
#include "engine/coupling/partitioned/relaxation.h"
#include "engine/coupling/xpm/xpm.h"

namespace meniscus::cli {
namespace {

using namespace coupling;

// The paper's, and with right forces two lighter ones.
std::vector<double> massRatios(bool paper) {
  return paper ? std::vector<double>{0.1, 0.2, 0.5, 0.8, 1, 2} : std::vector<double>{0.02, 0.05, 0.1, 0.2, 0.5, 0.8, 1, 2};
}
constexpr double kDuration = 3;  // [s]

struct Column {
  std::string name;
  ShellLoad load;
  std::function<std::unique_ptr<Coupling>(const StopRule&)> method;
  std::vector<double> paper;  // one a ratio, 0: not stable; empty: not printed
};

std::function<std::unique_ptr<Coupling>(const StopRule&)> relaxed(double omega, bool aitken = false) {
  return [omega, aitken](const StopRule& stop) {
    RelaxationOptions o;
    o.stop = stop;
    o.omega = omega;
    o.aitken = aitken;
    return std::make_unique<Relaxation>(o);
  };
}

// The second position whole and the last load as printed, or the position relaxed by at most w0 and steps cut to half a cell.
std::function<std::unique_ptr<Coupling>(const StopRule&)> reduced(ShellLoad load, double w0) {
  return [load, w0](const StopRule& stop) {
    XpmOptions o;
    o.ownLoad = load == ShellLoad::impulse && w0 != 1;
    o.stop = stop;
    o.omega = w0;
    if (w0 == 1) o.stepCap = 0;
    return std::make_unique<Xpm>(o);
  };
}

std::vector<Column> columns(bool paper) {
  const ShellLoad p = ShellLoad::pressure, i = ShellLoad::impulse;
  std::vector<Column> all = {
      {"P .5", p, relaxed(0.5), {0, 0, 0, 0, 0, 0}},
      {"P .2", p, relaxed(0.2), {0, 0, 0, 3.4, 2.2, 2.0}},
      {"P .1", p, relaxed(0.1), {0, 0, 2.6, 2.6, 2.8, 2.9}},
      {"P .05", p, relaxed(0.05), {0, 5.7, 4.8, 5.3, 5.6, 5.1}},
      {"P .01", p, relaxed(0.01), {28.2, 27.3, 23.8, 10.2, 9.1, 5.2}},
      {"P-C .05", i, relaxed(0.05), {5.5, 4.5, 4.6, 5.0, 4.7, 3.2}},
      {"RMI", p, reduced(p, 1), {5.5, 4.0, 3.0, 2.7, 2.6, 2.0}},
      {"XPM", i, reduced(i, 1), {3.8, 3.2, 2.6, 2.1, 2.0, 2.0}},
  };
  if (paper) return all;
  for (Column& c : all) c.paper.clear();
  all.push_back({"RMI w0", p, reduced(p, 0.1), {}});
  all.push_back({"XPM w0", i, reduced(i, 0.1), {}});
  all.push_back({"XPM .02", i, reduced(i, 0.02), {}});
  all.push_back({"Aitken", i, relaxed(0.05, true), {}});
  return all;
}

std::string cell(const SmokeJetRun& run) {
  if (!run.stable) return "-";
  return fmt::format("{:.1f}{}", run.meanIterations, 5 * run.unconverged > run.steps ? "*" : "");
}

// The runs of a row side by side, each on one thread: the grid is too small to be shared.
struct RunColumn {
  const std::vector<Column>* columns;
  SmokeJetOptions jet;
  std::vector<SmokeJetRun>* runs;

  void operator()(Index k) const {
    Exec exec(1);
    const Column& column = (*columns)[std::size_t(k)];
    SmokeJetOptions options = jet;
    options.load = column.load;
    SmokeJet its(exec, options);
    StopRule stop;
    stop.length = its.dx();
    (*runs)[std::size_t(k)] = runSmokeJet(its, *column.method(stop), kDuration);
  }
};

double measuredGain(Exec& exec, SmokeJetOptions options, ShellLoad load) {
  options.massRatio = 1;
  options.load = load;
  SmokeJet jet(exec, options);
  // a step first, so that the cloth moves and is under load
  reduced(load, 0.1)({jet.dx(), 1e-4})->advance(jet.fluid(), jet.solid(), jet.timeStep());
  GainOptions o;
  o.step = 1e-6 * jet.dx();
  return interfaceGain(jet.fluid(), jet.solid(), jet.timeStep(), o).g;
}

// paper: its mean solves a step, or 0.
void addRun(BenchTable& table, const std::string& name, const SmokeJetRun& run, double paper) {
  table.add(name + ": stable", run.stable, "1 if it is");
  if (run.stable) table.add(name + ": fluid solves", run.meanIterations, "a step");
  if (run.stable) table.add(name + ": unconverged steps", double(run.unconverged), "");
  if (paper > 0) table.add(name + ": fluid solves, paper", paper, "a step");
}

}  // namespace

int benchCoupling(const BenchCouplingOptions& o) {
  BenchTable table(o.table, o.threads);
  Exec exec(o.threads);
  SmokeJetOptions jetOptions;
  jetOptions.paper = !o.right;
  jetOptions.refine = o.refine;
  jetOptions.weights = o.crossings ? WeightRule::crossing : WeightRule::dualCell;
  const auto start = std::chrono::steady_clock::now();
  say(stdout, "cloth in a jet of smoke, {} x {} cells, {}; mean fluid solves a step, ours{}\n", 40 * o.refine, 60 * o.refine,
      o.right ? "pressure forces as they are" : "pressure forces doubled",
      o.right ? "" : " / Akbay et al. 2018, Table 1, which counts about one less");
  say(stdout, "gain at M = 1: P {:.2f}, P-C {:.2f}; - not stable, * a fifth of the steps or more not converged\n",
      measuredGain(exec, jetOptions, ShellLoad::pressure), measuredGain(exec, jetOptions, ShellLoad::impulse));
  const std::vector<Column> all = columns(!o.right);
  std::string line = fmt::format("{:>5}", "M");
  for (const Column& c : all) line += fmt::format("{:>13}", c.name);
  say(stdout, "{}\n", line);
  const std::vector<double> ratios = massRatios(!o.right);
  for (std::size_t m = 0; m < ratios.size(); ++m) {
    line = fmt::format("{:>5}", ratios[m]);
    jetOptions.massRatio = ratios[m];
    std::vector<SmokeJetRun> runs(all.size());
    parallelFor(exec, "bench: coupled runs", Index(all.size()), RunColumn{&all, jetOptions, &runs}, 1);
    for (std::size_t k = 0; k < all.size(); ++k) {
      const Column& c = all[k];
      const std::string printed = c.paper.empty() ? "" : c.paper[m] > 0 ? fmt::format(" /{:>5.1f}", c.paper[m]) : " /    -";
      line += fmt::format("{:>13}", cell(runs[k]) + printed);
      addRun(table, fmt::format("{}, M = {:g}", c.name, ratios[m]), runs[k], c.paper.empty() ? 0 : c.paper[m]);
    }
    say(stdout, "{}\n", line);
    std::fflush(stdout);
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  say(stdout, "{:.0f} s\n", seconds);
  table.add("all", seconds, "s");
  return table.finish();
}

}  // namespace meniscus::cli
