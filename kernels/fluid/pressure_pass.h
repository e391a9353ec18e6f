// The two passes of the compatible pressure operator A = V D W D^T over the packed pairs, and D itself.
//
// With q_j = (f_j x_j, f_j) every pair sum is t = sum_j c_ij q_j: one load and one multiply-add of four floats a pair.
//   pass 1   a_i = (D^T p)_i = p_i T_i + t.w x_i - t.xyz                (t from q_j = p_j (x_j, 1))
//   pass 2   (D b)_i         = b_i . T_i - t.xyz . x_i + t.w            (t from q_j = (b_j, b_j . x_j))
// A mirror image of j contributes c' x_ij, which is added to the pair's own c ("folded"), and a part along the normals of the
// surface. In that, i's normal and the distance of j, or the reverse, are all that the pair knows of the surface:
//   pass 1   a_i += n_i sum k e_s,                     e_s = 2 d_s p_s       over the links of each of i's feature slots,
//   pass 2   (D b)_i += 2 d_i sum k g_s - K_i nu_i,    g_s = n_s . b_s - nu_s
// with s the slot of j, k the coefficient, d the distance, nu the normal velocity of the surface, K_i = sum k 2 d_s with i's own
// image. The force on the surface is the reaction of the first: V phi n, phi_i = -(sum k e_s + K_i p_i).
// Rows are padded to a multiple of kRowUnit pairs with c = 0.
// High-pass term: A' = A + gamma L^T L with L p = S_i p_i - sum c p_j, which sees the checkerboards that D^T cannot. L p is carried
// in q.w of pass 2, so it costs no extra array.
#pragma once

#include <cstdint>

#include "kernels/contact/feature.h"
#include "kernels/core/vec4.h"
#include "kernels/core/view.h"

MNS_NS_BEGIN

constexpr double kQuiet =
    2e-6;  // change of density a step below which nothing is solved: a hundredth of the error that is promised

constexpr Index kRowUnit = 4;
MNS_HD constexpr Index paddedRow(Index n) { return (n + kRowUnit - 1) / kRowUnit * kRowUnit; }

struct alignas(8) Pair {
  float c;           // V |F| [1/m^2]
  std::uint32_t at;  // the other particle's place in an array of Vec4f [bytes]: what the sums would work out anew in every pass

  Pair() = default;
  MNS_HD Pair(float coefficient, Index j) : c(coefficient), at(std::uint32_t(j) * std::uint32_t(sizeof(Vec4f))) {}
  MNS_HD Index j() const { return Index(at / sizeof(Vec4f)); }
  template <class T>
  MNS_HD const T& of(const T* array) const {
    static_assert(sizeof(T) == sizeof(Vec4f));
    return *reinterpret_cast<const T*>(reinterpret_cast<const char*>(array) + at);
  }
};

// A row of pairs: units of kRowUnit, one every `stride` pairs.
template <class T>
struct StridedRow {
  T* first;
  Index stride;
  MNS_HD T* unit(Index u) const { return first + u * stride; }
  MNS_HD T& operator[](Index k) const { return first[k / kRowUnit * stride + k % kRowUnit]; }
};
using PairRow = StridedRow<const Pair>;

// A unit of four rows side by side in half the bytes and without loss (kernels/fluid/packed_groups.h).
struct alignas(64) PackedUnit {
  std::int16_t at[16];  // twice the other particle's number less that of the group's first row
  std::uint16_t c[16];  // coefficient in steps of its grid
};

struct PackedGroup {
  std::uint32_t first, units;
};
constexpr std::uint32_t kNotPacked = ~std::uint32_t(0);  // units of a group with a pair that has no room in so few bits

constexpr Index kReachRows = 512;
constexpr Index kGroupsAhead =
    8;  // from which on units are fetched before they are needed; so many empty groups follow the last one

struct PackedPairRows {
  const PackedGroup* groups = nullptr;  // null: rows are not packed
  const PackedUnit* units = nullptr;
  const Index* reach = nullptr;  // per kReachRows rows: how far behind the last of them what their cells reach ends
  float step = 0;                // [1/m^2]
};

// One matched pair of feature slots; belongs to a slot of the row's particle.
struct MirrorLink {
  float k;     // V |F(r')|, summed over the images that involve the two features [1/m^2]
  Index slot;  // of the other particle
};

