// The border between the C interface and the engine: what a call may do to a scene, and how its errors come back as a result and a
// sentence. Every public function is one `call` around a lambda.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <stdexcept>
#include <string>

#include "engine/base/floating_point.h"
#include "meniscus/meniscus.h"

namespace meniscus::api {

// Thrown inside a call, ends as its result.
class Failure : public std::runtime_error {
 public:
  Failure(mnsResult r, const std::string& text) : std::runtime_error(text), result(r) {}
  mnsResult result;
};

template <class... Args>
[[noreturn]] void fail(mnsResult result, fmt::format_string<Args...> text, Args&&... args) {
  throw Failure(result, fmt::format(text, std::forward<Args>(args)...));
}

// The sentence of this thread's last failing call; cut where it is longer than kErrorBytes. Does not allocate.
constexpr std::size_t kErrorBytes = 8192;
void setError(const char* text) noexcept;
const char* lastError() noexcept;
// The exception being handled, as a result, with its sentence set.
mnsResult resultOfException() noexcept;

template <class F>
mnsResult call(const F& body) noexcept {
  const UsualArithmetic usual;
  try {
    return body();
  } catch (...) { return resultOfException(); }
}

// Checks of arguments; `what` names them in the sentence.
void needPointer(const void* p, const char* what);
void needFinite(double v, const char* what);
void needFinite(const mnsVec3& v, const char* what);
void needPositive(double v, const char* what);
void needNotNegative(double v, const char* what);
// Of `count` items that lie so many bytes apart, each with `size` of them. Throws where they overlap or lie farther apart than
// memory reaches.
void needStride(std::int64_t stride, std::int64_t size, std::int64_t count, const char* what);
// Of an array of T that is filled: a caller gives the size of its own T.
template <class T>
void needArrayOf(std::size_t stride, std::int64_t count, const char* what) {
  needStride(stride > std::size_t(INT64_MAX) ? INT64_MAX : std::int64_t(stride), std::int64_t(sizeof(T)), count, what);
}
// Text that is to be written in scene files and shown. Null is no text, and right.
void needUtf8(const char* text, const char* what);
// Throws where a body or particle would move faster than anything of this engine's [m/s]: what is faster, a step takes for a state
// that is not finite any more.
void needSpeed(double speed, const char* what);

}  // namespace meniscus::api
