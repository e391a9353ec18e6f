#include "engine/offline/vdb.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>

#include "engine/base/beside.h"
#include "engine/base/error.h"
#include "engine/base/heap.h"
#include "engine/grid/water/water_state.h"
#include "engine/offline/vdb/border.h"

namespace meniscus::offline {
namespace {

struct Opened {
  const VdbPlugin* plugin = nullptr;
  std::string missing;  // why there is none
};

Opened openPlugin() {
  const std::string path = besideThisCode("meniscus_vdb.so");
  if (!std::filesystem::exists(path)) return {nullptr, "this build was made without OpenVDB (Debian: libopenvdb-dev)"};
  // never closed: OpenVDB has registries that its exit handlers clear
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  const auto factory = handle ? reinterpret_cast<VdbPluginFactory>(dlsym(handle, kVdbPluginFactoryName)) : nullptr;
  if (!factory) {
    const char* why = dlerror();
    return {nullptr, fmt::format("the OpenVDB plug-in cannot be opened: {}", why ? why : path)};
  }
  const VdbPlugin* plugin = factory();
  if (plugin->version != kVdbPluginVersion)
    return {nullptr, fmt::format("the OpenVDB plug-in {} is of another build; build it anew", path)};
  return {plugin, ""};
}

const Opened& opened() {
  const HeapOfProcess own;  // stays until the process ends
  static const Opened* const it = new Opened(openPlugin());
  return *it;
}

}  // namespace

std::string vdbMissing() { return opened().missing; }

std::string vdbFluid(const GridFields& f, double time) {
  if (!opened().plugin) throw Error(ErrorKind::input, opened().missing);
  const bool water = f.smoke.empty();
  const VdbGrid grid{water ? "surface" : "density",        water,
                     {f.cells.x, f.cells.y, f.cells.z},    f.dx,
                     {f.origin.x, f.origin.y, f.origin.z}, water ? f.levelSet.data() : f.smoke.data(),
                     water ? float(kBand * f.dx) : 0};
  std::string bytes;
  const auto append = [](void* user, const char* piece, std::size_t count) {
    static_cast<std::string*>(user)->append(piece, count);
  };
  char reason[256] = {};
  if (!opened().plugin->write(&grid, 1, time, append, &bytes, reason, sizeof reason))
    throw Error(ErrorKind::input, fmt::format("OpenVDB: {}", reason));
  return bytes;
}

}  // namespace meniscus::offline
