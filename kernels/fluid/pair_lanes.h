// The pairs of a row eight at a time.
#pragma once

#include "kernels/core/float8.h"
#include "kernels/fluid/pressure_pass.h"

MNS_NS_BEGIN

#if MNS_FLOAT8_AVX2
inline Vec8 spread(const Vec4f& a) { return {Float8(a.x), Float8(a.y), Float8(a.z)}; }

// f(c, j, both) for the count pairs of a row, which is padded to kRowUnit: their coefficients and numbers. both: false where only
// the first four are the row's; the others are then those, with c = 0.
template <class F>
inline void forEachPairLanes(const PairRow& row, Index count, const F& f) {
  static_assert(kRowUnit == 4 && sizeof(Pair) == 8);
  const auto coefficients = [](__m256 a, __m256 b) {
    return _mm256_castpd_ps(
        _mm256_permute4x64_pd(_mm256_castps_pd(_mm256_shuffle_ps(a, b, _MM_SHUFFLE(2, 0, 2, 0))), _MM_SHUFFLE(3, 1, 2, 0)));
  };
  const auto load = [](const Pair* a) { return _mm256_loadu_ps(&a->c); };
  const Index units = paddedRow(count) / kRowUnit;
  Index u = 0;
  for (; u + 2 <= units; u += 2) {
    const Pair *const a = row.unit(u), *const b = row.unit(u + 1);
    _mm_prefetch(reinterpret_cast<const char*>(a) + 1024, _MM_HINT_T0);
    const Index j[kLanes] = {a[0].j(), a[1].j(), a[2].j(), a[3].j(), b[0].j(), b[1].j(), b[2].j(), b[3].j()};
    f(Float8(coefficients(load(a), load(b))), j, true);
  }
  if (u < units) {
    const Pair* const a = row.unit(u);
    const Index j[kLanes] = {a[0].j(), a[1].j(), a[2].j(), a[3].j(), a[0].j(), a[1].j(), a[2].j(), a[3].j()};
    f(Float8(coefficients(load(a), _mm256_setzero_ps())), j, false);
  }
}
#endif

MNS_NS_END
