// Snapshots: the whole state of a run in one file. A run that goes on from a snapshot is bit by bit the run that was never
// interrupted.
#pragma once

#include <string>
#include <string_view>

#include "engine/world/world.h"

namespace meniscus {

// Writes all state fields of the table in fields.h: to a temporary name beside `path`, then renamed, so that `path` is never half
// written. Throws Error(input) where the file cannot be written.
void saveSnapshot(const World& world, const std::string& path);

// Puts a snapshot's state into a world that was built from the same scene. Throws Error(input) and leaves the world as it was for a
// file that is missing, damaged, truncated, of another version, or of another scene.
void loadSnapshot(World& world, const std::string& path);

// The same on bytes in memory. name: what messages call them.
std::string packSnapshot(const World& world);
void unpackSnapshot(World& world, std::string_view bytes, const std::string& name);

}  // namespace meniscus
