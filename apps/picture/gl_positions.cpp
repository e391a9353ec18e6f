#include "apps/picture/gl_positions.h"

#include <meniscus/meniscus_cuda.h>

#include <cstdint>
#include <cstring>

namespace meniscus::picture {
namespace {

// The functions that libepoxy has found for this context.
mnsGlFunction* load(void*, const char* name) {
  const struct {
    const char* name;
    mnsGlFunction* function;
  } known[] = {
#define FOUND(function) {#function, reinterpret_cast<mnsGlFunction*>(epoxy_##function)}
      FOUND(glGetString),  FOUND(glIsBuffer),       FOUND(glGetIntegerv), FOUND(glBindBuffer), FOUND(glGetBufferParameteri64v),
      FOUND(glBufferData), FOUND(glMapBufferRange), FOUND(glUnmapBuffer),
#undef FOUND
  };
  for (const auto& k : known)
    if (std::strcmp(k.name, name) == 0) return k.function;
  return nullptr;
}

constexpr std::size_t kFirstBytes = 1 << 16;

}  // namespace

GlPositions::~GlPositions() {
  if (!MNS_IS_NULL(id_)) mnsUnregisterGlBuffer(scene_, id_);
}

bool GlPositions::update() {
  if (never_) return false;
  never_ = true;
  if (MNS_IS_NULL(id_)) {
    if (mnsScene_GetCudaStream(scene_, nullptr, nullptr) < 0) return false;
    buffer_.reserve(kFirstBytes);
    mnsGlBufferDef def = mnsDefaultGlBufferDef();
    def.load = load;
    def.buffer = buffer_.get();
    def.grow = true;
    if (mnsRegisterGlBuffer(scene_, &def, &id_) < 0) return false;
  }
  std::int64_t written = 0;
  mnsGlBufferInfo info{};
  info.structSize = sizeof info;
  if (mnsGlBuffer_Update(scene_, id_, &written) < 0 || mnsGlBuffer_GetInfo(scene_, id_, &info) < 0) return false;
  count_ = std::size_t(written);
  never_ = info.way != MNS_GL_SHARED;
  return !never_;
}

}  // namespace meniscus::picture
