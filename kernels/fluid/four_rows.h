// What follows the pair sums in the two passes of the pressure operator, four rows at a time: a row by itself works with one lane
// in the sums across its vector, and what follows its sums then takes as long as a third of them.
#pragma once

#include "kernels/fluid/packed_groups.h"

MNS_NS_BEGIN

// The components of four consecutive vectors, each component's four values in one register.
struct FourRows {
  Vec4f x, y, z, w;

  MNS_HD FourRows(const Vec4f& a, const Vec4f& b, const Vec4f& c, const Vec4f& d) : x(a), y(b), z(c), w(d) {}
  MNS_HD static FourRows of(const Vec4f& a, const Vec4f& b, const Vec4f& c, const Vec4f& d) {
#if defined(__FMA__) && !defined(__CUDACC__)
    __m128 s0 = __m128(a.v), s1 = __m128(b.v), s2 = __m128(c.v), s3 = __m128(d.v);
    _MM_TRANSPOSE4_PS(s0, s1, s2, s3);
    return {Vec4f(Vec4f::Lanes(s0)), Vec4f(Vec4f::Lanes(s1)), Vec4f(Vec4f::Lanes(s2)), Vec4f(Vec4f::Lanes(s3))};
#else
    return {{a.x, b.x, c.x, d.x}, {a.y, b.y, c.y, d.y}, {a.z, b.z, c.z, d.z}, {a.w, b.w, c.w, d.w}};
#endif
  }
  MNS_HD static FourRows of(const Vec4f* rows) { return of(rows[0], rows[1], rows[2], rows[3]); }
  MNS_HD void store(Vec4f* rows) const {
    const FourRows t = of(x, y, z, w);
    rows[0] = t.x;
    rows[1] = t.y;
    rows[2] = t.z;
    rows[3] = t.w;
  }
};

// Vec4f::addScaled with a scale a lane.
MNS_HD inline void addProduct(Vec4f& to, const Vec4f& b, const Vec4f& s) {
#if defined(__FMA__) && !defined(__CUDACC__)
  to.v = Vec4f::Lanes(_mm_fmadd_ps(__m128(b.v), __m128(s.v), __m128(to.v)));
#else
  to += b * s;
#endif
}

// Vec4f::sum of the products of four rows.
MNS_HD inline Vec4f dotRows(const FourRows& a, const FourRows& b) { return (a.x * b.x + a.z * b.z) + (a.y * b.y + a.w * b.w); }

// transposeRow of the rows i to i + 3; p: theirs, x: v.xh of them.
MNS_HD inline FourRows transposeRows(const PairView& v, Index i, const Vec4f (&sums)[kGroupRows], const Vec4f& p, const FourRows& x,
                                     const Vec4f* surface) {
  const FourRows t = FourRows::of(sums), T = FourRows::of(v.T + i),
                 s = FourRows::of(surface[v.near[i]], surface[v.near[i + 1]], surface[v.near[i + 2]], surface[v.near[i + 3]]);
  FourRows a{T.x * p - t.x, T.y * p - t.y, T.z * p - t.z, T.w * p - t.w};
  addProduct(a.x, x.x, t.w);
  addProduct(a.y, x.y, t.w);
  addProduct(a.z, x.z, t.w);
  addProduct(a.w, x.w * 0.f, t.w);
  return {a.x + s.x, a.y + s.y, a.z + s.z, a.w + s.w};
}

// divergenceRow of the rows i to i + 3, b of them at q + i.
MNS_HD inline Vec4f divergenceRows(const PairView& v, Index i, const Vec4f (&sums)[kGroupRows], const Vec4f* q,
                                   const float* surface) {
  const FourRows t = FourRows::of(sums), b = FourRows::of(q + i), x = FourRows::of(v.xh + i);
  FourRows T = FourRows::of(v.T + i);
  const Vec4f S = T.w, xw = x.w * -1.f;
  T.w = S * 0.f;
  addProduct(T.x, x.x, S);
  addProduct(T.y, x.y, S);
  addProduct(T.z, x.z, S);
  addProduct(T.w, xw, S);
  const Vec4f dx = b.x * T.x - t.x * x.x, dy = b.y * T.y - t.y * x.y, dz = b.z * T.z - t.z * x.z, dw = b.w * T.w - t.w * xw;
  return ((dx + dz) + (dy + dw)) +
         Vec4f(surface[v.near[i]], surface[v.near[i + 1]], surface[v.near[i + 2]], surface[v.near[i + 3]]);
}

// acc[0] += v, one after the other.
MNS_HD inline void addInOrder(const Vec4f& v, double* acc) {
  acc[0] = (((acc[0] + double(v.x)) + double(v.y)) + double(v.z)) + double(v.w);
}

// group(i, t) for the whole groups of rows from i on in [begin, end), row(i, t) for the rows of a broken one at the end; else as
// forEachRowSum.
template <bool packed, class Group, class Row>
MNS_HD inline void forEachGroupSumOf(const PairView& v, Index begin, Index end, const Vec4f* q, const Group& group,
                                     const Row& row) {
  for (Index i = begin; i < end; i += kGroupRows) {
    Vec4f t[kGroupRows];
    if (packed)
      packedGroupSums(v, i, end, q, t);
    else
      groupSums(v.items + v.foldedBegin[i], groupUnits(v.count, i, end), q, t);
    if (end - i >= kGroupRows)
      group(i, t);
    else
      for (Index r = 0; i + r < end; ++r) row(i + r, t[r]);
  }
}
// The two kinds of rows in loops of their own: one loop for both has too few registers.
template <class Group, class Row>
MNS_HD inline void forEachGroupSum(const PairView& v, Index begin, Index end, const Vec4f* q, const Group& group, const Row& row) {
  if (v.packed.groups)
    forEachGroupSumOf<true>(v, begin, end, q, group, row);
  else
    forEachGroupSumOf<false>(v, begin, end, q, group, row);
}

MNS_NS_END
