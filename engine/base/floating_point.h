// The arithmetic that the engine's bits and its limits hang on: rounding to nearest, denormal numbers as they are, no traps. Hosts
// change it for their own threads (jobs of games flush denormals to zero).
#pragma once

#if defined(__SSE2__)
#include <immintrin.h>
#else
#include <cfenv>
#endif

namespace meniscus {

// As long as one lives, this thread computes so. What it had is given back, its flags of raised exceptions as well.
class UsualArithmetic {
 public:
#if defined(__SSE2__)
  UsualArithmetic() noexcept : before_(_mm_getcsr()) {
    if ((before_ & ~kFlags) != kUsual) _mm_setcsr(kUsual);
  }
  ~UsualArithmetic() {
    if ((before_ & ~kFlags) != kUsual) _mm_setcsr(before_);
  }
#else
  UsualArithmetic() noexcept {
    std::fegetenv(&before_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~UsualArithmetic() { std::fesetenv(&before_); }
#endif
  UsualArithmetic(const UsualArithmetic&) = delete;
  UsualArithmetic& operator=(const UsualArithmetic&) = delete;

 private:
#if defined(__SSE2__)
  static constexpr unsigned kFlags = 0x3f, kUsual = 0x1f80;  // all exceptions masked
  unsigned before_;
#else
  std::fenv_t before_;
#endif
};

}  // namespace meniscus
