// The pairs of a row eight at a time.
#pragma once

#include "kernels/core/float8.h"
#include "kernels/fluid/pressure_pass.h"

MNS_NS_BEGIN

#if MNS_FLOAT8_AVX2
inline Vec8 spread(const Vec4f& a) { return {Float8(a.x), Float8(a.y), Float8(a.z)}; }

// f(c, j, both) for the pairs [p, p + count), rows padded to kRowUnit: their coefficients and numbers. both: false where only the
// first four are the row's; the others are then those, with c = 0.
template <class F>
inline void forEachPairLanes(const Pair* p, Index count, const F& f) {
  static_assert(kRowUnit == 4 && sizeof(Pair) == 8);
  const auto coefficients = [](__m256 a, __m256 b) {
    return _mm256_castpd_ps(
        _mm256_permute4x64_pd(_mm256_castps_pd(_mm256_shuffle_ps(a, b, _MM_SHUFFLE(2, 0, 2, 0))), _MM_SHUFFLE(3, 1, 2, 0)));
  };
  const auto load = [](const Pair* a) { return _mm256_loadu_ps(&a->c); };
  const Pair* const end = p + paddedRow(count);
  for (; p + kLanes <= end; p += kLanes) {
    _mm_prefetch(reinterpret_cast<const char*>(p) + 1024, _MM_HINT_T0);
    const Index j[kLanes] = {p[0].j, p[1].j, p[2].j, p[3].j, p[4].j, p[5].j, p[6].j, p[7].j};
    f(Float8(coefficients(load(p), load(p + 4))), j, true);
  }
  if (p < end) {
    const Index j[kLanes] = {p[0].j, p[1].j, p[2].j, p[3].j, p[0].j, p[1].j, p[2].j, p[3].j};
    f(Float8(coefficients(load(p), _mm256_setzero_ps())), j, false);
  }
}
#endif

MNS_NS_END
