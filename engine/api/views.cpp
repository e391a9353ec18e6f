#include "engine/api/views.h"

#include <cmath>
#include <cstring>
#include <limits>

namespace meniscus::api {

std::vector<Vec3d> vectorsOf(const mnsView* view, const char* what, const char* item) {
  needPointer(view, what);
  if (view->memory != MNS_MEMORY_HOST)
    fail(MNS_ERROR_DEVICE_MISMATCH, "{} is in memory of kind {}; this scene reads host memory", what, int(view->memory));
  if (view->format != MNS_FORMAT_FLOAT3 && view->format != MNS_FORMAT_FLOAT4)
    fail(MNS_ERROR_INVALID_ARGUMENT, "{} has the format {}; give MNS_FORMAT_FLOAT3 or MNS_FORMAT_FLOAT4", what, int(view->format));
  const std::int64_t size = view->format == MNS_FORMAT_FLOAT3 ? 12 : 16, stride = view->stride == 0 ? size : view->stride;
  if (view->count < 0 || view->count > std::numeric_limits<std::int32_t>::max())
    fail(MNS_ERROR_INVALID_ARGUMENT, "{} has the count {}", what, view->count);
  needStride(stride, size, view->count, what);
  if (!view->data && view->count > 0) fail(MNS_ERROR_INVALID_ARGUMENT, "the data of {} are null", what);
  std::vector<Vec3d> v(std::size_t(view->count));
  const char* from = static_cast<const char*>(view->data);
  for (std::size_t k = 0; k < v.size(); ++k) {
    float f[3];
    std::memcpy(f, from + k * std::size_t(stride), sizeof f);
    if (!std::isfinite(f[0]) || !std::isfinite(f[1]) || !std::isfinite(f[2]))
      fail(MNS_ERROR_INVALID_ARGUMENT, "{} of {} {} is ({}, {}, {}), which is not finite", what, item, k, f[0], f[1], f[2]);
    v[k] = {double(f[0]), double(f[1]), double(f[2])};
  }
  return v;
}

}  // namespace meniscus::api
