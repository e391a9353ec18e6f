// Neighbours of particles that are sorted by cells of the size of the support. All particles of a cell share their candidates: the
// particles in the 27 cells around, gathered once and cut to those that can be in reach of any. Eight at a time where the processor
// has AVX2, one at a time elsewhere, with the same results in the same order.
#pragma once

#include <cmath>

#include "kernels/core/lanes.h"
#include "kernels/core/vec.h"
#include "kernels/core/view.h"

MNS_NS_BEGIN

constexpr Index kMaxCandidates = 4096;  // of a cell, or inside the support of one particle; more is a collapsed fluid and is cut

// Room for one more write of all lanes; and so much that the beginnings of the arrays, which are what is mostly used, fall onto
// different sets of a cache whose ways are 4 KiB.
constexpr Index kCandidateRoom = kMaxCandidates + 112;

struct Candidates {
  alignas(32) float x[kCandidateRoom], y[kCandidateRoom], z[kCandidateRoom];
  alignas(32) Index j[kCandidateRoom];
  Index n = 0;
};

// Neighbours of one particle i: numbers, x_i - x_j, squared distance.
struct Neighbours {
  alignas(32) float dx[kCandidateRoom], dy[kCandidateRoom], dz[kCandidateRoom], r2[kCandidateRoom];
  alignas(32) Index j[kCandidateRoom];
  Index n = 0;
};

#if defined(__AVX2__) && !defined(__CUDACC__)
// For a loop that writes to several arrays of one object. Compilers would keep an address for each, and where the loop is inlined
// among much else, fetch them from the stack for every write: a fifteenth of the search.
template <class T>
inline T* atOneAddress(T* p) {
  asm("" : "+r"(p));
  return p;
}
#endif

// Appends the particles in [begin, end) nearer than the root of h2 to the box [lo, hi]. Positions as separate coordinate arrays;
// reads up to a whole number of lanes, behind the end as well (loads that leave lanes out take a twentieth of the search longer).
inline void addCandidates(const float* px, const float* py, const float* pz, Index begin, Index end, const Vec3f& lo,
                          const Vec3f& hi, float h2, Candidates& c) {
  if (end - begin > kMaxCandidates - c.n) end = begin + (kMaxCandidates - c.n);
#if defined(__AVX2__) && !defined(__CUDACC__)
  const __m256i lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  std::size_t n = std::size_t(c.n);
  for (Index j = begin; j < end; j += kLanes) {
    const __m256i numbers = _mm256_add_epi32(_mm256_set1_epi32(j), lanes);
    const __m256 x = _mm256_loadu_ps(px + j), y = _mm256_loadu_ps(py + j), z = _mm256_loadu_ps(pz + j);
    const __m256 d2 = _mm256_add_ps(_mm256_add_ps(beyond2(x, lo.x, hi.x), beyond2(y, lo.y, hi.y)), beyond2(z, lo.z, hi.z));
    const unsigned inside = end - j < kLanes ? (1u << (end - j)) - 1u : 255u;
    const unsigned mask = unsigned(_mm256_movemask_ps(_mm256_cmp_ps(d2, _mm256_set1_ps(h2), _CMP_LT_OQ))) & inside;
    const __m256i order = laneOrder(mask);
    Candidates* const to = atOneAddress(&c);
    storeLanes(to->x + n, x, order);
    storeLanes(to->y + n, y, order);
    storeLanes(to->z + n, z, order);
    storeLanes(to->j + n, numbers, order);
    n += std::size_t(__builtin_popcount(mask));
  }
  c.n = Index(n);
#else
  const auto beyond2 = [](float v, float l, float h) {
    const float a = l - v, b = v - h, d = a > b ? (a > 0.f ? a : 0.f) : (b > 0.f ? b : 0.f);
    return d * d;
  };
  for (Index j = begin; j < end; ++j) {
    if (!((beyond2(px[j], lo.x, hi.x) + beyond2(py[j], lo.y, hi.y)) + beyond2(pz[j], lo.z, hi.z) < h2)) continue;
    c.x[c.n] = px[j];
    c.y[c.n] = py[j];
    c.z[c.n] = pz[j];
    c.j[c.n++] = j;
  }
#endif
}

// Puts candidates behind the last one that nothing is near to, to the end of its lanes. To be called once all are there.
inline void closeCandidates(Candidates& c) {
  for (Index l = 0; l < kLanes; ++l) c.x[c.n + l] = HUGE_VALF;
}

