// Snapshots of started scenes, in memory and as files, and the hash of the state.
#include "engine/world/snapshot.h"

#include <algorithm>
#include <cstring>

#include "engine/api/files.h"
#include "engine/api/grid_scene.h"
#include "engine/api/inside.h"
#include "engine/api/objects.h"
#include "engine/base/file.h"
#include "engine/offline/snapshot.h"
#include "engine/world/hash.h"

using namespace meniscus;
using namespace meniscus::api;

namespace {

void unpack(World& w, std::string_view bytes, const std::string& name, std::string* record = nullptr) {
  try {
    unpackSnapshot(w, bytes, name, record);
  } catch (const Error& e) { throw Failure(MNS_ERROR_SNAPSHOT, e.what()); }
}

// What a snapshot does not hold is as if no step had been made yet. Cannot fail: the state has been changed.
void forgetLastStep(mnsScene& s) noexcept {
  Running& r = *s.running;
  World& w = r.world;
  r.dropSolver();
  w.report = StepReport{};
  w.report.leaked = Index(w.lostThroughWalls) + Index(std::count_if(w.fluid.leaked.begin(), w.fluid.leaked.begin() + w.fluid.n,
                                                                    [](std::uint8_t leaked) { return leaked != 0; }));
  for (RigidBody& b : w.solid.rigid) b.fluidForce = {};
  s.peakParticles = std::max(s.peakParticles, std::int64_t(w.fluid.n));
  s.milliseconds = 0;
  s.status.clear();
  forgetEvents(s);
  s.forces.clear();
  try {
    s.published.renew(w);
  } catch (...) { s.published.forget(); }  // made when asked for
}

std::string packed(mnsScene& s, std::string_view record = {}) {
  if (!onGrid(s)) return packSnapshot(started(s).world, record);
  const GridRunning& g = startedGrid(s);
  return offline::packSnapshot(*g.run, g.model, record);
}

mnsResult restore(mnsScene& s, std::string_view bytes, const std::string& name) {
  if (onGrid(s)) {
    restoreGrid(s, bytes, name);
    return MNS_OK;
  }
  if (s.running)
    unpack(s.running->world, bytes, name);
  else
    start(s, [&](World& w) { unpack(w, bytes, name); });
  forgetLastStep(s);
  return MNS_OK;
}

}  // namespace

mnsResult api::startFrom(mnsScene* scene, const std::string& snapshot, std::string* record) {
  return write(scene, [&](mnsScene& s) {
    std::string bytes;
    return asFile([&] { bytes = readWholeFile(snapshot); },
                  [&] {
                    if (onGrid(s)) {
                      restoreGrid(s, bytes, snapshot, record);
                      return MNS_OK;
                    }
                    start(s, [&](World& w) { unpack(w, bytes, snapshot, record); });
                    forgetLastStep(s);
                    return MNS_OK;
                  });
  });
}

mnsResult api::saveWithRecord(mnsScene* scene, const std::string& path, std::string_view record) {
  return read(scene, [&](mnsScene& s) {
    const std::string bytes = packed(s, record);
    return asFile([&] { writeWholeFile(path, bytes); }, [] { return MNS_OK; });
  });
}

extern "C" {

mnsResult mnsScene_Snapshot(mnsScene* scene, void* buffer, size_t capacity, size_t* size) {
  return read(scene, [&](mnsScene& s) {
    needPointer(size, "size");
    const std::string bytes = packed(s);
    *size = bytes.size();
    if (!buffer) return MNS_OK;
    if (capacity < bytes.size())
      fail(MNS_ERROR_BUFFER_TOO_SMALL, "the snapshot has {} bytes, but the buffer only {}", bytes.size(), capacity);
    std::memcpy(buffer, bytes.data(), bytes.size());
    return MNS_OK;
  });
}

mnsResult mnsScene_Restore(mnsScene* scene, const void* buffer, size_t size) {
  return write(scene, [&](mnsScene& s) {
    needPointer(buffer, "buffer");
    return restore(s, {static_cast<const char*>(buffer), size}, "the buffer");
  });
}

mnsResult mnsScene_SaveSnapshot(mnsScene* scene, const char* path) {
  return read(scene, [&](mnsScene& s) {
    needPointer(path, "path");
    const std::string bytes = packed(s);
    return asFile([&] { writeWholeFile(path, bytes); }, [] { return MNS_OK; });
  });
}

mnsResult mnsScene_LoadSnapshot(mnsScene* scene, const char* path) {
  return write(scene, [&](mnsScene& s) {
    needPointer(path, "path");
    std::string bytes;
    return asFile([&] { bytes = readWholeFile(path); }, [&] { return restore(s, bytes, path); });
  });
}

mnsResult mnsScene_GetHash(mnsScene* scene, uint64_t* hash) {
  return read(scene, [&](mnsScene& s) {
    needPointer(hash, "hash");
    *hash = onGrid(s) ? startedGrid(s).run->hash() : stateHash(started(s).world);
    return MNS_OK;
  });
}

}  // extern "C"
