#include "engine/world/snapshot.h"

#include <fmt/format.h>

#include <cstring>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/solid/prescribed.h"
#include "engine/world/fields.h"
#include "engine/world/hash.h"
#include "engine/world/snapshot_file.h"

namespace meniscus {
namespace {

// Sections: every state field, what is prescribed (prescribed.h), and the caller's record.
struct Writer {
  SnapshotWriter file;

  template <class T>
  void add(const FieldInfo& info, const T* data, std::size_t count) {
    if (info.keep == Keep::state) file.append(info.name, TypeName<T>::value, info.item, sizeof(T), count, data);
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

[[noreturn]] void refuse(const std::string& path, const std::string& why) { refuseSnapshot(path, why); }

const StoredSection* find(const StoredSections& fields, const FieldInfo& info) {
  const auto found = fields.find({info.name, info.item});
  return found == fields.end() ? nullptr : &found->second;
}

// First pass: does every field of the world find its like in the file?
struct Checker {
  const StoredSections& fields;
  const std::string& path;
  const World& world;
  std::uint64_t particles = 0;
  std::set<std::pair<std::string, std::int32_t>> used{};

  template <class T>
  void check(const FieldInfo& info, std::uint64_t count) {
    const StoredSection* f = find(fields, info);
    if (!f) refuse(path, keptByAnother({info.name}, {}));
    if (f->type != TypeName<T>::value || f->elementSize != sizeof(T))
      refuse(path, fmt::format("the snapshot's field {} has another type", info.name));
    if (f->count != count)
      refuse(path, fmt::format("the snapshot's field {} has {} entries instead of {}", info.name, f->count, count));
    used.insert({info.name, info.item});
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
  const StoredSections& fields;
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
Prescribed prescribedOf(StoredSections& fields, const std::string& path, const SolidState& solids) {
  const auto found = fields.find({"prescribed", -1});
  if (found == fields.end()) refuse(path, keptByAnother({"prescribed"}, {}));
  const StoredSection& s = found->second;
  Prescribed p;
  // payloads begin at multiples of 8 bytes in the file, but the file may lie anywhere
  std::vector<double> numbers(s.elementSize == sizeof(double) ? std::size_t(s.count) : 0);
  if (!numbers.empty()) std::memcpy(numbers.data(), s.payload, numbers.size() * sizeof(double));
  if (!unpackPrescribed(numbers.data(), numbers.size(), solids, p))
    refuse(path, "the snapshot's held nodes and key frames do not fit this scene");
  fields.erase(found);
  return p;
}

}  // namespace

std::string packSnapshot(const World& world, std::string_view record) {
  Writer writer;
  forEachField(world, writer);
  Buffer<double> prescribed;
  packPrescribed(world.solid, prescribed);
  writer.file.append("prescribed", "double", -1, sizeof(double), prescribed.size(), prescribed.data());
  if (!record.empty()) writer.file.append("record", "bytes", -1, 1, record.size(), record.data());
  return writer.file.finish(modelHash(world));
}

void unpackSnapshot(World& world, std::string_view bytes, const std::string& name, std::string* record) {
  StoredSections fields = readSections(bytes, name, modelHash(world));
  std::string found;
  if (const auto r = fields.find({"record", -1}); r != fields.end()) {
    if (r->second.elementSize != 1) refuse(name, "the snapshot's record of the run has another type");
    found.assign(r->second.payload, std::size_t(r->second.count));
    fields.erase(r);
  }
  Prescribed prescribed = prescribedOf(fields, name, world.solid);
  Checker checker{fields, name, world};
  forEachField(world, checker);
  std::vector<std::string> unknown;
  for (const auto& [key, section] : fields)
    if (checker.used.count(key) == 0) unknown.push_back(key.first);
  if (!unknown.empty()) refuse(name, keptByAnother({}, unknown));
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
