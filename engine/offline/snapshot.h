// Snapshots of runs of grid methods, in the frame of all snapshots (engine/world/snapshot_file.h).
#pragma once

#include <string>
#include <string_view>

#include "engine/offline/run.h"

namespace meniscus::offline {

// As saveSnapshot and loadSnapshot of a world.
void saveSnapshot(const OfflineRun& run, const std::string& path, std::string_view record = {});
void loadSnapshot(OfflineRun& run, const std::string& path, std::string* record = nullptr);

}  // namespace meniscus::offline
