#include "engine/offline/snapshot.h"

#include <fmt/format.h>

#include <cstring>

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/world/snapshot_file.h"

namespace meniscus::offline {
namespace {

constexpr const char *kRecord = "record", *kMethod = "method";

std::string textOf(const StoredSection& s) { return {s.payload, std::size_t(s.count)}; }

}  // namespace

std::string packSnapshot(const OfflineRun& run, std::uint64_t model, std::string_view record) {
  SnapshotWriter file;
  for (const auto& [name, value] : run.state()) file.append(name.c_str(), "double", -1, sizeof(double), value.size(), value.data());
  const std::string& method = run.scene().solver.method;
  file.append(kMethod, "bytes", -1, 1, method.size(), method.data());
  file.append(kRecord, "bytes", -1, 1, record.size(), record.data());
  return file.finish(model);
}

void unpackSnapshot(OfflineRun& run, std::uint64_t model, std::string_view bytes, const std::string& path, std::string* record) {
  OfflineRun::State state;
  std::string found;
  for (const auto& [key, section] : readSections(bytes, path, model)) {
    if (key.first == kRecord && section.elementSize == 1) {
      found = textOf(section);
      continue;
    }
    if (key.first == kMethod && section.elementSize == 1) {
      if (const std::string method = textOf(section); method != run.scene().solver.method)
        refuseSnapshot(path, fmt::format("it is of the method \"{0}\", the run of \"{1}\"; go on with --method {0}", method,
                                         run.scene().solver.method));
      continue;
    }
    if (section.type != "double" || section.elementSize != sizeof(double))
      refuseSnapshot(path, fmt::format("the snapshot's field {} has another type", key.first));
    std::vector<double> numbers(std::size_t(section.count));
    if (!numbers.empty()) std::memcpy(numbers.data(), section.payload, numbers.size() * sizeof(double));
    state.emplace_back(key.first, std::move(numbers));
  }
  try {
    run.setState(state);
  } catch (const Error& e) { refuseSnapshot(path, e.what()); }
  if (record) *record = std::move(found);
}

void saveSnapshot(const OfflineRun& run, const std::string& path, std::string_view record) {
  writeWholeFile(path, packSnapshot(run, run.modelHash(), record));
}

void loadSnapshot(OfflineRun& run, const std::string& path, std::string* record) {
  unpackSnapshot(run, run.modelHash(), readWholeFile(path), path, record);
}

}  // namespace meniscus::offline
