// Eight floats in one register, and the way between eight vectors of four and their coordinates in registers. What is written with
// it has the same bits with and without AVX2: every operation is one of a lane.
#pragma once

#if defined(__AVX2__) && defined(__FMA__) && !defined(__CUDACC__)
#define MNS_FLOAT8_AVX2 1
#include <immintrin.h>
#else
#define MNS_FLOAT8_AVX2 0
#include <cmath>
#endif

#include "kernels/core/lanes.h"
#include "kernels/core/vec4.h"

MNS_NS_BEGIN

constexpr Index laneGroups(Index n) { return (n + kLanes - 1) / kLanes; }

struct Float8 {
#if MNS_FLOAT8_AVX2
  __m256 v;
  Float8() : v(_mm256_setzero_ps()) {}
  explicit Float8(float a) : v(_mm256_set1_ps(a)) {}
  explicit Float8(__m256 a) : v(a) {}
  static Float8 load(const float* a) { return Float8(_mm256_loadu_ps(a)); }
  void store(float* a) const { _mm256_storeu_ps(a, v); }
  friend Float8 operator+(Float8 a, Float8 b) { return Float8(_mm256_add_ps(a.v, b.v)); }
  friend Float8 operator-(Float8 a, Float8 b) { return Float8(_mm256_sub_ps(a.v, b.v)); }
  friend Float8 operator*(Float8 a, Float8 b) { return Float8(_mm256_mul_ps(a.v, b.v)); }
  // *this += b s, rounded as Vec4f::addScaled does
  Float8& addScaled(Float8 b, Float8 s) {
    v = _mm256_fmadd_ps(b.v, s.v, v);
    return *this;
  }
#else
  float v[kLanes];
  Float8() : v{} {}
  explicit Float8(float a) {
    for (float& l : v) l = a;
  }
  static Float8 load(const float* a) {
    Float8 r;
    for (int l = 0; l < kLanes; ++l) r.v[l] = a[l];
    return r;
  }
  void store(float* a) const {
    for (int l = 0; l < kLanes; ++l) a[l] = v[l];
  }
  friend Float8 operator+(Float8 a, const Float8& b) {
    for (int l = 0; l < kLanes; ++l) a.v[l] += b.v[l];
    return a;
  }
  friend Float8 operator-(Float8 a, const Float8& b) {
    for (int l = 0; l < kLanes; ++l) a.v[l] -= b.v[l];
    return a;
  }
  friend Float8 operator*(Float8 a, const Float8& b) {
    for (int l = 0; l < kLanes; ++l) a.v[l] *= b.v[l];
    return a;
  }
  Float8& addScaled(const Float8& b, const Float8& s) {
    for (int l = 0; l < kLanes; ++l)
#if defined(__FMA__)
      v[l] = std::fma(b.v[l], s.v[l], v[l]);
#else
      v[l] += b.v[l] * s.v[l];
#endif
    return *this;
  }
#endif
};

// a[at[0]], ..., a[at[7]]
inline Float8 gather(const float* a, const Index* at) {
#if MNS_FLOAT8_AVX2
  return Float8(_mm256_setr_ps(a[at[0]], a[at[1]], a[at[2]], a[at[3]], a[at[4]], a[at[5]], a[at[6]], a[at[7]]));
#else
  Float8 r;
  for (int l = 0; l < kLanes; ++l) r.v[l] = a[at[l]];
  return r;
#endif
}

// Eight vectors of three.
struct Vec8 {
  Float8 x, y, z;

