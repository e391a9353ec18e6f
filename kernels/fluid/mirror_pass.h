// What the surfaces add to the two passes of the pressure operator, for the near rows of a range of particles. Apart from the
// particles' own sums: the question whether a particle is near a surface is a branch that is mispredicted at every surface, and
// costs more than the answer.
#pragma once

#include "kernels/fluid/pressure_pass.h"

MNS_NS_BEGIN

// Near rows [begin, end) and their slots.
struct NearRange {
  Index begin, end, slotBegin, slotEnd;
};

MNS_HD inline Index firstNear(const PairView& v, Index particle) {
  Index low = 0, high = v.nearCount;
  while (low < high) {
    const Index middle = (low + high) / 2;
    if (v.nearParticle[middle] < particle)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// Of the particles [begin, end).
MNS_HD inline NearRange nearRange(const PairView& v, Index begin, Index end) {
  const Index first = firstNear(v, begin), last = firstNear(v, end);
  return {first, last, v.slotBegin[first], v.slotBegin[last]};
}

// Before pass 1. force: by near row, xyz: force of the surfaces but for the particle's own pressure, which T contains; w: 0. phi:
// the links' sums over e, replaced by the reaction on the slots, which is whole. e: 2 d p a slot.
MNS_HD inline void mirrorForces(const PairView& v, const NearRange& near, const float* p, float* phi, Vec4f* force) {
  for (Index k = near.begin; k < near.end; ++k) {
    const float pk = p[v.nearParticle[k]];
    Vec4f a{};
    for (Index s = v.slotBegin[k]; s < v.slotBegin[k + 1]; ++s) {
      a += v.plane[s] * phi[s];
      phi[s] = -(phi[s] + v.slotK[s] * pk);
    }
    force[k] = a * Vec4f(1, 1, 1, 0);
  }
}

// Before pass 2. out: by near row, the surfaces' share in the divergence. sum: the links' sums over g, normal velocity of the
// particle less that of the surface a slot; nu: that of the surface.
MNS_HD inline void mirrorDivergences(const PairView& v, const NearRange& near, const float* sum, const float* nu, float* out) {
  for (Index k = near.begin; k < near.end; ++k) {
    float d = 0;
    for (Index s = v.slotBegin[k]; s < v.slotBegin[k + 1]; ++s) d += v.plane[s].w * sum[s] - v.slotK[s] * nu[s];
    out[k] = d;
  }
}

// e = 2 d p of the slots.
MNS_HD inline void packMirrorPressures(const PairView& v, const NearRange& near, const float* p, float* e) {
  for (Index s = near.slotBegin; s < near.slotEnd; ++s) e[s] = v.plane[s].w * p[v.slotParticle[s]];
}

// g = n . b of the slots: normal velocities of the particles before surfaces that rest.
MNS_HD inline void packMirrorVelocities(const PairView& v, const NearRange& near, const Vec4f* b, float* g, float* nu) {
  for (Index s = near.slotBegin; s < near.slotEnd; ++s) {
    g[s] = dot(v.plane[s].xyz(), b[v.slotParticle[s]].xyz());
    nu[s] = 0;
  }
}

MNS_NS_END