// The candidates nearer than the root of h2 to particle i at x, itself excepted. Reads up to a whole number of lanes.
inline void findNeighbours(const Candidates& c, Index i, const Vec3f& x, float h2, Neighbours& out) {
  std::size_t n = 0;
#if defined(__AVX2__) && !defined(__CUDACC__)
  const __m256 X = _mm256_set1_ps(x.x), Y = _mm256_set1_ps(x.y), Z = _mm256_set1_ps(x.z), H2 = _mm256_set1_ps(h2);
  const __m256i self = _mm256_set1_epi32(i);
  for (Index k = 0; k < c.n; k += kLanes) {
    const __m256 dx = _mm256_sub_ps(X, _mm256_load_ps(c.x + k)), dy = _mm256_sub_ps(Y, _mm256_load_ps(c.y + k)),
                 dz = _mm256_sub_ps(Z, _mm256_load_ps(c.z + k));
    const __m256i j = _mm256_load_si256(reinterpret_cast<const __m256i*>(c.j + k));
    const __m256 r2 = _mm256_add_ps(_mm256_add_ps(_mm256_mul_ps(dx, dx), _mm256_mul_ps(dy, dy)), _mm256_mul_ps(dz, dz));
    const __m256 other = _mm256_andnot_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(j, self)), _mm256_cmp_ps(r2, H2, _CMP_LT_OQ));
    const unsigned mask = unsigned(_mm256_movemask_ps(other));
    const __m256i order = laneOrder(mask);
    Neighbours* const to = atOneAddress(&out);
    storeLanes(to->dx + n, dx, order);
    storeLanes(to->dy + n, dy, order);
    storeLanes(to->dz + n, dz, order);
    storeLanes(to->r2 + n, r2, order);
    storeLanes(to->j + n, j, order);
    n += std::size_t(__builtin_popcount(mask));
  }
#else
  for (Index k = 0; k < c.n; ++k) {
    const float dx = x.x - c.x[k], dy = x.y - c.y[k], dz = x.z - c.z[k];
    const float r2 = (dx * dx + dy * dy) + dz * dz;
    out.dx[n] = dx;
    out.dy[n] = dy;
    out.dz[n] = dz;
    out.r2[n] = r2;
    out.j[n] = c.j[k];
    n += r2 < h2 && c.j[k] != i;
  }
#endif
  out.n = Index(n);
}

// Of the neighbours [k, k + kLanes), those that are not nearer to the particle than the sum of its own distance from something and
// theirs, a bound: nothing of that kind can stand before the others. Reads up to a whole number of lanes.
inline unsigned neighboursBeyond(const Neighbours& nb, Index k, float own, const float* distance) {
  const Index left = nb.n - k < kLanes ? nb.n - k : kLanes;
#if defined(__AVX2__) && !defined(__CUDACC__)
  const __m256i lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7), inside = _mm256_cmpgt_epi32(_mm256_set1_epi32(left), lanes),
                j = _mm256_and_si256(_mm256_load_si256(reinterpret_cast<const __m256i*>(nb.j + k)), inside);
  const __m256 reach = _mm256_add_ps(_mm256_set1_ps(own), _mm256_i32gather_ps(distance, j, 4));
  const __m256 bound = _mm256_mul_ps(_mm256_mul_ps(reach, reach), _mm256_set1_ps(0.9999f));
  const __m256 beyond = _mm256_cmp_ps(bound, _mm256_load_ps(nb.r2 + k), _CMP_LE_OQ);
  return unsigned(_mm256_movemask_ps(_mm256_and_ps(beyond, _mm256_castsi256_ps(inside))));
#else
  unsigned mask = 0;
  for (Index l = 0; l < left; ++l) {
    const float reach = own + distance[nb.j[k + l]];
    mask |= unsigned(reach * reach * 0.9999f <= nb.r2[k + l]) << l;
  }
  return mask;
#endif
}

// Takes out the neighbours whose bits are set, a byte for each kLanes of them.
inline void removeNeighbours(const std::uint8_t* bits, Neighbours& nb) {
  Index k = 0;
  for (Index s = 0; s < nb.n; ++s) {
    if (bits[s / kLanes] >> (s % kLanes) & 1) continue;
    nb.j[k] = nb.j[s];
    nb.r2[k] = nb.r2[s];
    nb.dx[k] = nb.dx[s];
    nb.dy[k] = nb.dy[s];
    nb.dz[k++] = nb.dz[s];
  }
  nb.n = k;
}

MNS_NS_END
