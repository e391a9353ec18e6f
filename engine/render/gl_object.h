// Names of OpenGL objects that are freed with their owner, in the context that made them.
#pragma once

#include <epoxy/gl.h>

#include <utility>

namespace meniscus::render {

template <class Kind>
class GlObject {
 public:
  GlObject() = default;
  GlObject(GlObject&& o) noexcept : id_(std::exchange(o.id_, 0)) {}
  GlObject& operator=(GlObject&& o) noexcept {
    std::swap(id_, o.id_);
    return *this;
  }
  ~GlObject() {
    if (id_) Kind::free(id_);
  }
  // Made when it is first asked for.
  GLuint get() {
    if (!id_) id_ = Kind::make();
    return id_;
  }
  bool made() const { return id_ != 0; }

 private:
  GLuint id_ = 0;
};

struct BufferKind {
  static GLuint make() {
    GLuint id = 0;
    glGenBuffers(1, &id);
    return id;
  }
  static void free(GLuint id) { glDeleteBuffers(1, &id); }
};
struct TextureKind {
  static GLuint make() {
    GLuint id = 0;
    glGenTextures(1, &id);
    return id;
  }
  static void free(GLuint id) { glDeleteTextures(1, &id); }
};
struct FrameBufferKind {
  static GLuint make() {
    GLuint id = 0;
    glGenFramebuffers(1, &id);
    return id;
  }
  static void free(GLuint id) { glDeleteFramebuffers(1, &id); }
};
struct VertexArrayKind {
  static GLuint make() {
    GLuint id = 0;
    glGenVertexArrays(1, &id);
    return id;
  }
  static void free(GLuint id) { glDeleteVertexArrays(1, &id); }
};

using FrameBuffer = GlObject<FrameBufferKind>;
using VertexArray = GlObject<VertexArrayKind>;
using Texture = GlObject<TextureKind>;

// A buffer that keeps its storage while what is put into it fits.
class Buffer {
 public:
  GLuint get() { return object_.get(); }
  void put(const void* data, std::size_t bytes) {
    glBindBuffer(GL_COPY_WRITE_BUFFER, get());
    if (bytes > capacity_) capacity_ = bytes + bytes / 4;
    // new storage each time: the driver need not wait for the frame that still reads the old one
    glBufferData(GL_COPY_WRITE_BUFFER, static_cast<GLsizeiptr>(capacity_), nullptr, GL_STREAM_DRAW);
    if (bytes) glBufferSubData(GL_COPY_WRITE_BUFFER, 0, static_cast<GLsizeiptr>(bytes), data);
  }
  // For what shaders write: at least so many bytes.
  void reserve(std::size_t bytes) {
    if (bytes <= capacity_ && object_.made()) return;
    glBindBuffer(GL_COPY_WRITE_BUFFER, get());
    if (bytes > capacity_) capacity_ = bytes + bytes / 4;
    glBufferData(GL_COPY_WRITE_BUFFER, static_cast<GLsizeiptr>(capacity_), nullptr, GL_DYNAMIC_COPY);
  }

 private:
  GlObject<BufferKind> object_;
  std::size_t capacity_ = 16;
};

}  // namespace meniscus::render
