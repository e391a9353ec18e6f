#include "engine/api/gl_functions.h"

#include <cstring>

#include "engine/api/call.h"

namespace meniscus::api {
namespace {

// The numbers of the registry: https://registry.khronos.org/OpenGL/xml/gl.xml
constexpr unsigned kCopyWriteBuffer = 0x8F37, kCopyWriteBufferBinding = 0x8F37;
constexpr unsigned kBufferSize = 0x8764;
constexpr unsigned kStreamDraw = 0x88E0;
constexpr unsigned kMapWrite = 0x2, kMapInvalidateRange = 0x4;

template <class Function>
void find(mnsGlLoad* load, void* user, const char* name, Function& to) {
  mnsGlFunction* const found = load(user, name);
  if (!found)
    fail(MNS_ERROR_INVALID_ARGUMENT, "the loader has no {}; it takes OpenGL 3.1 or OpenGL ES 3.0, and a context that is current",
         name);
  to = reinterpret_cast<Function>(found);
}

}  // namespace

GlFunctions::GlFunctions(mnsGlLoad* load, void* user) {
  find(load, user, "glGetString", getString);
  find(load, user, "glIsBuffer", isBuffer);
  find(load, user, "glGetIntegerv", getIntegerv);
  find(load, user, "glBindBuffer", bindBuffer);
  find(load, user, "glGetBufferParameteri64v", getBufferParameteri64v);
  find(load, user, "glBufferData", bufferData);
  find(load, user, "glMapBufferRange", mapBufferRange);
  find(load, user, "glUnmapBuffer", unmapBuffer);
}

BoundBuffer::BoundBuffer(const GlFunctions& gl, std::uint32_t buffer) : gl_(gl) {
  gl_.getIntegerv(kCopyWriteBufferBinding, &before_);
  gl_.bindBuffer(kCopyWriteBuffer, buffer);
}

BoundBuffer::~BoundBuffer() { gl_.bindBuffer(kCopyWriteBuffer, unsigned(before_)); }

std::int64_t BoundBuffer::size() const {
  std::int64_t bytes = 0;
  gl_.getBufferParameteri64v(kCopyWriteBuffer, kBufferSize, &bytes);
  return bytes;
}

bool BoundBuffer::resize(std::int64_t bytes) const {
  gl_.bufferData(kCopyWriteBuffer, std::ptrdiff_t(bytes), nullptr, kStreamDraw);
  return size() == bytes;
}

BoundBuffer::Outcome BoundBuffer::write(std::int64_t offset, std::int64_t room, const void* from, std::int64_t bytes) const {
  void* const to =
      gl_.mapBufferRange(kCopyWriteBuffer, std::ptrdiff_t(offset), std::ptrdiff_t(room), kMapWrite | kMapInvalidateRange);
  if (!to) return Outcome::refused;
  std::memcpy(to, from, std::size_t(bytes));
  return gl_.unmapBuffer(kCopyWriteBuffer) ? Outcome::written : Outcome::lost;
}

}  // namespace meniscus::api
