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
  leave();
  if (written_) glDeleteSync(written_);
}

void GlPositions::leave() {
  if (!MNS_IS_NULL(id_)) mnsUnregisterGlBuffer(scene_, id_);
  id_ = mnsGlBufferId{0, 0, 0};
  scene_ = nullptr;
  why_.clear();
}

bool GlPositions::write(mnsScene* scene) {
  if (MNS_IS_NULL(id_)) {
    if (mnsScene_GetCudaStream(scene, nullptr, nullptr) < 0) return false;
    buffer_.reserve(kFirstBytes);
    mnsGlBufferDef def = mnsDefaultGlBufferDef();
    def.load = load;
    def.buffer = buffer_.get();
    def.grow = true;
    if (mnsRegisterGlBuffer(scene, &def, &id_) < 0) return false;
  }
  std::int64_t written = 0;
  if (mnsGlBuffer_Update(scene, id_, &written) < 0) return false;
  count_ = std::size_t(written);
  return true;
}

bool GlPositions::update(mnsScene* scene) {
  if (scene != scene_) leave();
  scene_ = scene;
  if (!why_.empty()) return false;
  mnsGlBufferInfo info{};
  info.structSize = sizeof info;
  if (!write(scene) || mnsGlBuffer_GetInfo(scene, id_, &info) < 0) {
    why_ = mnsGetLastError();
    return false;
  }
  if (written_) glDeleteSync(written_);
  written_ = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
  glFlush();  // or the fence may never be reached
  if (info.way != MNS_GL_SHARED) why_ = info.reason;
  return why_.empty();
}

void GlPositions::await() const {
  if (written_) glWaitSync(written_, 0, GL_TIMEOUT_IGNORED);
}

void GlPositions::read(std::vector<glm::vec4>& positions) const {
  positions.resize(count_);
  glBindBuffer(GL_COPY_READ_BUFFER, buffer_.get());
  glGetBufferSubData(GL_COPY_READ_BUFFER, 0, GLsizeiptr(count_ * sizeof(glm::vec4)), positions.data());
}

}  // namespace meniscus::picture
