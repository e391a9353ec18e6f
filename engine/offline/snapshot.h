// Snapshots of runs of grid methods, in the frame of all snapshots (engine/world/snapshot_file.h).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/offline/run.h"

namespace meniscus::offline {

// As those of a world: packSnapshot makes the file's bytes. model: what the state belongs to, the run's modelHash, or that of a run
// whose figures were changed since. name: of the file, for the sentence.
std::string packSnapshot(const OfflineRun& run, std::uint64_t model, std::string_view record = {});
void unpackSnapshot(OfflineRun& run, std::uint64_t model, std::string_view bytes, const std::string& name,
                    std::string* record = nullptr);

void saveSnapshot(const OfflineRun& run, const std::string& path, std::string_view record = {});
void loadSnapshot(OfflineRun& run, const std::string& path, std::string* record = nullptr);

}  // namespace meniscus::offline
