// Which of many triangles a point or a segment must be compared with, by bounding spheres and planes: those of a cell, one
// coordinate after the other, eight at a time where the processor has AVX2, one at a time elsewhere, with the same results.
#pragma once

#include "kernels/core/lanes.h"
#include "kernels/core/vec4.h"

MNS_NS_BEGIN

constexpr float kSharp = 1e6f;  // slope of a triangle beside a rim or a sharp edge

// What a query looks at first.
struct TriangleFilter {
  Vec4f sphere;  // centroid and the radius about it that holds the vertices [m]
  Vec4f
      nSlope;  // unit normal; w: tangent of the angle from it within which minima of the distance lie, negative where it separates
};

// Can the triangle hold a local minimum of the distance from p within reach?
MNS_HD inline bool mayHoldMinimum(const TriangleFilter& t, const Vec3f& p, float reach) {
  const float dx = p.x - t.sphere.x, dy = p.y - t.sphere.y, dz = p.z - t.sphere.z;
  const float r = t.sphere.w, slope = std::abs(t.nSlope.w), far = r + reach;
  const float d2 = (dx * dx + dy * dy) + dz * dz;
  const float h = (dx * t.nSlope.x + dy * t.nSlope.y) + dz * t.nSlope.z;
  const float limit = r + std::abs(h) * slope;
  // the last term: round-off of the difference
  const bool minimum = d2 - h * h <= limit * limit + 1e-5f * d2 || slope >= kSharp;
  return d2 <= far * far && minimum;
}

// Arrays with room for one more write of all lanes behind the last, aligned to whole lanes.
struct TriangleLanes {
  enum Field { x, y, z, radius, nx, ny, nz, slope, fields };
  float* f[fields];  // as TriangleFilter
  Index* tri;
  Index n;
};

// A point's separating triangles: x, y, z from the centroid to the point, the normal on the point's side, and as `slope` its height
// over the plane.
constexpr int kHeight = TriangleLanes::slope;

// References, one at a time.
namespace triangle_lanes_scalar {

MNS_HD inline float beyond2(float v, float lo, float hi) {
  const float a = lo - v, b = v - hi, d = a > b ? (a > 0.f ? a : 0.f) : (b > 0.f ? b : 0.f);
  return d * d;
}

// Appends the triangles of the list whose spheres are within reach of the box [lo, hi].
MNS_HD inline void append(const TriangleFilter* filter, const Index* list, Index count, const Vec3f& lo, const Vec3f& hi,
                          float reach, TriangleLanes& out) {
  for (Index k = 0; k < count; ++k) {
    const Vec4f s = filter[list[k]].sphere, m = filter[list[k]].nSlope;
    const float far = s.w + reach;
    if (!((beyond2(s.x, lo.x, hi.x) + beyond2(s.y, lo.y, hi.y)) + beyond2(s.z, lo.z, hi.z) <= far * far)) continue;
    const float value[TriangleLanes::fields] = {s.x, s.y, s.z, s.w, m.x, m.y, m.z, m.w};
    for (int i = 0; i < TriangleLanes::fields; ++i) out.f[i][out.n] = value[i];
    out.tri[out.n++] = list[k];
  }
}

// Of the lanes from k on, the triangles that can hold a local minimum of the distance from p within reach.
MNS_HD inline unsigned minima(const TriangleLanes& t, Index k, const Vec3f& p, float reach) {
  unsigned mask = 0;
  for (Index l = 0; l < kLanes && k + l < t.n; ++l) {
    const auto value = [&](int field) { return t.f[field][k + l]; };
    const TriangleFilter filter{
        Vec4f(value(TriangleLanes::x), value(TriangleLanes::y), value(TriangleLanes::z), value(TriangleLanes::radius)),
        Vec4f(value(TriangleLanes::nx), value(TriangleLanes::ny), value(TriangleLanes::nz), value(TriangleLanes::slope))};
    mask |= unsigned(mayHoldMinimum(filter, p, reach)) << l;
  }
  return mask;
}

// Appends the separating ones of t with a point within reach of p.
MNS_HD inline void appendSheets(const TriangleLanes& t, const Vec3f& p, float reach, TriangleLanes& out) {
  for (Index k = 0; k < t.n; ++k) {
    const float dx = p.x - t.f[TriangleLanes::x][k], dy = p.y - t.f[TriangleLanes::y][k], dz = p.z - t.f[TriangleLanes::z][k];
    const float far = t.f[TriangleLanes::radius][k] * 1.01f + reach;
    if (!((dx * dx + dy * dy) + dz * dz <= far * far && t.f[TriangleLanes::slope][k] < 0.f)) continue;
    const float mx = t.f[TriangleLanes::nx][k], my = t.f[TriangleLanes::ny][k], mz = t.f[TriangleLanes::nz][k];
    const float h = (dx * mx + dy * my) + dz * mz, side = h < 0.f ? -1.f : 1.f;
    const float value[TriangleLanes::fields] = {dx,        dy,        dz,        t.f[TriangleLanes::radius][k],
                                                mx * side, my * side, mz * side, h * side};
    for (int i = 0; i < TriangleLanes::fields; ++i) out.f[i][out.n] = value[i];
    out.tri[out.n++] = t.tri[k];
  }
}

// Of the lanes from k on of a point's sheets, those that the segment from it to it - d, of the given length, can meet. error: of
// positions [m].
MNS_HD inline unsigned meets(const TriangleLanes& t, Index k, const Vec3f& d, float length, float error) {
  unsigned mask = 0;
  for (Index l = 0; l < kLanes && k + l < t.n; ++l) {
    const Index i = k + l;
    const float h = t.f[kHeight][i];
    const float fall = (d.x * t.f[TriangleLanes::nx][i] + d.y * t.f[TriangleLanes::ny][i]) + d.z * t.f[TriangleLanes::nz][i];
    if (h > error && h - fall > error) continue;  // both ends on one side
    // the point where it crosses the plane, and how far off that can be: not a number or infinite where it runs along
    const float s = h / fall;
    const float x = t.f[TriangleLanes::x][i] - s * d.x, y = t.f[TriangleLanes::y][i] - s * d.y,
                z = t.f[TriangleLanes::z][i] - s * d.z;
    const float far = (t.f[TriangleLanes::radius][i] * 1.01f + error) + std::abs(error * length / fall);
    mask |= unsigned(!((x * x + y * y) + z * z > far * far)) << l;
  }
  return mask;
}

}  // namespace triangle_lanes_scalar

