// As much of OpenGL as writing buffer objects takes, in memory, with what can go wrong; and a device's door to its buffers.
#pragma once

#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "engine/exec/device_options.h"
#include "meniscus/meniscus_gl.h"

namespace meniscus::testing {

struct FakeGl {
  struct Buffer {
    std::vector<char> bytes;
    bool mapped = false, immutable = false;
  };
  std::map<unsigned, Buffer> buffers;
  unsigned bound = 0;
  bool current = true;       // a context is
  int group = 1;             // of contexts that share objects, the current one's
  int losses = 0;            // unmappings that will lose what was written
  int maps = 0;              // made
  std::string missing;       // function that the loader does not have
  const char* failing = "";  // what the device's door refuses: "open", "map", "unmap"
  int opened = 0, deviceMaps = 0, deviceUnmaps = 0;

  static FakeGl*& now() {
    static FakeGl* gl = nullptr;
    return gl;
  }
  FakeGl() { now() = this; }
  ~FakeGl() { now() = nullptr; }
  FakeGl(const FakeGl&) = delete;

  mnsGlBufferDef def(unsigned buffer, std::size_t bytes) {
    buffers[buffer].bytes.resize(bytes);
    mnsGlBufferDef d = mnsDefaultGlBufferDef();
    d.load = load;
    d.user = this;
    d.current = [](void*) -> void* {
      const FakeGl* gl = now();
      return gl->current ? reinterpret_cast<void*>(std::intptr_t(gl->group)) : nullptr;
    };
    d.buffer = buffer;
    return d;
  }
  // For DeviceOptions::graphics.
  SerialGraphics door() {
    return {this,
            [](void* user, std::uint32_t name) {
              auto* gl = static_cast<FakeGl*>(user);
              if (std::string(gl->failing) == "open") return false;
              gl->opened += int(gl->buffers.count(name));
              return gl->buffers.count(name) > 0;
            },
            [](void* user, std::uint32_t name, std::size_t* bytes) -> void* {
              auto* gl = static_cast<FakeGl*>(user);
              if (std::string(gl->failing) == "map") return nullptr;
              ++gl->deviceMaps;
              *bytes = gl->buffers[name].bytes.size();
              return gl->buffers[name].bytes.data();
            },
            [](void* user, std::uint32_t) {
              auto* gl = static_cast<FakeGl*>(user);
              ++gl->deviceUnmaps;
              return std::string(gl->failing) != "unmap";
            },
            [](void* user, std::uint32_t) { --static_cast<FakeGl*>(user)->opened; }};
  }

 private:
  static Buffer& boundOne() { return now()->buffers[now()->bound]; }
  static const unsigned char* getString(unsigned) {
    return now()->current ? reinterpret_cast<const unsigned char*>("4.3") : nullptr;
  }
  static unsigned char isBuffer(unsigned name) { return now()->current && now()->buffers.count(name) > 0; }
  static void getIntegerv(unsigned, int* value) { *value = int(now()->bound); }
  static void bindBuffer(unsigned, unsigned name) { now()->bound = name; }
  static void getBufferParameteri64v(unsigned, unsigned, std::int64_t* value) { *value = std::int64_t(boundOne().bytes.size()); }
  static void bufferData(unsigned, std::ptrdiff_t bytes, const void*, unsigned) {
    if (!boundOne().immutable) boundOne().bytes.assign(std::size_t(bytes), char(0x7f));
  }
  // What is invalidated is overwritten, as a driver may.
  static void* mapBufferRange(unsigned, std::ptrdiff_t offset, std::ptrdiff_t bytes, unsigned) {
    Buffer& b = boundOne();
    if (b.mapped || offset + bytes > std::ptrdiff_t(b.bytes.size()) || bytes == 0) return nullptr;
    b.mapped = true;
    ++now()->maps;
    std::memset(b.bytes.data() + offset, 0x7f, std::size_t(bytes));
    return b.bytes.data() + offset;
  }
  static unsigned char unmapBuffer(unsigned) {
    Buffer& b = boundOne();
    b.mapped = false;
    if (now()->losses == 0) return 1;
    --now()->losses;
    std::memset(b.bytes.data(), 0x7f, b.bytes.size());
    return 0;
  }
  template <class F>
  static mnsGlFunction* function(F* f) {
    return reinterpret_cast<mnsGlFunction*>(f);
  }
  static mnsGlFunction* load(void*, const char* name) {
    const std::string n = name;
    if (n == now()->missing) return nullptr;
    if (n == "glGetString") return function(getString);
    if (n == "glIsBuffer") return function(isBuffer);
    if (n == "glGetIntegerv") return function(getIntegerv);
    if (n == "glBindBuffer") return function(bindBuffer);
    if (n == "glGetBufferParameteri64v") return function(getBufferParameteri64v);
    if (n == "glBufferData") return function(bufferData);
    if (n == "glMapBufferRange") return function(mapBufferRange);
    if (n == "glUnmapBuffer") return function(unmapBuffer);
    return nullptr;
  }
};

}  // namespace meniscus::testing
