// Whole files: written under a temporary name and renamed, so that a reader never meets half a file, whatever happens.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace meniscus {

// Replaces `path` by the given bytes. The data is on the disk when this returns. Throws Error(input) naming path and cause (disk
// full, folder missing or not writable); then `path` is as it was and nothing temporary is left.
void writeWholeFile(const std::string& path, std::string_view data);

// Throws Error(input) naming path and cause.
std::string readWholeFile(const std::string& path);

// Makes the folder and those above it. Throws Error(input) where that cannot be, or where files cannot be created in it.
void makeFolder(const std::string& path);

}  // namespace meniscus
