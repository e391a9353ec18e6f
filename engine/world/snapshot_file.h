// The frame of a snapshot: a header and sections of plain values, each with its checksum. What the sections mean is their owner's.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace meniscus {

class SnapshotWriter {
 public:
  SnapshotWriter();
  // name: at most 39 characters, type: 15, which with `item` say what it is. data: count values of elementSize bytes.
  void append(const char* name, const char* type, std::int32_t item, std::size_t elementSize, std::uint64_t count,
              const void* data);
  // The file. model: of what the state belongs to.
  std::string finish(std::uint64_t model);

 private:
  std::string out_;
  std::uint64_t sections_ = 0;
};

struct StoredSection {
  std::string type;
  std::uint32_t elementSize = 0;  // bytes
  std::uint64_t count = 0;
  const char* payload = nullptr;  // in the file, at any address
};
using StoredSections = std::map<std::pair<std::string, std::int32_t>, StoredSection>;  // by name and item

// Cuts a file into its sections and verifies every byte. Throws Error(input) as refuseSnapshot for one that is damaged, truncated,
// of another version or of another model.
StoredSections readSections(std::string_view file, const std::string& path, std::uint64_t model);

// Why a snapshot of the same scene is not read: the program that wrote it kept other data. lacks: what a run needs and it does not
// have; unknown: what it has and no run knows. Not both empty.
std::string keptByAnother(const std::vector<std::string>& lacks, const std::vector<std::string>& unknown);

// Throws Error(input) "path: why; nothing was changed".
[[noreturn]] void refuseSnapshot(const std::string& path, const std::string& why);

}  // namespace meniscus
