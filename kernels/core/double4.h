// Four doubles in one register, and the way between four vectors and their coordinates in registers. Every operation is one of a
// lane: the bits are those of scalar code, with and without AVX2.
#pragma once

#include <cmath>

#if defined(__AVX2__) && !defined(__CUDACC__)
#define MNS_DOUBLE4_AVX2 1
#include <immintrin.h>
#else
#define MNS_DOUBLE4_AVX2 0
#endif

#include "kernels/core/vec.h"

MNS_NS_BEGIN

struct Double4 {
  static constexpr Index lanes = 4;
#if MNS_DOUBLE4_AVX2
  __m256d v;
  Double4() : v(_mm256_setzero_pd()) {}
  explicit Double4(double a) : v(_mm256_set1_pd(a)) {}
  explicit Double4(__m256d a) : v(a) {}
  static Double4 load(const double* a) { return Double4(_mm256_loadu_pd(a)); }
  void store(double* a) const { _mm256_storeu_pd(a, v); }
  friend Double4 operator+(Double4 a, Double4 b) { return Double4(_mm256_add_pd(a.v, b.v)); }
  friend Double4 operator-(Double4 a, Double4 b) { return Double4(_mm256_sub_pd(a.v, b.v)); }
  friend Double4 operator*(Double4 a, Double4 b) { return Double4(_mm256_mul_pd(a.v, b.v)); }
  friend Double4 operator/(Double4 a, Double4 b) { return Double4(_mm256_div_pd(a.v, b.v)); }
  friend Double4 operator-(Double4 a) { return Double4(_mm256_xor_pd(a.v, _mm256_set1_pd(-0.0))); }
  friend Double4 sqrt(Double4 a) { return Double4(_mm256_sqrt_pd(a.v)); }
  // b where a > 0, else c
  friend Double4 wherePositive(Double4 a, Double4 b, Double4 c) {
    return Double4(_mm256_blendv_pd(c.v, b.v, _mm256_cmp_pd(a.v, _mm256_setzero_pd(), _CMP_GT_OQ)));
  }
#else
  double v[lanes];
  Double4() : v{} {}
  explicit Double4(double a) : v{a, a, a, a} {}
  static Double4 load(const double* a) {
    Double4 r;
    for (Index l = 0; l < lanes; ++l) r.v[l] = a[l];
    return r;
  }
  void store(double* a) const {
    for (Index l = 0; l < lanes; ++l) a[l] = v[l];
  }
  template <class F>
  static Double4 each(const F& f) {
    Double4 r;
    for (Index l = 0; l < lanes; ++l) r.v[l] = f(l);
    return r;
  }
  friend Double4 operator+(const Double4& a, const Double4& b) {
    return each([&](Index l) { return a.v[l] + b.v[l]; });
  }
  friend Double4 operator-(const Double4& a, const Double4& b) {
    return each([&](Index l) { return a.v[l] - b.v[l]; });
  }
  friend Double4 operator*(const Double4& a, const Double4& b) {
    return each([&](Index l) { return a.v[l] * b.v[l]; });
  }
  friend Double4 operator/(const Double4& a, const Double4& b) {
    return each([&](Index l) { return a.v[l] / b.v[l]; });
  }
  friend Double4 operator-(const Double4& a) {
    return each([&](Index l) { return -a.v[l]; });
  }
  friend Double4 sqrt(const Double4& a) {
    return each([&](Index l) { return std::sqrt(a.v[l]); });
  }
  friend Double4 wherePositive(const Double4& a, const Double4& b, const Double4& c) {
    return each([&](Index l) { return a.v[l] > 0 ? b.v[l] : c.v[l]; });
  }
#endif
};

// Four vectors.
struct Vec3x4 {
  Double4 x, y, z;

  friend Vec3x4 operator+(const Vec3x4& a, const Vec3x4& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend Vec3x4 operator-(const Vec3x4& a, const Vec3x4& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend Vec3x4 operator-(const Vec3x4& a) { return {-a.x, -a.y, -a.z}; }
  friend Vec3x4 operator*(const Vec3x4& a, Double4 s) { return {a.x * s, a.y * s, a.z * s}; }
  friend Double4 dot(const Vec3x4& a, const Vec3x4& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
};

// Two doubles each, at a + stride at[0], ...
inline void gatherPairs(const double* a, Index stride, const Index* at, Double4& first, Double4& second) {
#if MNS_DOUBLE4_AVX2
  const auto pair = [&](int l) { return _mm_loadu_pd(a + Offset(stride) * at[l]); };
  const __m256d p = _mm256_insertf128_pd(_mm256_castpd128_pd256(pair(0)), pair(2), 1),
                q = _mm256_insertf128_pd(_mm256_castpd128_pd256(pair(1)), pair(3), 1);
  first = Double4(_mm256_unpacklo_pd(p, q));
  second = Double4(_mm256_unpackhi_pd(p, q));
#else
  first = Double4::each([&](Index l) { return a[Offset(stride) * at[l]]; });
  second = Double4::each([&](Index l) { return a[Offset(stride) * at[l] + 1]; });
#endif
}
inline Vec3x4 gather(const Vec3d* a, const Index* at) {
  Vec3x4 r;
  gatherPairs(&a->x, 3, at, r.x, r.y);
#if MNS_DOUBLE4_AVX2
  r.z = Double4(_mm256_setr_pd(a[at[0]].z, a[at[1]].z, a[at[2]].z, a[at[3]].z));
#else
  r.z = Double4::each([&](Index l) { return a[at[l]].z; });
#endif
  return r;
}
// The first n of them back.
inline void scatter(const Vec3x4& v, Vec3d* a, const Index* at, Index n) {
  alignas(32) double x[4], y[4], z[4];
  v.x.store(x);
  v.y.store(y);
  v.z.store(z);
  for (Index l = 0; l < n; ++l) a[at[l]] = {x[l], y[l], z[l]};
}

MNS_NS_END
