// What a run has added up so far, as bytes that travel with its snapshots: the summary of a run that is resumed is that of the
// whole.
#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "engine/base/error.h"
#include "engine/output/metrics.h"
#include "engine/output/packer.h"

namespace meniscus {

struct RunSoFar {
  double wallSeconds = 0;
  std::vector<std::pair<std::string, double>> stageSeconds;
  std::uint64_t peakMemoryBytes = 0;
  std::uint64_t frames = 0;  // written
  std::string pictures;      // what pictures drawn later need of those before
  std::string physics;       // of the scene, as text

  template <class R, class V>
  static void forEachMember(R& r, V& visit) {
    visit(r.wallSeconds);
    visit(r.stageSeconds);
    visit(r.peakMemoryBytes);
    visit(r.frames);
    visit(r.pictures);
    visit(r.physics);
  }
};

// M: RunMetrics, or other metrics with a forEachMember like its.
template <class M>
std::string packRecord(const M& metrics, const RunSoFar& run);

// name: of the file, for the message. Throws Error(input) and changes nothing where the bytes are not what packRecord made.
template <class M>
void unpackRecord(const std::string& bytes, const std::string& name, M& metrics, RunSoFar& run);

// a's sums with b's added, in the order of first use.
std::vector<std::pair<std::string, double>> addStages(std::vector<std::pair<std::string, double>> a,
                                                      const std::vector<std::pair<std::string, double>>& b);

template <class M>
std::string packRecord(const M& metrics, const RunSoFar& run) {
  Packer packer;
  M::forEachMember(metrics, packer);
  RunSoFar::forEachMember(run, packer);
  return packer.out;
}

template <class M>
void unpackRecord(const std::string& bytes, const std::string& name, M& metrics, RunSoFar& run) {
  Unpacker unpacker{bytes};
  M m = metrics;
  RunSoFar r;
  M::forEachMember(m, unpacker);
  RunSoFar::forEachMember(r, unpacker);
  if (!unpacker.whole || !unpacker.left.empty())
    throw Error(ErrorKind::input, fmt::format("{}: the snapshot's record of the run is of another version", name));
  metrics = std::move(m);
  run = std::move(r);
}

}  // namespace meniscus
