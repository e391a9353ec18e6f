// Four floats in one register: the unit in which particles are stored and gathered (16-byte loads on every back end).
#pragma once

#if defined(__FMA__) && !defined(__CUDACC__)
#include <immintrin.h>
#endif

#include "kernels/core/vec.h"
#include "kernels/core/view.h"

MNS_NS_BEGIN

struct alignas(16) Vec4f {
#if defined(__GNUC__) && !defined(__CUDACC__)
  typedef float Lanes __attribute__((vector_size(16)));
  union {
    Lanes v;
    struct {
      float x, y, z, w;
    };
  };
  Vec4f() : v{} {}
  Vec4f(float a, float b, float c, float d) : v{a, b, c, d} {}
  explicit Vec4f(Lanes l) : v(l) {}
  friend Vec4f operator+(Vec4f a, Vec4f b) { return Vec4f(a.v + b.v); }
  friend Vec4f operator-(Vec4f a, Vec4f b) { return Vec4f(a.v - b.v); }
  friend Vec4f operator*(Vec4f a, float s) { return Vec4f(a.v * s); }
  friend Vec4f operator*(Vec4f a, Vec4f b) { return Vec4f(a.v * b.v); }  // lane by lane
  Vec4f& operator+=(Vec4f b) {
    v += b.v;
    return *this;
  }
  // *this += b * s, with one rounding where the processor can; explicit, because the build forbids the compiler to fuse on its own
  Vec4f& addScaled(Vec4f b, float s) {
#if defined(__FMA__)
    v = Lanes(_mm_fmadd_ps(__m128(b.v), _mm_set1_ps(s), __m128(v)));
#else
    v += b.v * s;
#endif
    return *this;
  }
#else
  float x{}, y{}, z{}, w{};
  Vec4f() = default;
  MNS_HD Vec4f(float a, float b, float c, float d) : x(a), y(b), z(c), w(d) {}
  MNS_HD friend Vec4f operator+(Vec4f a, Vec4f b) { return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w}; }
  MNS_HD friend Vec4f operator-(Vec4f a, Vec4f b) { return {a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w}; }
  MNS_HD friend Vec4f operator*(Vec4f a, float s) { return {a.x * s, a.y * s, a.z * s, a.w * s}; }
  MNS_HD friend Vec4f operator*(Vec4f a, Vec4f b) { return {a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w}; }
  MNS_HD Vec4f& operator+=(Vec4f b) {
    x += b.x;
    y += b.y;
    z += b.z;
    w += b.w;
    return *this;
  }
  MNS_HD Vec4f& addScaled(Vec4f b, float s) {
    x += b.x * s;
    y += b.y * s;
    z += b.z * s;
    w += b.w * s;
    return *this;
  }
#endif
  MNS_HD Vec4f(const Vec3f& a, float d) : Vec4f(a.x, a.y, a.z, d) {}
  MNS_HD Vec3f xyz() const { return {x, y, z}; }
  MNS_HD Vec4f withW(float d) const { return Vec4f(x, y, z, d); }
  MNS_HD float sum() const { return (x + z) + (y + w); }
};

// Vectors inside an array of floats: the one at a, and the i-th of those from a on.
MNS_HD inline Vec4f loadVec4(const float* a) { return Vec4f(a[0], a[1], a[2], a[3]); }
MNS_HD inline void storeVec4(float* a, const Vec4f& v) {
  a[0] = v.x;
  a[1] = v.y;
  a[2] = v.z;
  a[3] = v.w;
}
MNS_HD inline Vec4f loadVec4(const float* a, Offset i) { return loadVec4(a + 4 * i); }
MNS_HD inline void storeVec4(float* a, Offset i, const Vec4f& v) { storeVec4(a + 4 * i, v); }

MNS_NS_END
