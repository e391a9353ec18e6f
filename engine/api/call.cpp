#include "engine/api/call.h"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <new>

#include "engine/base/error.h"

namespace meniscus::api {
namespace {

thread_local char errorText[kErrorBytes];

// Number of bytes of the character of UTF-8 that the text begins with; 0: it is none. Longer spellings of a code point than needed
// are none either (RFC 3629).
int utf8Length(const unsigned char* s) noexcept {
  const unsigned char c = s[0];
  const int n = c < 0x80 ? 1 : c >> 5 == 6 ? 2 : c >> 4 == 14 ? 3 : c >> 3 == 30 ? 4 : 0;
  constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  std::uint32_t point = n == 1 ? c : c & (0xffu >> (n + 1));
  for (int k = 1; k < n; ++k) {
    if ((s[k] & 0xc0) != 0x80) return 0;
    point = point << 6 | (s[k] & 0x3fu);
  }
  return n == 0 || point < least[n] || point > 0x10ffff || (point >= 0xd800 && point < 0xe000) ? 0 : n;
}

mnsResult failed(mnsResult result, const char* text) noexcept {
  setError(text);
  return result;
}

}  // namespace

// What is no UTF-8 comes from callers, as names and paths, and is shown as escapes.
void setError(const char* text) noexcept {
  const auto* s = reinterpret_cast<const unsigned char*>(text);
  std::size_t n = 0;
  while (*s) {
    const int right = utf8Length(s);
    char escape[8];
    const std::size_t length = right ? std::size_t(right) : std::size_t(std::snprintf(escape, sizeof escape, "\\x%02x", *s));
    if (n + length >= kErrorBytes) break;  // not within a character
    std::memcpy(errorText + n, right ? reinterpret_cast<const char*>(s) : escape, length);
    n += length;
    s += right ? right : 1;
  }
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
  } catch (const std::filesystem::filesystem_error& e) {
    // a file or folder that went away between two looks at it
    return failed(MNS_ERROR_FILE, e.what());
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
    const int n = utf8Length(s + i);
    if (n == 0) fail(MNS_ERROR_INVALID_ARGUMENT, "{} is not UTF-8 from byte {} on", what, i);
    i += std::size_t(n);
  }
}

void needSpeed(double speed, const char* what) {
  constexpr double kMost = 1e8;  // m/s
  if (!(speed <= kMost)) fail(MNS_ERROR_INVALID_ARGUMENT, "{} would be {:g} m/s; the most is {:g} m/s", what, speed, kMost);
}

}  // namespace meniscus::api
