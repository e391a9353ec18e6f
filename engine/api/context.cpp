// Versions, contexts, devices, memory.
#include <cstring>

#include "engine/api/defs.h"
#include "engine/api/objects.h"
#include "engine/api/parameter_keys.h"
#include "engine/base/build_info.h"
#include "engine/base/heap.h"
#include "engine/exec/cuda/probe.h"
#include "engine/scene/keys.h"
#include "engine/scene/methods.h"

using namespace meniscus;
using namespace meniscus::api;

namespace {

void checkVersion(std::uint32_t header) {
  if (header / 10000 == MNS_VERSION_MAJOR && header <= MNS_VERSION) return;
  fail(MNS_ERROR_VERSION_MISMATCH,
       "the caller was compiled with the header of Meniscus {}.{}.{}, the library is {}; build it again", header / 10000,
       header / 100 % 100, header % 100, version());
}

Settings settingsOf(const mnsContextDef& def) {
  if (def.threads < 0 || def.threads > 1024)
    fail(MNS_ERROR_INVALID_ARGUMENT, "threads is {}; it must be 0 for all processors, or 1 to 1024", def.threads);
  if (def.runTasks && def.threads == 0)
    fail(MNS_ERROR_INVALID_ARGUMENT, "threads is 0; with runTasks it must say into how many tasks a launch is cut");
  if (int(def.logLevel) < MNS_LOG_DEBUG || int(def.logLevel) > MNS_LOG_ERROR)
    fail(MNS_ERROR_INVALID_ARGUMENT, "logLevel is {}, which is none of MNS_LOG_...", int(def.logLevel));
  Settings s;
  s.threads = def.threads;
  s.tasks = {def.tasksUser, def.runTasks};
  s.log = def.log;
  s.logUser = def.logUser;
  s.logLevel = def.logLevel;
  return s;
}

// What is built once and stays is built in the process's own heap: here, and not when a scene first needs it.
void buildTables() {
  const HeapOfProcess own;
  sceneTable();
  solverTable();
  domainTable();
  fluidTable();
  emitterTable();
  drainTable();
  solidTable();
  materialTable();
  resistanceTable();
  solidShapeTable();
  fluidShapeTable();
  keyFrameTable();
  viewTable();
  sceneKeys();
  solverKeys();
  domainKeys();
  fluidKeys();
  emitterKeys();
  drainKeys();
  solidKeys();
  gridTable();
  couplingTable();
  inflowTable();
  gridSolverKeys();
  gridFluidKeys(2);
  gridSolidKeys();
  methodNames();
}

void chooseDevice(mnsContext& context, mnsDevice device) {
  if (device == MNS_DEVICE_CPU) {
    context.settings.whyCpu = "its context was made for the CPU (mnsContextDef::device)";
    return;
  }
  if (device != MNS_DEVICE_AUTO && device != MNS_DEVICE_CUDA)
    fail(MNS_ERROR_INVALID_ARGUMENT, "device is {}, which is none of MNS_DEVICE_...", int(device));
  const CudaProbe probe = probeCuda();
  // the step on a card has been proved on the serial device only, so a card is taken where it is asked for by name
  if (probe.fluid && device == MNS_DEVICE_AUTO) {
    context.settings.whyCpu = "the step on a card is new; ask for it as the device CUDA";
    MNS_LOG(context, MNS_LOG_INFO, "device", "CPU, because " + context.settings.whyCpu);
    return;
  }
  context.settings.fluid = probe.fluid;
  context.settings.needDevice = device == MNS_DEVICE_CUDA;
  if (probe.fluid) return;
  if (device == MNS_DEVICE_CUDA) fail(MNS_ERROR_DEVICE_NOT_AVAILABLE, "CUDA cannot be used: {}", probe.reason);
  context.settings.whyCpu = probe.reason;
  MNS_LOG(context, MNS_LOG_INFO, "device", "CPU, because " + probe.reason);
}

template <std::size_t N>
void copyText(char (&to)[N], const std::string& from) {
  std::strncpy(to, from.c_str(), N - 1);
  to[N - 1] = 0;
}

std::vector<mnsDeviceInfo> devices() {
  std::vector<mnsDeviceInfo> list;
  mnsDeviceInfo cpu{};
  cpu.structSize = sizeof cpu;
  cpu.device = MNS_DEVICE_CPU;
  cpu.usable = true;
  copyText(cpu.name, fmt::format("{} processors of this machine", Exec::processors()));
  list.push_back(cpu);
  const CudaProbe probe = probeCuda();
  mnsDeviceInfo cuda{};
  cuda.structSize = sizeof cuda;
  cuda.device = MNS_DEVICE_CUDA;
  copyText(cuda.reason, probe.reason);
  copyText(cuda.name, "CUDA");
  if (probe.devices.empty()) list.push_back(cuda);
  cuda.usable = true;
  for (const std::string& line : probe.devices) {
    copyText(cuda.name, line + "; steps fluids and solids");
    list.push_back(cuda);
  }
  return list;
}

}  // namespace

extern "C" {

const char* mnsGetLastError(void) { return lastError(); }
uint32_t mnsGetVersion(void) { return MNS_VERSION; }
const char* mnsGetVersionText(void) { return version(); }
const char* mnsGetBuildText(void) { return buildDescription(); }

mnsResult mnsCreateContext(uint32_t headerVersion, const mnsContextDef* given, mnsContext** out) {
  return call([&] {
    needPointer(out, "context");
    checkVersion(headerVersion);
    buildTables();
    const mnsContextDef def = given ? checked(given, "mnsContextDef") : mnsDefaultContextDef();
    auto context = std::make_unique<mnsContext>();
    context->settings = settingsOf(def);
    chooseDevice(*context, def.device);
    registerContext(context.get());
    *out = context.release();
    return MNS_OK;
  });
}

mnsResult mnsDestroyContext(mnsContext* context) {
  return call([&] {
    if (!context) return MNS_OK;
    std::vector<mnsScene*> scenes;
    if (!unregisterContext(context, scenes)) failGone("context");
    for (mnsScene* s : scenes) delete s;
    delete context;
    return MNS_OK;
  });
}

mnsResult mnsGetDevices(mnsDeviceInfo* infos, size_t stride, int32_t capacity, int32_t* count) {
  return call([&] {
    needPointer(count, "count");
    if (infos) needArrayOf<mnsDeviceInfo>(stride, capacity, "infos");
    const std::vector<mnsDeviceInfo> list = devices();
    *count = std::int32_t(list.size());
    for (std::size_t k = 0; infos && k < list.size() && std::int32_t(k) < capacity; ++k)
      std::memcpy(reinterpret_cast<char*>(infos) + k * stride, &list[k], std::min(stride, sizeof list[k]));
    return MNS_OK;
  });
}

mnsResult mnsSetAllocator(const mnsAllocator* allocator) {
  return call([&] {
    if (liveContexts() > 0) fail(MNS_ERROR_BUSY, "the allocator can only be set while no context exists");
    if (allocator && (!allocator->allocate || !allocator->free))
      fail(MNS_ERROR_INVALID_ARGUMENT, "an allocator needs both functions");
    setHeap(allocator ? HeapFunctions{allocator->user, allocator->allocate, allocator->free} : HeapFunctions{});
    return MNS_OK;
  });
}

mnsMemoryUse mnsGetMemoryUse(void) {
  const HeapUse use = heapUse();
  return {use.bytes, use.peakBytes, use.allocations};
}

}  // extern "C"
