// The serial device's door to a real context of OpenGL: what a driver does for a device of its own.
#pragma once

// epoxy first: its declarations clash with those of the system
#include <epoxy/gl.h>

#include <cstddef>
#include <cstdint>

#include "engine/exec/device_options.h"

namespace meniscus::testing {

// The buffer's memory, while it is mapped.
inline const SerialGraphics kGlDoor = {nullptr, [](void*, std::uint32_t name) { return glIsBuffer(name) == GL_TRUE; },
                                       [](void*, std::uint32_t name, std::size_t* bytes) -> void* {
                                         GLint64 size = 0;
                                         glBindBuffer(GL_ARRAY_BUFFER, name);
                                         glGetBufferParameteri64v(GL_ARRAY_BUFFER, GL_BUFFER_SIZE, &size);
                                         *bytes = std::size_t(size);
                                         return glMapBufferRange(GL_ARRAY_BUFFER, 0, GLsizeiptr(size), GL_MAP_WRITE_BIT);
                                       },
                                       [](void*, std::uint32_t name) {
                                         glBindBuffer(GL_ARRAY_BUFFER, name);
                                         return glUnmapBuffer(GL_ARRAY_BUFFER) == GL_TRUE;
                                       },
                                       [](void*, std::uint32_t) {}};

}  // namespace meniscus::testing
