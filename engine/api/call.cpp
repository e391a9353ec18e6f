#include "engine/api/call.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <new>

#include "engine/base/error.h"

namespace meniscus::api {
namespace {

thread_local char errorText[kErrorBytes];

mnsResult failed(mnsResult result, const char* text) noexcept {
  setError(text);
  return result;
}

}  // namespace

void setError(const char* text) noexcept {
  std::size_t n = std::strlen(text);
  if (n >= kErrorBytes) {
    n = kErrorBytes - 1;
    while (n > 0 && (static_cast<unsigned char>(text[n]) & 0xc0) == 0x80) --n;  // not within a UTF-8 character
  }
  std::memcpy(errorText, text, n);
  errorText[n] = 0;
}

const char* lastError() noexcept { return errorText; }

mnsResult resultOfException() noexcept {
  try {
    throw;
  } catch (const Failure& e) { return failed(e.result, e.what()); } catch (const Error& e) {
    switch (e.kind) {
      case ErrorKind::input:
        return failed(MNS_ERROR_SCENE, e.what());
      case ErrorKind::simulation:
        return failed(MNS_ERROR_SIMULATION, e.what());
      case ErrorKind::deviceNotAvailable:
        return failed(MNS_ERROR_DEVICE_NOT_AVAILABLE, e.what());
      case ErrorKind::internal:
        break;
    }
    return failed(MNS_ERROR_INTERNAL, e.what());
  } catch (const std::bad_alloc&) { return failed(MNS_ERROR_OUT_OF_MEMORY, "out of memory"); } catch (const std::length_error&) {
    return failed(MNS_ERROR_OUT_OF_MEMORY, "out of memory: an array would be larger than the address space");
  } catch (const std::exception& e) { return failed(MNS_ERROR_INTERNAL, e.what()); } catch (...) {
    return failed(MNS_ERROR_INTERNAL, "an exception of an unknown type");
  }
}

void needPointer(const void* p, const char* what) {
  if (!p) fail(MNS_ERROR_INVALID_ARGUMENT, "{} is null", what);
}

void needFinite(double v, const char* what) {
  if (!std::isfinite(v)) fail(MNS_ERROR_INVALID_ARGUMENT, "{} is {}, which is not finite", what, v);
}

void needFinite(const mnsVec3& v, const char* what) {
  if (!std::isfinite(v.x) || !std::isfinite(v.y) || !std::isfinite(v.z))
    fail(MNS_ERROR_INVALID_ARGUMENT, "{} is ({}, {}, {}), which is not finite", what, v.x, v.y, v.z);
}

void needPositive(double v, const char* what) {
  needFinite(v, what);
  if (!(v > 0)) fail(MNS_ERROR_INVALID_ARGUMENT, "{} is {}; it must be > 0", what, v);
}

void needNotNegative(double v, const char* what) {
  needFinite(v, what);
  if (!(v >= 0)) fail(MNS_ERROR_INVALID_ARGUMENT, "{} is {}; it must not be negative", what, v);
}

void needStride(std::int64_t stride, std::int64_t size, std::int64_t count, const char* what) {
  constexpr std::int64_t kMemory = std::int64_t(1) << 47;  // bytes that a process can address
  if (stride < size) fail(MNS_ERROR_INVALID_ARGUMENT, "the stride of {} is {} bytes; an item has {}", what, stride, size);
  if (count > 0 && stride > kMemory / count)
    fail(MNS_ERROR_INVALID_ARGUMENT, "the stride of {} is {} bytes; {} items lie beyond all memory", what, stride, count);
}

void needUtf8(const char* text, const char* what) {
  if (!text) return;
  const auto* s = reinterpret_cast<const unsigned char*>(text);
  for (std::size_t i = 0; s[i];) {
    // number of bytes, and least code point of as many: longer spellings are not allowed (RFC 3629)
    const unsigned char c = s[i];
    const int n = c < 0x80 ? 1 : c >> 5 == 6 ? 2 : c >> 4 == 14 ? 3 : c >> 3 == 30 ? 4 : 0;
    constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    std::uint32_t point = n == 1 ? c : c & (0xffu >> (n + 1));
    bool right = n > 0;
    for (int k = 1; right && k < n; ++k) {
      right = (s[i + std::size_t(k)] & 0xc0) == 0x80;
      point = point << 6 | (s[i + std::size_t(k)] & 0x3fu);
    }
    if (!right || point < least[n] || point > 0x10ffff || (point >= 0xd800 && point < 0xe000))
      fail(MNS_ERROR_INVALID_ARGUMENT, "{} is not UTF-8 from byte {} on", what, i);
    i += std::size_t(n);
  }
}

void needSpeed(double speed, const char* what) {
  constexpr double kMost = 1e8;  // m/s
  if (!(speed <= kMost)) fail(MNS_ERROR_INVALID_ARGUMENT, "{} would be {:g} m/s; the most is {:g} m/s", what, speed, kMost);
}

}  // namespace meniscus::api
