// The two passes of the compatible pressure operator A = V D W D^T over the packed pairs, and D itself.
//
// With q_j = (f_j x_j, f_j) every pair sum is t = sum_j c_ij q_j: one load and one multiply-add of four floats a pair.
//   pass 1   a_i = (D^T p)_i = p_i T_i + t.w x_i - t.xyz                (t from q_j = p_j (x_j, 1))
//   pass 2   (D b)_i         = b_i . T_i - t.xyz . x_i + t.w            (t from q_j = (b_j, b_j . x_j))
// Mirror pairs add their explicit vectors, surface links the normal velocities nu of moving surfaces.
// High-pass term: A' = A + gamma L^T L with L p = S_i p_i - sum c p_j, which sees the checkerboards that D^T cannot. h = L p is
// carried in q.w of pass 2, so it costs no extra array.
#pragma once

#include "kernels/core/vec4.h"
#include "kernels/core/view.h"

MNS_NS_BEGIN

// What the passes need of the neighbour lists.
struct PairView {
  const Offset* begin;
  const Index* count;
  const void* items;  // {float c; Index j}
  const Index* near;  // near row of a particle, or -1
  const Offset* mirrorBegin;
  const Index* mirrorCount;
  const void* mirrorItems;  // {Vec3f ga; Index b; Vec3f gb; float c}
  const Offset* linkBegin;
  const Index* linkCount;
  const void* linkItems;  // {Index own, other; float kOwn, kOther}
  const float* selfLink;
  const Index* nearParticle;
  const Vec4f* xh;  // position about the domain's centre, 1
  const Vec4f* T;   // xyz, S
};

struct PackedPair {
  float c;
  Index j;
};
struct PackedMirror {
  Vec3f ga;
  Index b;
  Vec3f gb;
  float c;
};
struct PackedLink {
  Index own, other;
  float kOwn, kOther;
};

MNS_HD inline Vec4f pairSum(const PairView& v, Index i, const Vec4f* q) {
  const PackedPair* p = static_cast<const PackedPair*>(v.items) + v.begin[i];
  const Index n = v.count[i];
  Vec4f t0{}, t1{}, t2{}, t3{};
  Index k = 0;
  for (; k + 4 <= n; k += 4) {
    t0.addScaled(q[p[k].j], p[k].c);
    t1.addScaled(q[p[k + 1].j], p[k + 1].c);
    t2.addScaled(q[p[k + 2].j], p[k + 2].c);
    t3.addScaled(q[p[k + 3].j], p[k + 3].c);
  }
  for (; k < n; ++k) t0.addScaled(q[p[k].j], p[k].c);
  return (t0 + t1) + (t2 + t3);
}

// a_i = (D^T p)_i and h_i = (L p)_i; q = p (x, 1).
MNS_HD inline Vec3f transposeRow(const PairView& v, Index i, const Vec4f* q, float& h) {
  const Vec4f t = pairSum(v, i, q), x = v.xh[i], T = v.T[i];
  const float p = q[i].w;
  Vec3f a{p * T.x + t.w * x.x - t.x, p * T.y + t.w * x.y - t.y, p * T.z + t.w * x.z - t.z};
  h = T.w * p - t.w;
  const Index k = v.near[i];
  if (k >= 0) {
    const PackedMirror* m = static_cast<const PackedMirror*>(v.mirrorItems) + v.mirrorBegin[k];
    for (Index s = 0; s < v.mirrorCount[k]; ++s) {
      const float pb = q[m[s].b].w;
      a += m[s].ga * pb;
      h -= m[s].c * pb;
    }
  }
  return a;
}

// (D b)_i without surfaces; q = (b, b . x - gamma h). With h, also the rest of the high-pass term, gamma (S_i h_i - sum c' h_b over
// the mirror pairs, which q.w does not reach); a plain divergence has h = null and q.w = b . x.
MNS_HD inline float divergenceRow(const PairView& v, Index i, const Vec4f* q, const float* h = nullptr, float gamma = 0) {
  const Vec4f t = pairSum(v, i, q), x = v.xh[i], T = v.T[i], b = q[i];
  float d = b.x * T.x + b.y * T.y + b.z * T.z - (t.x * x.x + t.y * x.y + t.z * x.z) + t.w;
  float smooth = h ? T.w * h[i] : 0.f;
  const Index k = v.near[i];
  if (k >= 0) {
    const PackedMirror* m = static_cast<const PackedMirror*>(v.mirrorItems) + v.mirrorBegin[k];
    for (Index s = 0; s < v.mirrorCount[k]; ++s) {
      d += dot(m[s].gb, q[m[s].b].xyz());
      if (h) smooth -= m[s].c * h[m[s].b];
    }
  }
  return d + gamma * smooth;
}

// Contribution of the surfaces' normal velocities nu (per feature slot) to the divergence of near row k.
MNS_HD inline float surfaceDivergence(const PairView& v, Index k, int features, int maxFeatures, const float* nu) {
  const PackedLink* l = static_cast<const PackedLink*>(v.linkItems) + v.linkBegin[k];
  float d = 0;
  for (Index s = 0; s < v.linkCount[k]; ++s) d += l[s].kOwn * nu[l[s].own] + l[s].kOther * nu[l[s].other];
  for (int f = 0; f < features; ++f) d += v.selfLink[k * maxFeatures + f] * nu[k * maxFeatures + f];
  return d;
}

// phi of the slots of near row k: the force on the surface at a slot is V phi n.
MNS_HD inline void surfaceForce(const PairView& v, Index k, int features, int maxFeatures, const Vec4f* q, float* phi) {
  const float pa = q[v.nearParticle[k]].w;
  float* own = phi + Offset(k) * maxFeatures;
  for (int f = 0; f < features; ++f) own[f] = v.selfLink[k * maxFeatures + f] * pa;
  const PackedLink* l = static_cast<const PackedLink*>(v.linkItems) + v.linkBegin[k];
  for (Index s = 0; s < v.linkCount[k]; ++s) phi[l[s].own] += l[s].kOwn * (pa + q[v.nearParticle[l[s].other / maxFeatures]].w);
}

MNS_NS_END
