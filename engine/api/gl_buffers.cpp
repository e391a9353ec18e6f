// Buffer objects of the host's, written by the device that steps the scene or from the host's views.
#include "engine/api/gl_buffers.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "engine/api/defs.h"
#include "engine/api/objects.h"
#include "engine/base/error.h"

namespace meniscus::api {

GlBuffer::GlBuffer(const mnsGlBufferDef& d) : def(d), gl(d.load, d.user), context(d.current ? d.current(d.user) : nullptr) {
  if (d.current && !context) fail(MNS_ERROR_INVALID_HANDLE, "no OpenGL context is current on this thread");
  info.structSize = sizeof info;
  info.buffer = d.buffer;
}

void GlBuffer::needContext() const {
  if (def.current && def.current(def.user) != context)
    fail(MNS_ERROR_DEVICE_MISMATCH,
         "buffer object {} belongs to another OpenGL context than the one that is current on this thread", def.buffer);
  constexpr unsigned kVersion = 0x1F02;
  if (!gl.getString(kVersion)) fail(MNS_ERROR_INVALID_HANDLE, "no OpenGL context is current on this thread");
  if (!gl.isBuffer(def.buffer))
    fail(MNS_ERROR_INVALID_HANDLE,
         "{} is no buffer object of the OpenGL context that is current on this thread: it was deleted, was never bound, or is of "
         "another context",
         def.buffer);
}

namespace {

void checkDef(const mnsScene& s, const mnsGlBufferDef& d) {
  if (!d.load) fail(MNS_ERROR_INVALID_ARGUMENT, "load is null; it finds OpenGL's functions");
  if (MNS_IS_NULL(d.body)) {
    needField(d.particleField);
  } else {
    needField(d.bodyField);
    s.bodies.at(d.body, s.serial, "body");
  }
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max() / 4;
  if (d.offset < 0 || d.offset % 16 != 0 || d.offset > kMost)
    fail(MNS_ERROR_INVALID_ARGUMENT, "offset is {}; it must be a multiple of 16, not negative", d.offset);
  if (d.bytes < 0 || d.bytes > kMost) fail(MNS_ERROR_INVALID_ARGUMENT, "bytes is {}; it must not be negative", d.bytes);
  if (d.grow && (d.offset != 0 || d.bytes != 0))
    fail(MNS_ERROR_INVALID_ARGUMENT, "a buffer that grows loses what else is in it; its offset and bytes must be 0");
}

// What is to be written: an array of the host's, or where a device can make it a field of the particles.
struct Source {
  std::int64_t count = 0;
  mnsFormat format = MNS_FORMAT_FLOAT;
  std::optional<DeviceField> field;
  mnsView view{};  // of arrays that are on the host only
};

Source sourceOf(mnsScene& s, const mnsGlBufferDef& d) {
  const World& w = started(s).world;
  Source from;
  if (MNS_IS_NULL(d.body)) {
    from.count = w.fluid.n;
    from.format = formatOf(d.particleField);
    from.field = onDevice(d.particleField);
  } else {
    from.view = s.published.body(w, s.bodies.at(d.body, s.serial, "body").order, d.bodyField);
    from.count = from.view.count;
    from.format = from.view.format;
  }
  return from;
}

void makeRoom(GlBuffer& b, const BoundBuffer& bound) {
  mnsGlBufferInfo& info = b.info;
  std::int64_t size = bound.size();
  const auto roomOf = [&](std::int64_t bytes) {
    const std::int64_t rest = std::max<std::int64_t>(0, bytes - b.def.offset);
    return b.def.bytes > 0 ? std::min(rest, b.def.bytes) : rest;
  };
  info.room = roomOf(size);
  if (info.needed <= info.room) return;
  if (!b.def.grow)
    fail(MNS_ERROR_BUFFER_TOO_SMALL, "the array takes {} bytes, but buffer object {} has room for {}", info.needed, b.def.buffer,
         info.room);
  b.shared.reset();  // of the storage that goes
  const std::int64_t larger = info.needed + info.needed / 4;
  if (!bound.resize(larger))
    fail(MNS_ERROR_OUT_OF_MEMORY,
         "buffer object {} cannot grow to {} bytes: OpenGL has no memory left, or its storage is immutable or mapped", b.def.buffer,
         larger);
  info.room = roomOf(larger);
}

// Into info.reason, cut where it is longer. Does not allocate.
template <class... Args>
bool notShared(GlBuffer& b, fmt::format_string<Args...> text, const Args&... args) {
  b.shared.reset();
  const auto end = fmt::format_to_n(b.info.reason, sizeof b.info.reason - 1, text, args...).out;
  *end = 0;
  return false;
}

// False where it has to be uploaded, with info.reason.
bool writeShared(mnsScene& s, GlBuffer& b, const Source& from, std::int64_t size) {
  if (!b.def.share) return notShared(b, "sharing was not asked for (mnsGlBufferDef::share)");
  const char* why = "";
  DeviceSolver* const device = deviceNow(s, why);
  if (!device) return notShared(b, "the scene runs on the CPU, because {}", why);
  if (!from.field) return notShared(b, "this array is made on the host");
  if (size != b.sharedSize) {
    b.shared.reset();
    b.whyNot.clear();
    b.sharedSize = size;
  }
  if (!b.whyNot.empty()) return notShared(b, "{}", b.whyNot);
  try {
    if (!b.shared) b.shared = std::make_unique<SharedBuffer>(*device, b.def.buffer);
    b.info.count = b.shared->write(*device, started(s).world, *from.field, b.def.offset, b.info.room);
  } catch (const Error& e) {
    if (e.kind != ErrorKind::deviceNotAvailable) throw;
    b.whyNot = e.what();
    MNS_LOG(*s.context, MNS_LOG_INFO, "device", fmt::format("OpenGL buffer {} is uploaded, because {}", b.def.buffer, b.whyNot));
    return notShared(b, "{}", b.whyNot);
  }
  b.info.reason[0] = 0;
  return true;
}

void upload(mnsScene& s, GlBuffer& b, const Source& from, const BoundBuffer& bound) {
  const mnsView view = MNS_IS_NULL(b.def.body) ? s.published.particles(started(s).world, b.def.particleField) : from.view;
  if (b.info.needed == 0) return;
  for (int attempt = 0; attempt < 2; ++attempt) {
    switch (bound.write(b.def.offset, b.info.room, view.data, b.info.needed)) {
      case BoundBuffer::Outcome::written:
        return;
      case BoundBuffer::Outcome::refused:
        fail(MNS_ERROR_INVALID_ARGUMENT,
             "OpenGL does not map buffer object {} for writing: it is mapped, or its storage forbids it", b.def.buffer);
      case BoundBuffer::Outcome::lost:
        break;  // the screen's mode has changed, or the like: once more
    }
  }
  fail(MNS_ERROR_INVALID_HANDLE, "OpenGL has lost what was written to buffer object {}, twice", b.def.buffer);
}

void update(mnsScene& s, GlBuffer& b) {
  const Source from = sourceOf(s, b.def);
  b.needContext();
  b.info.format = from.format;
  b.info.needed = from.count * sizeOf(from.format);
  const BoundBuffer bound(b.gl, b.def.buffer);
  makeRoom(b, bound);
  b.info.count = from.count;
  b.info.way = writeShared(s, b, from, bound.size()) ? MNS_GL_SHARED : MNS_GL_UPLOAD;
  if (b.info.way == MNS_GL_UPLOAD) upload(s, b, from, bound);
  ++b.info.updates;
}

GlBuffer& at(mnsScene& s, mnsGlBufferId id) {
  return *s.glBuffers.list[std::size_t(s.glBuffers.ids.at(id, s.serial, "OpenGL buffer").order)];
}

// body(scene) beside other calls that read, one at a time.
template <class F>
mnsResult readAlone(mnsScene* scene, const F& body) noexcept {
  return read(scene, [&](mnsScene& s) {
    const std::lock_guard<std::mutex> lock(s.deviceMutex);
    return body(s);
  });
}

}  // namespace
}  // namespace meniscus::api

