// The few functions of OpenGL that writing a buffer object takes, found by the host's loader.
#pragma once

#include <cstddef>
#include <cstdint>

#include "meniscus/meniscus_gl.h"

#if defined(_WIN32)
#define MNS_GL_CALL __stdcall
#else
#define MNS_GL_CALL
#endif

namespace meniscus::api {

struct GlFunctions {
  // Throws Failure(INVALID_ARGUMENT), naming a function that the loader does not have.
  GlFunctions(mnsGlLoad* load, void* user);

  const unsigned char*(MNS_GL_CALL* getString)(unsigned name);
  unsigned char(MNS_GL_CALL* isBuffer)(unsigned buffer);
  void(MNS_GL_CALL* getIntegerv)(unsigned name, int* value);
  void(MNS_GL_CALL* bindBuffer)(unsigned target, unsigned buffer);
  void(MNS_GL_CALL* getBufferParameteri64v)(unsigned target, unsigned name, std::int64_t* value);
  void(MNS_GL_CALL* bufferData)(unsigned target, std::ptrdiff_t bytes, const void* data, unsigned usage);
  void*(MNS_GL_CALL* mapBufferRange)(unsigned target, std::ptrdiff_t offset, std::ptrdiff_t bytes, unsigned access);
  unsigned char(MNS_GL_CALL* unmapBuffer)(unsigned target);
};

// The buffer object at a target that nothing else of OpenGL looks at; what was bound there is bound again at the end.
class BoundBuffer {
 public:
  BoundBuffer(const GlFunctions& gl, std::uint32_t buffer);
  ~BoundBuffer();
  BoundBuffer(const BoundBuffer&) = delete;
  BoundBuffer& operator=(const BoundBuffer&) = delete;

  std::int64_t size() const;  // bytes
  // Whether it has this size now, with undefined contents.
  bool resize(std::int64_t bytes) const;
  enum class Outcome { written, refused, lost };
  // Bytes to `offset` on; what follows them up to `room` is undefined afterwards, so that nobody has to wait for what is drawn of
  // it.
  Outcome write(std::int64_t offset, std::int64_t room, const void* from, std::int64_t bytes) const;

 private:
  const GlFunctions& gl_;
  int before_ = 0;
};

}  // namespace meniscus::api