  static Vec8 load(const float (&a)[3][kLanes]) { return {Float8::load(a[0]), Float8::load(a[1]), Float8::load(a[2])}; }
  void store(float (&a)[3][kLanes]) const {
    x.store(a[0]);
    y.store(a[1]);
    z.store(a[2]);
  }
  friend Vec8 operator+(const Vec8& a, const Vec8& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend Vec8 operator-(const Vec8& a, const Vec8& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend Vec8 operator*(const Vec8& a, Float8 s) { return {a.x * s, a.y * s, a.z * s}; }
  Vec8& addScaled(const Vec8& b, Float8 s) {
    x.addScaled(b.x, s);
    y.addScaled(b.y, s);
    z.addScaled(b.z, s);
    return *this;
  }
  // in the order of (a * b).sum() of two Vec4f with w = 0
  friend Float8 dot(const Vec8& a, const Vec8& b) { return (a.x * b.x + a.z * b.z) + a.y * b.y; }
};

#if MNS_FLOAT8_AVX2
namespace float8 {
// Four registers of two vectors each (those of lanes l and l + 4) to three of coordinates.
inline Vec8 coordinates(__m256 a, __m256 b, __m256 c, __m256 d) {
  const __m256d p = _mm256_castps_pd(_mm256_unpacklo_ps(a, b)), q = _mm256_castps_pd(_mm256_unpacklo_ps(c, d)),
                r = _mm256_castps_pd(_mm256_unpackhi_ps(a, b)), s = _mm256_castps_pd(_mm256_unpackhi_ps(c, d));
  return {Float8(_mm256_castpd_ps(_mm256_unpacklo_pd(p, q))), Float8(_mm256_castpd_ps(_mm256_unpackhi_pd(p, q))),
          Float8(_mm256_castpd_ps(_mm256_unpacklo_pd(r, s)))};
}
inline __m256 two(const float* a, const float* b) {
  return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(a)), _mm_loadu_ps(b), 1);
}
}  // namespace float8
#endif

// x, y, z of the vectors with these numbers, at least four floats each
template <Index stride = 4>
inline Vec8 gatherVec8(const float* a, const Index* at) {
#if MNS_FLOAT8_AVX2
  const auto two = [&](int l) { return float8::two(a + stride * Offset(at[l]), a + stride * Offset(at[l + 4])); };
  return float8::coordinates(two(0), two(1), two(2), two(3));
#else
  Vec8 r;
  for (int l = 0; l < kLanes; ++l) {
    const float* const p = a + stride * Offset(at[l]);
    r.x.v[l] = p[0];
    r.y.v[l] = p[1];
    r.z.v[l] = p[2];
  }
  return r;
#endif
}
inline Vec8 gather(const Vec4f* a, const Index* at) { return gatherVec8(&a->x, at); }

// Of eight vectors of four floats one after the other; and back, with zeros for w.
inline Vec8 loadVec8(const float* a) {
#if MNS_FLOAT8_AVX2
  const auto two = [&](int l) { return float8::two(a + 4 * l, a + 4 * (l + 4)); };
  return float8::coordinates(two(0), two(1), two(2), two(3));
#else
  Vec8 r;
  for (int l = 0; l < kLanes; ++l) {
    r.x.v[l] = a[4 * l];
    r.y.v[l] = a[4 * l + 1];
    r.z.v[l] = a[4 * l + 2];
  }
  return r;
#endif
}
inline void storeVec8(float* a, const Vec8& v) {
#if MNS_FLOAT8_AVX2
  const __m256 zero = _mm256_setzero_ps();
  const __m256d p = _mm256_castps_pd(_mm256_unpacklo_ps(v.x.v, v.y.v)), q = _mm256_castps_pd(_mm256_unpackhi_ps(v.x.v, v.y.v)),
                r = _mm256_castps_pd(_mm256_unpacklo_ps(v.z.v, zero)), s = _mm256_castps_pd(_mm256_unpackhi_ps(v.z.v, zero));
  const auto put = [&](int l, __m256d both) {
    _mm_storeu_ps(a + 4 * l, _mm256_castps256_ps128(_mm256_castpd_ps(both)));
    _mm_storeu_ps(a + 4 * (l + 4), _mm256_extractf128_ps(_mm256_castpd_ps(both), 1));
  };
  put(0, _mm256_unpacklo_pd(p, r));
  put(1, _mm256_unpackhi_pd(p, r));
  put(2, _mm256_unpacklo_pd(q, s));
  put(3, _mm256_unpackhi_pd(q, s));
#else
  for (int l = 0; l < kLanes; ++l) {
    a[4 * l] = v.x.v[l];
    a[4 * l + 1] = v.y.v[l];
    a[4 * l + 2] = v.z.v[l];
    a[4 * l + 3] = 0.f;
  }
#endif
}

MNS_NS_END