using namespace meniscus::api;

extern "C" {

mnsResult mnsRegisterGlBuffer(mnsScene* scene, const mnsGlBufferDef* given, mnsGlBufferId* id) {
  return readAlone(scene, [&](mnsScene& s) {
    needPointer(id, "buffer");
    const mnsGlBufferDef def = checked(given, "mnsGlBufferDef");
    checkDef(s, def);
    auto buffer = std::make_unique<GlBuffer>(def);
    buffer->needContext();
    GlBuffers& all = s.glBuffers;
    all.ids.reserveOne();
    const auto order = std::int32_t(all.list.size());
    all.list.push_back(std::move(buffer));
    all.ids.add(order, nullptr);
    *id = all.ids.idOfOrder<mnsGlBufferId>(order, s.serial);
    return MNS_OK;
  });
}

mnsResult mnsGlBuffer_Update(mnsScene* scene, mnsGlBufferId buffer, int64_t* written) {
  return readAlone(scene, [&](mnsScene& s) {
    GlBuffer& b = at(s, buffer);
    update(s, b);
    if (written) *written = b.info.count;
    return MNS_OK;
  });
}

mnsResult mnsGlBuffer_GetInfo(mnsScene* scene, mnsGlBufferId buffer, mnsGlBufferInfo* info) {
  return readAlone(scene, [&](mnsScene& s) {
    giveOut(info, at(s, buffer).info, "mnsGlBufferInfo");
    return MNS_OK;
  });
}

bool mnsGlBuffer_IsValid(mnsScene* scene, mnsGlBufferId buffer) {
  bool valid = false;
  readAlone(scene, [&](mnsScene& s) {
    valid = s.glBuffers.ids.find(buffer, s.serial) != nullptr;
    return MNS_OK;
  });
  return valid;
}

mnsResult mnsUnregisterGlBuffer(mnsScene* scene, mnsGlBufferId buffer) {
  return readAlone(scene, [&](mnsScene& s) {
    GlBuffers& all = s.glBuffers;
    const std::int32_t order = all.ids.at(buffer, s.serial, "OpenGL buffer").order;
    all.list.erase(all.list.begin() + order);
    all.ids.remove(buffer.index);
    return MNS_OK;
  });
}

}  // extern "C"
