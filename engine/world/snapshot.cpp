#include "engine/world/snapshot.h"

#include <fmt/format.h>

#include <cstring>
#include <map>
#include <vector>

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/solid/prescribed.h"
#include "engine/world/fields.h"
#include "engine/world/hash.h"

namespace meniscus {
namespace {

// File: Header, then for every field, for what is prescribed (prescribed.h) and for the caller's record a Section and its payload,
// padded with zeros to 8 bytes. Numbers in the machine's byte order.
constexpr char kMagic[8] = {'M', 'N', 'S', 'S', 'N', 'A', 'P', '\n'};
constexpr std::uint32_t kVersion = 4;
constexpr std::uint32_t kByteOrder = 0x01020304;

struct Header {
  char magic[8];
  std::uint32_t version, byteOrder;
  std::uint64_t fileSize;  // bytes
  std::uint64_t sections;
  std::uint64_t model;     // modelHash of the world
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

Section sectionOf(const char* name, const char* type, std::int32_t item, std::size_t elementSize, std::uint64_t count) {
  Section s{};
  std::strncpy(s.name, name, sizeof s.name - 1);
  std::strncpy(s.type, type, sizeof s.type - 1);
  s.item = item;
  s.elementSize = std::uint32_t(elementSize);
  s.count = count;
  return s;
}
template <class T>
Section sectionFor(const FieldInfo& info, std::uint64_t count) {
  return sectionOf(info.name, TypeName<T>::value, info.item, sizeof(T), count);
}
Section sectionForPrescribed(std::uint64_t count) { return sectionOf("prescribed", "double", -1, sizeof(double), count); }
Section sectionForRecord(std::uint64_t bytes) { return sectionOf("record", "bytes", -1, 1, bytes); }

struct Writer {
  std::string out;
  std::uint64_t sections = 0;

  void append(Section s, const void* data) {
    const std::size_t bytes = std::size_t(s.elementSize) * s.count;
    std::string payload(padded(bytes), '\0');
    if (bytes) std::memcpy(payload.data(), data, bytes);
    s.checksum = checksumOf(s, payload.data());
    out.append(reinterpret_cast<const char*>(&s), sizeof s).append(payload);
    ++sections;
  }
  template <class T>
  void add(const FieldInfo& info, const T* data, std::size_t count) {
    if (info.keep == Keep::state) append(sectionFor<T>(info, count), data);
  }
  template <class T>
  void value(const FieldInfo& info, const T& field) {
    add(info, &field, 1);
  }
  template <class T>
  void array(const FieldInfo& info, const Buffer<T>& buffer, Index count) {
    add(info, buffer.data(), std::size_t(count));
  }
};

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw Error(ErrorKind::input, fmt::format("{}: {}; nothing was changed", path, why));
}

struct Stored {
  Section section;
  const char* payload;
};
using StoredFields = std::map<std::pair<std::string, std::int32_t>, Stored>;

// Cuts the file into its fields and verifies every byte.
StoredFields parse(std::string_view file, const std::string& path, std::uint64_t model) {
  Header h;
  if (file.size() < sizeof h || std::memcmp(file.data(), kMagic, sizeof kMagic) != 0) refuse(path, "not a snapshot of Meniscus");
  std::memcpy(&h, file.data(), sizeof h);
  if (h.byteOrder != kByteOrder && h.version != kVersion)
    refuse(path, "the snapshot's header is damaged, or of another byte order");
  if (h.version != kVersion)
    refuse(path, fmt::format("snapshot format {} is not the {} that this version reads", h.version, kVersion));
  if (h.checksum != checksumOf(h)) refuse(path, "the snapshot's header is damaged");
  if (h.fileSize != file.size()) refuse(path, fmt::format("the snapshot has {} bytes instead of {}", file.size(), h.fileSize));

  StoredFields fields;
  std::size_t at = sizeof h;
  for (std::uint64_t k = 0; k < h.sections; ++k) {
    Stored field;
    if (file.size() - at < sizeof(Section)) refuse(path, fmt::format("the snapshot ends inside section {}", k));
    std::memcpy(&field.section, file.data() + at, sizeof(Section));
    at += sizeof(Section);
    const Section& s = field.section;
    // first the size, so that the checksum reads inside the file
    if (s.elementSize == 0 || s.count > (file.size() - at) / s.elementSize || padded(s.count * s.elementSize) > file.size() - at)
      refuse(path, fmt::format("section {} of the snapshot is damaged (size)", k));
    field.payload = file.data() + at;
    if (s.checksum != checksumOf(s, field.payload))
      refuse(path, fmt::format("section {} of the snapshot is damaged (checksum)", k));
    at += padded(s.count * s.elementSize);
    fields[{std::string(s.name, strnlen(s.name, sizeof s.name)), s.item}] = field;
  }
  if (at != file.size()) refuse(path, "the snapshot has data behind its last section");
  if (h.model != model) refuse(path, "the snapshot is of another scene (bodies, domain or particle spacing differ)");
  return fields;
}

const Stored* find(const StoredFields& fields, const FieldInfo& info) {
  const auto found = fields.find({info.name, info.item});
  return found == fields.end() ? nullptr : &found->second;
}

// First pass: does every field of the world find its like in the file?
struct Checker {
  const StoredFields& fields;
  const std::string& path;
  const World& world;
  std::uint64_t particles = 0;
  std::size_t used = 0;

