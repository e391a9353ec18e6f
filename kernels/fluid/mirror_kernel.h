// The mirror kernel: solid walls without wall particles. A pair (a, b) of particles near a common surface also interacts through
// the mirror image: for a plane, the distance from a to the image of b is r'^2 = r^2 + 4 d_a d_b exactly. Bilinear in the two
// particles, so the divergence it gives is minus the time derivative of the density sum and its transpose is the pressure force:
// momentum is exact.
//
// For curved surfaces, edges and corners: features are matched greedily by their normals, and images are summed over the subsets of
// the matched features with weights that interpolate between a flat wall (1 image), a right-angled edge (3) and a right-angled
// corner (7).
#pragma once

#include "kernels/contact/feature.h"
#include "kernels/core/smoothing_kernel.h"
#include "kernels/fluid/coefficient_grid.h"

MNS_NS_BEGIN

// One image term of a pair.
struct MirrorTerm {
  float c;           // weight * V |F(r')| [1/m^2]
  float W;           // weight * W(r') [1/m^3]
  int count;         // features in the subset
  int fa[3], fb[3];  // feature numbers of a and b
};

struct MirrorMatch {
  int n = 0;
  int fa[kMaxFeatures], fb[kMaxFeatures];
};

// Greedy matching by n_a . n_b > 0.5 in the order of d_a + d_b.
MNS_HD inline MirrorMatch matchFeatures(const Feature* A, int na, const Feature* B, int nb) {
  MirrorMatch m;
  unsigned usedA = 0, usedB = 0;
  for (;;) {
    float best = 3.4e38f;
    int bi = -1, bj = -1;
    for (int i = 0; i < na; ++i) {
      if (usedA >> i & 1u) continue;
      for (int j = 0; j < nb; ++j) {
        if (usedB >> j & 1u) continue;
        const float s = A[i].d + B[j].d;
        if (s < best && dot(A[i].n, B[j].n) > 0.5f) {
          best = s;
          bi = i;
          bj = j;
        }
      }
    }
    if (bi < 0) return m;
    usedA |= 1u << bi;
    usedB |= 1u << bj;
    m.fa[m.n] = bi;
    m.fb[m.n++] = bj;
  }
}

// Share of a second image in a wedge whose walls' normals enclose the angle alpha: 2 alpha / (pi - alpha), the number of image
// sectors beyond the first (1 for a right angle, 0 for a flat wall).
MNS_HD inline float wedgeShare(const Feature* A, const Feature* B, const MirrorMatch& m, int s, int t) {
  float c = 0.5f * (dot(A[m.fa[s]].n, A[m.fa[t]].n) + dot(B[m.fb[s]].n, B[m.fb[t]].n));
  c = c < -1.f ? -1.f : (c > 1.f ? 1.f : c);
  constexpr float pi = 3.14159265f;
  const float al = std::acos(c);
  // facing walls (a slot) have no common edge: each reflects once
  return c < -0.95f ? 1.f : 2.f * al / (pi - al);
}

// Calls emit(term) for every image of the pair with r' < H. For the self image (a == b) pass A == B and r2 = 0.
template <class Emit>
MNS_HD inline void forEachImage(const Feature* A, int na, const Feature* B, int nb, float r2, float V,
                                const SmoothingKernel<float>& kernel, Emit&& emit, const CoefficientGrid& grid = {}) {
  const float h2 = kernel.H * kernel.H;
  // features come nearest first
  if (na == 0 || nb == 0 || r2 + 4.f * A[0].d * B[0].d >= h2) return;
  const MirrorMatch m = matchFeatures(A, na, B, nb);
  const auto image = [&](float weight, float s4, int count, int s, int t, int q) {
    const float rp2 = r2 + s4;
    if (rp2 >= h2 || weight <= 0.f) return;
    const float rp = std::sqrt(rp2);
    MirrorTerm term{grid.nearest(weight * V * kernel.absF(rp)),
                    weight * kernel.W(rp),
                    count,
                    {m.fa[s], m.fa[t], m.fa[q]},
                    {m.fb[s], m.fb[t], m.fb[q]}};
    emit(term);
  };
  if (m.n == 1) {
    const Feature &fa = A[m.fa[0]], &fb = B[m.fb[0]];
    image(std::sqrt(fa.w * fb.w), 4.f * fa.d * fb.d, 1, 0, 0, 0);
    return;
  }
  float single[kMaxFeatures], s4[kMaxFeatures], w[kMaxFeatures], pair[kMaxFeatures][kMaxFeatures] = {};
  for (int s = 0; s < m.n; ++s) {
    const Feature &fa = A[m.fa[s]], &fb = B[m.fb[s]];
    s4[s] = 4.f * fa.d * fb.d;
    w[s] = std::sqrt(fa.w * fb.w);
    single[s] = 1.f;
    for (int t = 0; t < s; ++t) {
      const float share = wedgeShare(A, B, m, s, t);
      single[s] = share < single[s] ? share : single[s];
      const float p = share - 1.f;
      pair[t][s] = p < 0.f ? 0.f : (p > 1.f ? 1.f : p);
    }
    image(single[s] * w[s], s4[s], 1, s, s, s);
  }
  for (int s = 0; s < m.n; ++s)
    for (int t = s + 1; t < m.n; ++t) {
      if (pair[s][t] == 0.f) continue;
      image(pair[s][t] * w[s] * w[t], s4[s] + s4[t], 2, s, t, t);
      for (int q = t + 1; q < m.n; ++q)
        image(pair[s][t] * pair[s][q] * pair[t][q] * w[s] * w[t] * w[q], s4[s] + s4[t] + s4[q], 3, s, t, q);
    }
}

MNS_NS_END
