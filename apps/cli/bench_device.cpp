// Times the fluid's step on a graphics card: by its own clock, without copies of the particles between the steps.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "apps/cli/bench_table.h"
#include "apps/cli/options.h"
#include "apps/cli/say.h"
#include "apps/cli/simulation.h"
#include "engine/base/error.h"
#include "engine/exec/cuda/probe.h"
#include "engine/output/metrics.h"
#include "engine/particle/device_solver.h"
#include "engine/world/hash.h"

namespace meniscus::cli {
namespace {

// Bytes that an iteration of the pressure solve has to move, every array once a launch. Both passes read the coefficient and the
// number of every pair. By particle: direction (z, d in and out, xh, q), pass 1 (T, xh, q, row, d, two of the diagonal, b), pass 2
// (T, xh, b as row and as column, row, d, two of the diagonal, p and r in and out, z).
constexpr double kBytesOfPair = 2 * 8, kRow = 16, kBytesOfDirection = 3 * 4 + 2 * 16, kBytesOfPass1 = 4 * 16 + kRow + 3 * 4,
                 kBytesOfPass2 = 4 * 16 + kRow + 3 * 4 + 5 * 4,
                 kBytesOfParticle = kBytesOfDirection + kBytesOfPass1 + kBytesOfPass2;
// The same in pressure mode "kernel-diagonal": value and column of every entry of the matrix. By particle: direction (z, d in and
// out), product (row, d, product), curvature (d, product, films), update (product, films, d, diagonal, p and r in and out, z).
constexpr double kBytesOfEntry = 8, kBytesOfMatrixRow = (3 + 3 + 3 + 9) * 4;

// What an H200 takes for what was counted: a memory of 4.8 TB/s, a host behind 50 GB/s, and by the vendor's figures of such cards a
// launch every 3 us, within a graph every 1.5 us, and 10 us until a host that waits goes on or a graph begins.
constexpr double kCardBandwidth = 4.8e12, kLinkBandwidth = 50e9, kSecondsOfLaunch = 3e-6, kSecondsInGraph = 1.5e-6,
                 kSecondsOfWait = 10e-6;

struct Result {
  std::vector<double> milliseconds;                    // of all timed steps, by the host
  std::vector<std::pair<std::string, double>> stages;  // ms a step, by the device, of the last repeat
  double launches = 0, waits = 0;                      // a step; launches: given one by one
  double replays = 0, replayed = 0;                    // of recorded launches, and the launches in them, a step
  double toDevice = 0, toHost = 0;                     // bytes a step
  double copiesToDevice = 0, copiesToHost = 0;         // in so many pieces
  double iterations = 0, solveSeconds = 0, bytes = 0;  // of the pressure solve, the last repeat
  std::uint64_t hash = 0, peakBytes = 0;
  Index particles = 0;
  double densityError = 0;
};

void repeatOnce(const DeviceFluidCalls& calls, const World& start, const BenchDeviceOptions& o, bool first, Result& r) {
  World w = start;
  DeviceOptions options;
  options.timed = true;
  options.memoryBytes = std::size_t(8) << 30;
  DeviceSolver solver(calls, options, w);
  if (first && !solver.note().empty()) say(stdout, "{}\n", solver.note());
  solver.upload(w);
  const double dt = w.scene.solver.dt;
  DeviceStepReport report{};
  for (int k = 0; k < o.warmUp; ++k) solver.advance(w, dt, report);
  const DeviceCounters before = solver.counters();
  const std::vector<DeviceStage> warm = solver.stages();
  r.iterations = r.bytes = r.densityError = 0;
  const bool assembled = w.scene.solver.pressure == PressureMode::kernelDiagonal;
  const auto bytesOfIteration = [&] {
    const double n = calls.count(solver.fluid()), pairs = double(report.pairs);
    return assembled ? kBytesOfEntry * (pairs + n) + kBytesOfMatrixRow * n : kBytesOfPair * pairs + kBytesOfParticle * n;
  };
  for (int k = 0; k < o.steps; ++k) {
    const auto t = std::chrono::steady_clock::now();
    solver.advance(w, dt, report);
    r.milliseconds.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - t).count());
    r.iterations += report.pressureIterations;
    r.bytes += report.pressureIterations * bytesOfIteration();
    r.densityError += report.densityErrorMean / o.steps;
  }
  const DeviceCounters after = solver.counters();
  if (after.allocations != before.allocations)
    say(stdout, "  {} allocations in {} warm steps\n", after.allocations - before.allocations, o.steps);
  r.launches = double(after.launches - before.launches) / o.steps;
  r.waits = double(after.waits - before.waits) / o.steps;
  r.replays = double(after.replays - before.replays) / o.steps;
  r.replayed = double(after.replayed - before.replayed) / o.steps;
  r.copiesToDevice = double(after.copiesToDevice - before.copiesToDevice) / o.steps;
  r.copiesToHost = double(after.copiesToHost - before.copiesToHost) / o.steps;
  r.toDevice = double(after.toDevice - before.toDevice) / o.steps;
  r.toHost = double(after.toHost - before.toHost) / o.steps;
  r.peakBytes = after.peakBytes;
  r.stages.clear();
  for (const DeviceStage& s : solver.stages()) {
    double seconds = s.seconds;
    for (const DeviceStage& b : warm)
      if (std::string(b.name) == s.name) seconds -= b.seconds;
    if (std::string(s.name) == "solve pressure") r.solveSeconds = seconds;
    r.stages.emplace_back(s.name, 1e3 * seconds / o.steps);
  }
  solver.download(w);
  const std::uint64_t hash = stateHash(w);
  if (!first && hash != r.hash) throw Error(ErrorKind::internal, "two repeats on the device end in different states");
  r.hash = hash;
  r.particles = w.fluid.n;
}

