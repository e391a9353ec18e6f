// Snapshots: the whole state of a run in one file. A run that goes on from a snapshot is bit by bit the run that was never
// interrupted.
#pragma once

#include <string>
#include <string_view>

#include "engine/world/world.h"

namespace meniscus {

// Writes all state fields of the table in fields.h: to a temporary name beside `path`, then renamed, so that `path` is never half
// written. Throws Error(input) where the file cannot be written. record: bytes of the caller's own that travel with the state.
void saveSnapshot(const World& world, const std::string& path, std::string_view record = {});

// Puts a snapshot's state into a world that was built from the same scene. Throws Error(input) and leaves the world as it was for a
// file that is missing, damaged, truncated, of another version, or of another scene. record (may be null): what came with the
// state, "" for nothing.
void loadSnapshot(World& world, const std::string& path, std::string* record = nullptr);

// The same on bytes in memory. name: what messages call them.
std::string packSnapshot(const World& world, std::string_view record = {});
void unpackSnapshot(World& world, std::string_view bytes, const std::string& name, std::string* record = nullptr);

}  // namespace meniscus
