// One row of the kernel-diagonal pressure equation, and what the particle's surroundings look like from it.
//
// Morris Laplacian (ISPH-PBD paper, eq. 9) with the sign that makes it positive definite:
//   (A p)_a = sum_b k_ab (p_a - p_b) + |K| s(delta) delta p_a,   k_ab = 4 / (rho_a + rho_b) (c_ab + c'_ab),   c = V |F|
// c' are the mirror images through solids (b /= a): mirrored pressure, so no flux through walls. The last term is the kernel
// deficiency of eq. 10-12: the missing share delta of the kernel is filled with pressure zero, no surface has to be found. K is the
// lattice's sum, not the integral of eq. 13 (which is 10-35 % larger), and acts only on what is really missing: as a constant on
// every diagonal, as printed, it would be a spurious (|K| - sum k) p wherever the fluid is compressed or meets a wall. The dead
// zone s = smoothstep(0.05, 0.10) keeps disordered interior particles from being taken for surface.
#pragma once

#include "kernels/fluid/pressure_pass.h"

MNS_NS_BEGIN

// Of the scene's density correction, what this operator takes without ringing; and the XSPH damping that it needs, in the scene's.
constexpr double kMorrisDensityShare = 0.6, kMorrisDampingShare = 2.5;

// Share of the Dirichlet condition of a particle with kernel deficiency delta.
MNS_HD inline float surfaceShare(float delta) {
  float t = (delta - 0.05f) * 20.f;
  t = t < 0.f ? 0.f : (t > 1.f ? 1.f : t);
  return t * t * (3.f - 2.f * t);
}

// The matrix laid out as the folded rows, {k_ab, b}, with its diagonal apart.
struct FoldedEntries {
  Pair* items;
  const Offset* begin;
  Index stride;
  float* diag;
  MNS_HD void put(Index i, Index k, Index j, float value) const { StridedRow<Pair>{items + begin[i], stride}[k] = {value, j}; }
  MNS_HD void finish(Index i, Index /*below*/, float diagonal) const { diag[i] = diagonal; }
};

// out: takes -A_ab as put(a, k, b, k_ab) of the k-th neighbour, and finish(a, neighbours with a lower number, A_aa).
template <class Out>
struct MorrisRow {
  PairView v;
  const float* sumC;  // images of the particle itself included [1/m^2]
  const float* invRho;
  float S0;     // sum of c on the lattice; |K| = 2 S0 / rho
  float floor;  // added to the diagonal
  Out out;
  Vec4f* asymmetry;  // xyz: sum of c x_ab with images [1/m], points to where particles are missing; w: s(delta)

  MNS_HD void operator()(Index i) const {
    const PairRow p = v.folded(i);
    const Vec3f xi = v.xh[i].xyz();
    const float ri = invRho[i];
    Vec3f t{};
    float sum = 0;
    Index below = 0;
    for (Index k = 0; k < v.count[i]; ++k) {
      const Index j = p[k].j();
      const float c = p[k].c;
      t += (xi - v.xh[j].xyz()) * c;
      const float rj = invRho[j];
      const float value = c * (4.f * ri * rj / (ri + rj));
      out.put(i, k, j, value);
      below += j < i;
      sum += value;
    }
    if (const Index row = v.near[i]; row >= 0) {
      const MirrorLink* l = v.links + v.linkBegin[row];
      for (int f = 0; f < v.featureCount[row]; ++f) {
        const Index slot = v.slotBegin[row] + f;
        float images = 0;
        for (const MirrorLink* end = l + v.linkCount[slot]; l != end; ++l) images += l->k * v.plane[l->slot].w;
        t += v.plane[slot].xyz() * images;
      }
    }
    const float delta = 1.f - sumC[i] / S0, s = surfaceShare(delta);
    out.finish(i, below, sum + (delta > 0.f ? 2.f * ri * S0 * s * delta : 0.f) + floor);
    // T counts the particle's own image twice, as the pressure force does, and t not at all
    asymmetry[i] = Vec4f((v.T[i].xyz() + t) * 0.5f, s);
  }
};

MNS_NS_END
