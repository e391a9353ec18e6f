// Versions, contexts, devices, memory, and the defaults of definitions.
#include <cstdlib>
#include <cstring>

#include "tests/fuzz/targets/api_session.h"

namespace meniscus::fuzz {
namespace {

void texts(ApiSession& s) {
  s.used("mnsGetVersion", mnsGetVersion() == MNS_VERSION);
  s.used("mnsGetVersionText", *mnsGetVersionText());
  s.used("mnsGetBuildText", *mnsGetBuildText());
  s.used("mnsResult_ToString", *mnsResult_ToString(mnsResult(s.b.byte() - 30)));
  s.used("mnsGetLastError", mnsGetLastError());
}

// A context beside the one that is used, and gone again.
void createContext(ApiSession& s) {
  mnsContextDef def = mnsDefaultContextDef();
  def.device = s.b.below(2) ? MNS_DEVICE_CPU : mnsDevice(s.b.below(5) - 1);
  def.threads = s.b.seldom() ? s.b.byte() * 16 - 100 : 1;
  const std::uint32_t version = s.b.seldom() ? MNS_VERSION + std::uint32_t(s.b.byte()) * 100 - 200 : std::uint32_t(MNS_VERSION);
  mnsContext* other = nullptr;
  if (MNS_TRY(s, mnsCreateContext, version, s.damaged(def), s.to(other)) != MNS_OK) return;
  MNS_TRY(s, mnsDestroyContext, other);
  if (mnsDestroyContext(other) != MNS_ERROR_INVALID_HANDLE) broken("a context that was destroyed is not followed");
}

// The one that is used, with its scenes.
void destroyContext(ApiSession& s) {
  mnsContext* const context = s.context();
  if (context == s.context_ && s.b.byte() < 200) return;  // seldom: much is lost with it
  if (MNS_TRY(s, mnsDestroyContext, context) != MNS_OK || context != s.context_) return;
  for (mnsScene* scene : s.scenes) s.forget(scene);
  s.makeContext();
}

void devices(ApiSession& s) {
  mnsDeviceInfo infos[3];
  std::int32_t count = 0;
  const std::size_t stride = s.b.seldom() ? s.b.byte() : sizeof infos[0];
  MNS_TRY(s, mnsGetDevices, s.to(*infos), stride, s.b.below(5) - 1, s.to(count));
}

// While a context is there it is refused; without one it is taken. Blocks go back to where they came from.
void setAllocator(ApiSession& s) {
  static int blocks = 0;
  const auto allocate = [](void* user, std::size_t bytes, std::size_t alignment) -> void* {
    void* p = nullptr;
    if (posix_memalign(&p, alignment < sizeof p ? sizeof p : alignment, bytes) != 0) return nullptr;
    ++*static_cast<int*>(user);
    return p;
  };
  const auto free = [](void* user, void* memory) {
    --*static_cast<int*>(user);
    std::free(memory);
  };
  mnsAllocator own{&blocks, allocate, free};
  if (s.b.seldom()) own.free = nullptr;
  if (s.b.byte() < 200) {
    if (MNS_TRY(s, mnsSetAllocator, &own) == MNS_OK) broken("the heap is not exchanged while a context exists");
    return;
  }
  if (mnsDestroyContext(s.context_) != MNS_OK) broken("a context can be destroyed");
  for (mnsScene* scene : s.scenes) s.forget(scene);
  MNS_TRY(s, mnsSetAllocator, s.b.below(3) ? &own : nullptr);
  s.makeContext();
}

void memoryUse(ApiSession& s) {
  const mnsMemoryUse use = mnsGetMemoryUse();
  s.used("mnsGetMemoryUse");
  if (use.peakBytes < use.bytes) broken("the peak is not below what there is");
}

// The defaults of a caller with an older or newer header; nothing is written behind what it has.
template <class Def>
void init(ApiSession& s, const char* name, void (*function)(Def*, std::size_t)) {
  constexpr std::size_t kMore = 16;
  alignas(Def) unsigned char bytes[sizeof(Def) + kMore];
  std::memset(bytes, 0x5a, sizeof bytes);
  const std::size_t size = s.b.below(2) ? sizeof(Def) : sizeof(Def) * std::size_t(s.b.byte()) / 255;
  function(s.b.seldom() ? nullptr : reinterpret_cast<Def*>(bytes), size);
  s.used(name);
  for (std::size_t k = size; k < sizeof bytes; ++k)
    if (bytes[k] != 0x5a) broken("defaults are not written beyond the size that was said");
}

void inits(ApiSession& s) {
  init(s, "mnsInitContextDef", mnsInitContextDef);
  init(s, "mnsInitSceneDef", mnsInitSceneDef);
  init(s, "mnsInitShape", mnsInitShape);
  init(s, "mnsInitMaterial", mnsInitMaterial);
  init(s, "mnsInitFluidDef", mnsInitFluidDef);
  init(s, "mnsInitEmitterDef", mnsInitEmitterDef);
  init(s, "mnsInitDrainDef", mnsInitDrainDef);
  init(s, "mnsInitBodyDef", mnsInitBodyDef);
  init(s, "mnsInitGlBufferDef", mnsInitGlBufferDef);
}

}  // namespace

ApiCalls contextCalls() {
  return {{texts, 1, kReads},   {createContext, 1, kReads}, {destroyContext, 1, kChanges},
          {devices, 1, kReads}, {setAllocator, 1, kReads},  {memoryUse, 1, kReads},
          {inits, 1, kReads}};
}

}  // namespace meniscus::fuzz