#if defined(__AVX2__) && !defined(__CUDACC__)
namespace triangle_lanes {

inline __m256 absolute(__m256 v) { return _mm256_andnot_ps(_mm256_set1_ps(-0.f), v); }
inline __m256 dot3(__m256 ax, __m256 ay, __m256 az, __m256 bx, __m256 by, __m256 bz) {
  return _mm256_add_ps(_mm256_add_ps(_mm256_mul_ps(ax, bx), _mm256_mul_ps(ay, by)), _mm256_mul_ps(az, bz));
}
inline unsigned lanesLeft(Index n, Index k) { return n - k < kLanes ? (1u << (n - k)) - 1u : 255u; }

inline void append(const TriangleFilter* filter, const Index* list, Index count, const Vec3f& lo, const Vec3f& hi, float reach,
                   TriangleLanes& out) {
  Index n = out.n;
  for (Index k = 0; k < count; k += kLanes) {
    __m256 v[8];
    alignas(32) Index tri[8];
    for (Index l = 0; l < kLanes; ++l) {
      tri[l] = list[k + l < count ? k + l : k];
      v[l] = _mm256_loadu_ps(&filter[tri[l]].sphere.x);
    }
    transposeLanes(v);
    const __m256 d2 = _mm256_add_ps(_mm256_add_ps(beyond2(v[0], lo.x, hi.x), beyond2(v[1], lo.y, hi.y)), beyond2(v[2], lo.z, hi.z));
    const __m256 far = _mm256_add_ps(v[3], _mm256_set1_ps(reach));
    const unsigned mask =
        unsigned(_mm256_movemask_ps(_mm256_cmp_ps(d2, _mm256_mul_ps(far, far), _CMP_LE_OQ))) & lanesLeft(count, k);
    const __m256i order = laneOrder(mask);
    for (int i = 0; i < TriangleLanes::fields; ++i) storeLanes(out.f[i] + n, v[i], order);
    storeLanes(out.tri + n, _mm256_load_si256(reinterpret_cast<const __m256i*>(tri)), order);
    n += __builtin_popcount(mask);
  }
  out.n = n;
}

inline unsigned minima(const TriangleLanes& t, Index k, const Vec3f& p, float reach) {
  const auto field = [&](int i) { return _mm256_load_ps(t.f[i] + k); };
  const __m256 dx = _mm256_sub_ps(_mm256_set1_ps(p.x), field(TriangleLanes::x)),
               dy = _mm256_sub_ps(_mm256_set1_ps(p.y), field(TriangleLanes::y)),
               dz = _mm256_sub_ps(_mm256_set1_ps(p.z), field(TriangleLanes::z));
  const __m256 r = field(TriangleLanes::radius), slope = absolute(field(TriangleLanes::slope)),
               far = _mm256_add_ps(r, _mm256_set1_ps(reach)), d2 = dot3(dx, dy, dz, dx, dy, dz),
               h = dot3(dx, dy, dz, field(TriangleLanes::nx), field(TriangleLanes::ny), field(TriangleLanes::nz));
  const __m256 limit = _mm256_add_ps(r, _mm256_mul_ps(absolute(h), slope));
  const __m256 most = _mm256_add_ps(_mm256_mul_ps(limit, limit), _mm256_mul_ps(_mm256_set1_ps(1e-5f), d2));
  const __m256 minimum = _mm256_or_ps(_mm256_cmp_ps(_mm256_sub_ps(d2, _mm256_mul_ps(h, h)), most, _CMP_LE_OQ),
                                      _mm256_cmp_ps(slope, _mm256_set1_ps(kSharp), _CMP_GE_OQ));
  const __m256 close = _mm256_cmp_ps(d2, _mm256_mul_ps(far, far), _CMP_LE_OQ);
  return unsigned(_mm256_movemask_ps(_mm256_and_ps(close, minimum))) & lanesLeft(t.n, k);
}

inline void appendSheets(const TriangleLanes& t, const Vec3f& p, float reach, TriangleLanes& out) {
  Index n = out.n;
  for (Index k = 0; k < t.n; k += kLanes) {
    const auto field = [&](int i) { return _mm256_load_ps(t.f[i] + k); };
    const __m256 dx = _mm256_sub_ps(_mm256_set1_ps(p.x), field(TriangleLanes::x)),
                 dy = _mm256_sub_ps(_mm256_set1_ps(p.y), field(TriangleLanes::y)),
                 dz = _mm256_sub_ps(_mm256_set1_ps(p.z), field(TriangleLanes::z));
    const __m256 r = field(TriangleLanes::radius),
                 far = _mm256_add_ps(_mm256_mul_ps(r, _mm256_set1_ps(1.01f)), _mm256_set1_ps(reach));
    const __m256 kept = _mm256_and_ps(_mm256_cmp_ps(dot3(dx, dy, dz, dx, dy, dz), _mm256_mul_ps(far, far), _CMP_LE_OQ),
                                      _mm256_cmp_ps(field(TriangleLanes::slope), _mm256_setzero_ps(), _CMP_LT_OQ));
    const unsigned mask = unsigned(_mm256_movemask_ps(kept)) & lanesLeft(t.n, k);
    if (!mask) continue;
    const __m256 mx = field(TriangleLanes::nx), my = field(TriangleLanes::ny), mz = field(TriangleLanes::nz),
                 h = dot3(dx, dy, dz, mx, my, mz);
    const __m256 flip = _mm256_and_ps(_mm256_cmp_ps(h, _mm256_setzero_ps(), _CMP_LT_OQ), _mm256_set1_ps(-0.f));
    const __m256 value[TriangleLanes::fields] = {
        dx, dy, dz, r, _mm256_xor_ps(mx, flip), _mm256_xor_ps(my, flip), _mm256_xor_ps(mz, flip), _mm256_xor_ps(h, flip)};
    const __m256i order = laneOrder(mask);
    for (int i = 0; i < TriangleLanes::fields; ++i) storeLanes(out.f[i] + n, value[i], order);
    storeLanes(out.tri + n, _mm256_load_si256(reinterpret_cast<const __m256i*>(t.tri + k)), order);
    n += __builtin_popcount(mask);
  }
  out.n = n;
}

inline unsigned meets(const TriangleLanes& t, Index k, const Vec3f& d, float length, float error) {
  const auto field = [&](int i) { return _mm256_load_ps(t.f[i] + k); };
  const __m256 X = _mm256_set1_ps(d.x), Y = _mm256_set1_ps(d.y), Z = _mm256_set1_ps(d.z), E = _mm256_set1_ps(error);
  const __m256 h = field(kHeight),
               fall = dot3(X, Y, Z, field(TriangleLanes::nx), field(TriangleLanes::ny), field(TriangleLanes::nz));
  const __m256 oneSide = _mm256_and_ps(_mm256_cmp_ps(h, E, _CMP_GT_OQ), _mm256_cmp_ps(_mm256_sub_ps(h, fall), E, _CMP_GT_OQ));
  const unsigned crosses = ~unsigned(_mm256_movemask_ps(oneSide)) & lanesLeft(t.n, k);
  if (!crosses) return 0;
  const __m256 s = _mm256_div_ps(h, fall);
  const __m256 x = _mm256_sub_ps(field(TriangleLanes::x), _mm256_mul_ps(s, X)),
               y = _mm256_sub_ps(field(TriangleLanes::y), _mm256_mul_ps(s, Y)),
               z = _mm256_sub_ps(field(TriangleLanes::z), _mm256_mul_ps(s, Z));
  const __m256 off = absolute(_mm256_div_ps(_mm256_set1_ps(error * length), fall));
  const __m256 far = _mm256_add_ps(_mm256_add_ps(_mm256_mul_ps(field(TriangleLanes::radius), _mm256_set1_ps(1.01f)), E), off);
  return unsigned(_mm256_movemask_ps(_mm256_cmp_ps(dot3(x, y, z, x, y, z), _mm256_mul_ps(far, far), _CMP_NGT_UQ))) & crosses;
}

}  // namespace triangle_lanes
#else
namespace triangle_lanes = triangle_lanes_scalar;
#endif

MNS_NS_END
