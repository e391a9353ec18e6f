// Arrays of particles and bodies: borrowed views, and copies into the caller's memory.
#include <cstring>
#include <iterator>

#include "engine/api/grid_scene.h"
#include "engine/api/objects.h"

using namespace meniscus;
using namespace meniscus::api;

namespace {

std::string nameOf(mnsFormat format) {
  constexpr const char* names[] = {"FLOAT", "FLOAT3", "FLOAT4", "UINT8", "UINT32", "INT32", "INT32X3", "INT32X4"};
  if (int(format) < 0 || int(format) >= int(std::size(names))) return fmt::format("format {}, which is none", int(format));
  return std::string("MNS_FORMAT_") + names[format];
}

mnsResult copy(const mnsView& from, const mnsView* to, int64_t* written) {
  needPointer(to, "to");
  if (to->memory != MNS_MEMORY_HOST)
    fail(MNS_ERROR_DEVICE_MISMATCH,
         "this call only writes to MNS_MEMORY_HOST, not to kind {}; see meniscus_gl.h and meniscus_cuda.h", int(to->memory));
  if (to->format != from.format)
    fail(MNS_ERROR_INVALID_ARGUMENT, "the view is of {}, but the field is of {}", nameOf(to->format), nameOf(from.format));
  const std::int64_t size = from.stride, stride = to->stride ? to->stride : size;
  const bool fits = to->count >= from.count;
  if (fits && from.count > 0) {
    needPointer(to->data, "data of the view");
    needStride(stride, size, from.count, "the view");
  }
  if (written) *written = from.count;
  if (!fits) fail(MNS_ERROR_BUFFER_TOO_SMALL, "there are {} items, but room for {}", from.count, to->count);
  if (from.count == 0) return MNS_OK;
  const char* source = static_cast<const char*>(from.data);
  char* target = static_cast<char*>(to->data);
  if (stride == size) {
    std::memcpy(target, source, std::size_t(size * from.count));
  } else {
    for (std::int64_t k = 0; k < from.count; ++k) std::memcpy(target + k * stride, source + k * size, std::size_t(size));
  }
  return MNS_OK;
}

mnsView bodyView(mnsScene& s, mnsBodyId body, mnsBodyField field) {
  const std::int32_t order = s.bodies.at(body, s.serial, "body").order;
  if (onGrid(s)) {
    GridRunning& g = startedGrid(s);
    return g.published.body(*g.run, order, field);
  }
  return s.published.body(started(s).world, order, field);
}

}  // namespace

extern "C" {

mnsResult mnsScene_GetParticles(mnsScene* scene, mnsParticleField field, mnsView* view) {
  return read(scene, [&](mnsScene& s) {
    needPointer(view, "view");
    *view = s.published.particles(started(s).world, field);
    return MNS_OK;
  });
}

mnsResult mnsBody_GetArray(mnsScene* scene, mnsBodyId body, mnsBodyField field, mnsView* view) {
  return read(scene, [&](mnsScene& s) {
    needPointer(view, "view");
    *view = bodyView(s, body, field);
    return MNS_OK;
  });
}

mnsResult mnsScene_CopyParticles(mnsScene* scene, mnsParticleField field, const mnsView* to, int64_t* written) {
  return read(scene, [&](mnsScene& s) { return copy(s.published.particles(started(s).world, field), to, written); });
}

mnsResult mnsBody_CopyArray(mnsScene* scene, mnsBodyId body, mnsBodyField field, const mnsView* to, int64_t* written) {
  return read(scene, [&](mnsScene& s) { return copy(bodyView(s, body, field), to, written); });
}

}  // extern "C"