// What the passes need of the neighbour lists.
struct PairView {
  const Offset* begin;
  const Index* count;
  const Pair* items;
  const Offset* foldedBegin;  // rows of the same length with the images' c added, the same ones where there are none
  const Index* near;          // near row of a particle, or -1
  const Index* nearParticle;  // the inverse, ascending
  Index nearCount;
  const std::uint8_t* featureCount;  // per near row
  const Index* slotBegin;            // per near row: its first slot
  const Index* slotParticle;         // per slot
  const Offset* linkBegin;           // per near row; slot after slot
  const std::uint16_t* linkCount;    // per slot
  const MirrorLink* links;
  const Vec4f* plane;          // per slot: normal, twice the distance
  const float* slotK;          // per slot: K
  const Vec4f* xh;             // position about the domain's centre, 1
  const Vec4f* T;              // xyz, S
  Index stride = kRowUnit;     // from unit to unit of a row; kRowUnit in a row without the images' c, where there are both
  PackedPairRows packed = {};  // folded rows; those that are here need not be elsewhere

  MNS_HD PairRow direct(Index i) const { return {items + begin[i], begin[i] == foldedBegin[i] ? stride : kRowUnit}; }
  MNS_HD PairRow folded(Index i) const { return {items + foldedBegin[i], stride}; }
};

// Fetches the farthest neighbour of row i + 256 from f, before a sweep comes to be the first to gather it. Nothing else can foresee
// it: at 300k particles, the passes of the pressure operator wait for it a sixth of their time.
template <class T>
MNS_HD inline void fetchFarthest(const PairView& v, Index i, const T* f) {
#if defined(__FMA__) && !defined(__CUDACC__)
  constexpr Index kRowsAhead = 256;
  if (!v.packed.reach) return;
  _mm_prefetch(reinterpret_cast<const char*>(f + (i + v.packed.reach[i / kReachRows] + kRowsAhead)), _MM_HINT_T1);
#else
  (void)v, (void)i, (void)f;
#endif
}

MNS_HD inline Vec4f pairSum(const PairView& v, Index i, const Vec4f* q) {
  const PairRow row = v.folded(i);
  Vec4f t0{}, t1{}, t2{}, t3{};
  for (Index u = 0; u * kRowUnit < v.count[i]; ++u) {
    const Pair* const p = row.unit(u);
    t0.addScaled(p[0].of(q), p[0].c);
    t1.addScaled(p[1].of(q), p[1].c);
    t2.addScaled(p[2].of(q), p[2].c);
    t3.addScaled(p[3].of(q), p[3].c);
  }
  return (t0 + t1) + (t2 + t3);
}

// sum of k f over the n links from l on: even ones and odd ones apart.
MNS_HD inline float linkSum(const MirrorLink* l, Index n, const float* f) {
  float sum[2] = {0, 0};
  for (Index s = 0; s < n; ++s) sum[s % 2] += l[s].k * f[l[s].slot];
  return sum[0] + sum[1];
}
// The same for all slots of near row k.
MNS_HD inline void linkSums(const PairView& v, Index k, const float* f, float* sum) {
  const MirrorLink* l = v.links + v.linkBegin[k];
  for (Index s = v.slotBegin[k]; s < v.slotBegin[k + 1]; l += v.linkCount[s], ++s) sum[s] = linkSum(l, v.linkCount[s], f);
}

// xyz: a_i = (D^T p)_i, w: (L p)_i; t: the row's sum over q = p (x, 1); surface: the surfaces' forces by near row, with zero in
// front at -1.
MNS_HD inline Vec4f transposeRow(const PairView& v, Index i, const Vec4f& t, float p, const Vec4f* surface) {
  Vec4f a = v.T[i] * p - t;
  a.addScaled(v.xh[i] * Vec4f(1, 1, 1, 0), t.w);
  return a + surface[v.near[i]];
}

// (D b)_i; t: the row's sum over q = (b, b . x - gamma L p), b = q_i. With p, also gamma L^T L p: what q.w lacks of b . x is
// gamma (L p)_i. surface: the surfaces' share by near row, with zero in front at -1.
MNS_HD inline float divergenceRow(const PairView& v, Index i, const Vec4f& t, const Vec4f& b, const float* surface) {
  const Vec4f x = v.xh[i] * Vec4f(1, 1, 1, -1);
  Vec4f T = v.T[i] * Vec4f(1, 1, 1, 0);
  // b . T - t . x + t.w + S (b . x - b.w)
  return (b * T.addScaled(x, v.T[i].w) - t * x).sum() + surface[v.near[i]];
}

MNS_NS_END