// Milliseconds a step.
double estimate(const Result& r, int steps) {
  return 1e3 * (r.launches * kSecondsOfLaunch + r.replayed * kSecondsInGraph + (r.waits + r.replays) * kSecondsOfWait +
                (r.toDevice + r.toHost) / kLinkBandwidth + r.bytes / steps / kCardBandwidth);
}

void printCounted(const Result& r, int steps) {
  say(stdout, "  a step: {:.0f} launches one by one and {:.0f} in {:.0f} recordings, {:.0f} waits\n", r.launches, r.replayed,
      r.replays, r.waits);
  say(stdout, "  {:.1f} kB to the device in {:.0f} copies and {:.1f} kB back in {:.0f}, {:.1f} MB in the solve\n", r.toDevice / 1e3,
      r.copiesToDevice, r.toHost / 1e3, r.copiesToHost, r.bytes / steps / 1e6);
  say(stdout, "  estimated for an H200, not run: {:.2f} ms a step without the host's part\n", estimate(r, steps));
}

void print(const std::string& file, const Result& r, double bandwidth) {
  const double moved = r.solveSeconds > 0 ? r.bytes / r.solveSeconds : 0;
  say(stdout, "{}: {} particles: median {:.3f} ms a step, {:.0f} launches, {:.0f} waits, {:.1f} MB on the device, hash {}\n", file,
      r.particles, quantile(r.milliseconds, 0.5).value_or(0), r.launches, r.waits, double(r.peakBytes) / 1e6, hexHash(r.hash));
  say(stdout, "  mean density error {:.2e}; the solve moves at least {:.1f} GB/s{}\n", r.densityError, moved / 1e9,
      bandwidth > 0 ? fmt::format(", {:.0f} % of the card's {:.0f} GB/s", 100 * moved / bandwidth, bandwidth / 1e9) : "");
  for (const auto& [name, ms] : r.stages) say(stdout, "  {:<28}{:>9.3f} ms\n", name, ms);
}

void addResult(BenchTable& table, const std::string& scene, const Result& r, int steps) {
  const std::string hash = hexHash(r.hash);
  table.add(scene + ": median", quantile(r.milliseconds, 0.5).value_or(0), "ms a step", hash);
  table.add(scene + ": 95th percentile", quantile(r.milliseconds, 0.95).value_or(0), "ms a step", hash);
  table.add(scene + ": particles", r.particles, "");
  table.add(scene + ": launches", r.launches, "a step");
  table.add(scene + ": recordings run", r.replays, "a step");
  table.add(scene + ": launches in them", r.replayed, "a step");
  table.add(scene + ": waits", r.waits, "a step");
  table.add(scene + ": copies to the device", r.copiesToDevice, "a step");
  table.add(scene + ": copies to the host", r.copiesToHost, "a step");
  table.add(scene + ": copied to the device", r.toDevice, "bytes a step");
  table.add(scene + ": copied to the host", r.toHost, "bytes a step");
  table.add(scene + ": pressure iterations", r.iterations / steps, "a step");
  if (r.solveSeconds > 0) table.add(scene + ": solve", r.bytes / r.solveSeconds / 1e9, "GB/s");
  table.add(scene + ": most memory on the device", double(r.peakBytes), "bytes");
  table.add(scene + ": mean density error", r.densityError, "");
  for (const auto& [name, ms] : r.stages) table.add(scene + ": " + name, ms, "ms a step");
}

}  // namespace

int benchDevice(const BenchDeviceOptions& o) {
  const CudaProbe probe = o.serial ? CudaProbe{} : probeCuda();
  const DeviceFluidCalls* calls = o.serial ? &serialFluidCalls() : probe.fluid;
  if (!calls)
    throw Error(ErrorKind::deviceNotAvailable,
                "CUDA cannot be used: " + probe.reason + "; --serial tries the command without a card");
  // of a step one thread does what is the processor's
  BenchTable table(o.table, 1, o.serial ? "serial device on " + machineName() : probe.name);
  if (o.serial)
    say(stdout, "serial device: one thread of the processor goes through the launches; its times say nothing of a card\n");
  else
    say(stdout, "{}\n", probe.name);
  for (const std::string& file : o.scenes) {
    const Simulation settled(loadParticleScene(file), o.threads, "");
    Result r;
    for (int k = 0; k < o.repeat; ++k) repeatOnce(*calls, settled.world(), o, k == 0, r);
    print(file, r, probe.bandwidth);
    if (o.serial) printCounted(r, o.steps);
    addResult(table, std::filesystem::path(file).stem().string(), r, o.steps);
  }
  return table.finish();
}

}  // namespace meniscus::cli
