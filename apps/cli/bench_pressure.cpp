// Times the grid's pressure solver beside a general one, on three tanks: with a free surface, closed, and with thin shells.
#include <fmt/format.h>

#include <chrono>

#include "apps/cli/bench_table.h"
#include "apps/cli/options.h"
#include "apps/cli/pressure_baseline.h"
#include "apps/cli/pressure_tanks.h"
#include "apps/cli/say.h"
#include "engine/grid/pressure_solver.h"

namespace meniscus::cli {
namespace {

constexpr double kTolerances[] = {1e-6, 1e-10};
constexpr int kMostIterations = 10000;

double msSince(std::chrono::steady_clock::time_point t) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - t).count();
}

// The fastest of the repeats; building again and solving from zero, with memory that the first round made.
struct Ours {
  double setupMs = 1e300, solveMs = 1e300;
  PressureReport report;
};

Ours timeOurs(PressureSolver<3>& solver, const PressureProblem<3>& problem, const Buffer<double>& divergence, double tolerance,
              int repeat) {
  Ours best;
  Buffer<double> p;
  for (int k = 0; k <= repeat; ++k) {
    auto start = std::chrono::steady_clock::now();
    solver.build(problem);
    const double setup = msSince(start);
    p.clear();
    start = std::chrono::steady_clock::now();
    best.report = solver.solve(divergence, p, {tolerance, kMostIterations});
    const double solve = msSince(start);
    if (k == 0) continue;
    best.setupMs = std::min(best.setupMs, setup);
    best.solveMs = std::min(best.solveMs, solve);
  }
  return best;
}

void benchTank(const TankName& tank, Index n, const BenchPressureOptions& o, BenchTable& table) {
  Exec exec(o.threads);
  const PressureProblem<3> problem = makeTank<3>(tank.tank, n);
  const Buffer<double> divergence = tankDivergence(problem);
  PressureSolver<3> solver(exec);
  for (const double tolerance : kTolerances) {
    const Ours ours = timeOurs(solver, problem, divergence, tolerance, o.repeat);
    const double ms = ours.setupMs + ours.solveMs;
    const Index unknowns = solver.matrix().unknowns;
    say(stdout,
        "{:<12} {:>4}^3 {:>8} unknowns, {:.0e}: multigrid {:>3} iterations, setup {:>7.1f} ms, solve {:>8.1f} ms, residual {:.1e}, "
        "{:>4.0f} MB",
        tank.name, n, unknowns, tolerance, ours.report.iterations, ours.setupMs, ours.solveMs, ours.report.residual,
        solver.bytes() / 1e6);
    const std::string name = fmt::format("{} {}^3 to {:.0e}: ", tank.name, n, tolerance);
    table.add(name + "multigrid iterations", ours.report.iterations, "");
    table.add(name + "multigrid set-up", ours.setupMs, "ms");
    table.add(name + "multigrid solve", ours.solveMs, "ms");
    table.add(name + "multigrid memory", double(solver.bytes()), "bytes");
    if (o.baseline && haveBaseline()) {
      const BaselineResult b = solveWithEigen(solver.matrix(), solver.rightSide(), tolerance, kMostIterations);
      const double baseMs = 1e3 * (b.setupSeconds + b.solveSeconds);
      say(stdout, "; Eigen {:>4} iterations, setup {:>7.1f} ms, solve {:>8.1f} ms, residual {:.1e}, {:>4.0f} MB: {:.1f} times",
          b.iterations, 1e3 * b.setupSeconds, 1e3 * b.solveSeconds, b.residual, b.bytes / 1e6, baseMs / ms);
      table.add(name + "Eigen iterations", b.iterations, "");
      table.add(name + "Eigen set-up and solve", baseMs, "ms");
      table.add(name + "times faster than Eigen", baseMs / ms, "");
    }
    say(stdout, "\n");
  }
}

}  // namespace

int benchPressure(const BenchPressureOptions& o) {
  BenchTable table(o.table, o.threads);
  if (o.baseline && !haveBaseline()) say(stderr, "built without Eigen: nothing to compare with\n");
  for (const TankName& tank : tankNames())
    for (const int n : o.n) benchTank(tank, n, o, table);
  return table.finish();
}

}  // namespace meniscus::cli
