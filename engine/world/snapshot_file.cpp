#include "engine/world/snapshot_file.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstring>

#include "engine/base/error.h"
#include "engine/world/hash.h"

namespace meniscus {
namespace {

// File: Header, then for every section a Section and its payload, padded with zeros to 8 bytes. Numbers in the machine's byte
// order.
constexpr char kMagic[8] = {'M', 'N', 'S', 'S', 'N', 'A', 'P', '\n'};
constexpr std::uint32_t kVersion = 4;
constexpr std::uint32_t kByteOrder = 0x01020304;

struct Header {
  char magic[8];
  std::uint32_t version, byteOrder;
  std::uint64_t fileSize;  // bytes
  std::uint64_t sections;
  std::uint64_t model;     // of what the state belongs to
  std::uint64_t checksum;  // of the lines above
};
struct Section {
  char name[40];
  char type[16];
  std::int32_t item;
  std::uint32_t elementSize;  // bytes
  std::uint64_t count;
  std::uint64_t checksum;  // of the lines above and of the padded payload
};
static_assert(sizeof(Header) == 48 && sizeof(Section) == 80);

std::size_t padded(std::size_t n) { return (n + 7) / 8 * 8; }

std::uint64_t checksumOf(const Header& h) {
  Hash64 hash;
  hash.bytes(&h, offsetof(Header, checksum));
  return hash.value();
}
std::uint64_t checksumOf(const Section& s, const char* payload) {
  Hash64 hash;
  hash.bytes(&s, offsetof(Section, checksum));
  hash.bytes(payload, padded(std::size_t(s.elementSize) * s.count));
  return hash.value();
}

Header readHeader(std::string_view file, const std::string& path) {
  Header h;
  if (file.size() < sizeof h || std::memcmp(file.data(), kMagic, sizeof kMagic) != 0)
    refuseSnapshot(path, "not a snapshot of Meniscus");
  std::memcpy(&h, file.data(), sizeof h);
  if (h.byteOrder != kByteOrder && h.version != kVersion)
    refuseSnapshot(path, "the snapshot's header is damaged, or of another byte order");
  if (h.version != kVersion)
    refuseSnapshot(path, fmt::format("snapshot format {} is not the {} that this version reads", h.version, kVersion));
  if (h.checksum != checksumOf(h)) refuseSnapshot(path, "the snapshot's header is damaged");
  if (h.fileSize != file.size())
    refuseSnapshot(path, fmt::format("the snapshot has {} bytes instead of {}", file.size(), h.fileSize));
  return h;
}

}  // namespace

void refuseSnapshot(const std::string& path, const std::string& why) {
  throw Error(ErrorKind::input, fmt::format("{}: {}; nothing was changed", path, why));
}

SnapshotWriter::SnapshotWriter() { out_.resize(sizeof(Header)); }

void SnapshotWriter::append(const char* name, const char* type, std::int32_t item, std::size_t elementSize, std::uint64_t count,
                            const void* data) {
  Section s{};
  std::strncpy(s.name, name, sizeof s.name - 1);
  std::strncpy(s.type, type, sizeof s.type - 1);
  s.item = item;
  s.elementSize = std::uint32_t(elementSize);
  s.count = count;
  const std::size_t bytes = std::size_t(s.elementSize) * s.count;
  std::string payload(padded(bytes), '\0');
  if (bytes) std::memcpy(payload.data(), data, bytes);
  s.checksum = checksumOf(s, payload.data());
  out_.append(reinterpret_cast<const char*>(&s), sizeof s).append(payload);
  ++sections_;
}

std::string SnapshotWriter::finish(std::uint64_t model) {
  Header h{};
  std::memcpy(h.magic, kMagic, sizeof kMagic);
  h.version = kVersion;
  h.byteOrder = kByteOrder;
  h.fileSize = out_.size();
  h.sections = sections_;
  h.model = model;
  h.checksum = checksumOf(h);
  std::memcpy(out_.data(), &h, sizeof h);
  return std::move(out_);
}

std::string keptByAnother(const std::vector<std::string>& lacks, const std::vector<std::string>& unknown) {
  const std::string less = lacks.empty() ? "" : fmt::format("did not keep \"{}\"", fmt::join(lacks, "\", \"")),
                    more = unknown.empty() ? "" : fmt::format("kept \"{}\" too", fmt::join(unknown, "\", \""));
  return fmt::format(
      "the snapshot is of another version of the program, which {}{}{}; begin the run anew, or go on with that version", less,
      less.empty() || more.empty() ? "" : " and ", more);
}

StoredSections readSections(std::string_view file, const std::string& path, std::uint64_t model) {
  const Header h = readHeader(file, path);
  StoredSections sections;
  std::size_t at = sizeof h;
  for (std::uint64_t k = 0; k < h.sections; ++k) {
    Section s;
    if (file.size() - at < sizeof s) refuseSnapshot(path, fmt::format("the snapshot ends inside section {}", k));
    std::memcpy(&s, file.data() + at, sizeof s);
    at += sizeof s;
    // first the size, so that the checksum reads inside the file
    if (s.elementSize == 0 || s.count > (file.size() - at) / s.elementSize || padded(s.count * s.elementSize) > file.size() - at)
      refuseSnapshot(path, fmt::format("section {} of the snapshot is damaged (size)", k));
    const char* payload = file.data() + at;
    if (s.checksum != checksumOf(s, payload))
      refuseSnapshot(path, fmt::format("section {} of the snapshot is damaged (checksum)", k));
    at += padded(s.count * s.elementSize);
    sections[{std::string(s.name, strnlen(s.name, sizeof s.name)), s.item}] = {std::string(s.type, strnlen(s.type, sizeof s.type)),
                                                                               s.elementSize, s.count, payload};
  }
  if (at != file.size()) refuseSnapshot(path, "the snapshot has data behind its last section");
  if (h.model != model)
    refuseSnapshot(path,
                   "the snapshot is of another scene (bodies, domain or particle spacing differ; on a grid also cells, densities, "
                   "gravity or materials)");
  return sections;
}

}  // namespace meniscus