  template <class T>
  void check(const FieldInfo& info, std::uint64_t count) {
    const Stored* f = find(fields, info);
    if (!f) refuse(path, fmt::format("the snapshot lacks the field {}", info.name));
    const Section expected = sectionFor<T>(info, count);
    if (std::memcmp(f->section.type, expected.type, sizeof expected.type) != 0 || f->section.elementSize != expected.elementSize)
      refuse(path, fmt::format("the snapshot's field {} has another type", info.name));
    if (f->section.count != count)
      refuse(path, fmt::format("the snapshot's field {} has {} entries instead of {}", info.name, f->section.count, count));
    ++used;
  }
  template <class T>
  void value(const FieldInfo& info, T& field) {
    if (info.keep != Keep::state) return;
    check<T>(info, 1);
    if (static_cast<const void*>(&field) != &world.fluid.n) return;
    Index n;
    std::memcpy(&n, find(fields, info)->payload, sizeof n);
    if (n < 0 || (world.fluid.capacity > 0 && n > world.fluid.capacity))
      refuse(path, fmt::format("the snapshot has {} particles, this scene has room for {}", n, world.fluid.capacity));
    particles = std::uint64_t(n);
  }
  template <class T>
  void array(const FieldInfo& info, Buffer<T>& buffer, Index) {
    if (!isParticles(info)) {
      if (info.keep == Keep::state) check<T>(info, buffer.size());
      return;
    }
    if (info.keep == Keep::state) check<T>(info, particles);
    if (static_cast<const void*>(&buffer) == &world.fluid.kind) checkKinds(find(fields, info)->payload);
    buffer.reserve(particles);  // so that the second pass cannot fail
  }
  // Particles name the scene's fluids by number.
  void checkKinds(const char* payload) const {
    for (std::uint64_t i = 0; i < particles; ++i)
      if (std::uint8_t(payload[i]) >= world.scene.fluids.size())
        refuse(path, fmt::format("the snapshot has particles of fluid {}, but this scene has {} fluids",
                                 int(std::uint8_t(payload[i])), world.scene.fluids.size()));
  }
  static bool isParticles(const FieldInfo& info) { return std::strncmp(info.name, "fluid.", 6) == 0; }
};

// Second pass: copies. Cannot fail.
struct Loader {
  const StoredFields& fields;
  Index particles;

  template <class T>
  void value(const FieldInfo& info, T& field) {
    if (info.keep == Keep::state) std::memcpy(static_cast<void*>(&field), find(fields, info)->payload, sizeof(T));
  }
  template <class T>
  void array(const FieldInfo& info, Buffer<T>& buffer, Index) {
    if (Checker::isParticles(info)) {
      buffer.clear();  // derived fields start from zero bytes
      buffer.resize(std::size_t(particles));
    }
    if (info.keep == Keep::state && !buffer.empty())
      std::memcpy(static_cast<void*>(buffer.data()), find(fields, info)->payload, buffer.size() * sizeof(T));
  }
};

// Takes it out of the fields. Throws where it does not fit the world.
Prescribed prescribedOf(StoredFields& fields, const std::string& path, const SolidState& solids) {
  const auto found = fields.find({"prescribed", -1});
  if (found == fields.end()) refuse(path, "the snapshot lacks the field prescribed");
  const Section& s = found->second.section;
  Prescribed p;
  // payloads begin at multiples of 8 bytes in the file, but the file may lie anywhere
  std::vector<double> numbers(s.elementSize == sizeof(double) ? std::size_t(s.count) : 0);
  if (!numbers.empty()) std::memcpy(numbers.data(), found->second.payload, numbers.size() * sizeof(double));
  if (!unpackPrescribed(numbers.data(), numbers.size(), solids, p))
    refuse(path, "the snapshot's held nodes and key frames do not fit this scene");
  fields.erase(found);
  return p;
}

}  // namespace

std::string packSnapshot(const World& world, std::string_view record) {
  Writer writer;
  writer.out.resize(sizeof(Header));
  forEachField(world, writer);
  Buffer<double> prescribed;
  packPrescribed(world.solid, prescribed);
  writer.append(sectionForPrescribed(prescribed.size()), prescribed.data());
  if (!record.empty()) writer.append(sectionForRecord(record.size()), record.data());
  Header h{};
  std::memcpy(h.magic, kMagic, sizeof kMagic);
  h.version = kVersion;
  h.byteOrder = kByteOrder;
  h.fileSize = writer.out.size();
  h.sections = writer.sections;
  h.model = modelHash(world);
  h.checksum = checksumOf(h);
  std::memcpy(writer.out.data(), &h, sizeof h);
  return writer.out;
}

void unpackSnapshot(World& world, std::string_view bytes, const std::string& name, std::string* record) {
  StoredFields fields = parse(bytes, name, modelHash(world));
  std::string found;
  if (const auto r = fields.find({"record", -1}); r != fields.end()) {
    const Section expected = sectionForRecord(r->second.section.count);
    if (r->second.section.elementSize != expected.elementSize) refuse(name, "the snapshot's record of the run has another type");
    found.assign(r->second.payload, std::size_t(expected.count));
    fields.erase(r);
  }
  Prescribed prescribed = prescribedOf(fields, name, world.solid);
  Checker checker{fields, name, world};
  forEachField(world, checker);
  if (checker.used != fields.size()) refuse(name, "the snapshot has fields that this version does not know");
  Loader loader{fields, Index(checker.particles)};
  forEachField(world, loader);
  takePrescribed(world.solid, prescribed);
  if (record) *record = std::move(found);
}

void saveSnapshot(const World& world, const std::string& path, std::string_view record) {
  writeWholeFile(path, packSnapshot(world, record));
}

void loadSnapshot(World& world, const std::string& path, std::string* record) {
  unpackSnapshot(world, readWholeFile(path), path, record);
}

}  // namespace meniscus
