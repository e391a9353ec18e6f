// Acceleration by the pressure in the kernel-diagonal mode: the difference form of the gradient, which goes with the Morris
// Laplacian.
//   du_a/dt = (1/rho) ( sum_b (p_b - p_a) (c_ab x_ab + g_ab) + s_a p_a N_a ),   N_a: asymmetry of the kernel
// Against the form with p_a + p_b it gives up exact momentum for a force that vanishes with the pressure differences: the p_a + p_b
// form would turn a smooth pressure into 2 p N noise that this Laplacian does not see, and blows up. The last term is the pressure
// zero outside the surface.
#pragma once

#include "kernels/fluid/pressure_pass.h"

MNS_NS_BEGIN

struct MorrisGradient {
  PairView v;
  const float* p;
  const float* invRho;
  const Vec4f* asymmetry;
  Vec4f* acceleration;  // m/s^2

  MNS_HD void operator()(Index i) const {
    const PairRow pairs = v.folded(i);
    const Vec3f xi = v.xh[i].xyz();
    const float pi = p[i];
    Vec3f a = asymmetry[i].xyz() * (asymmetry[i].w * pi);
    for (Index k = 0; k < v.count[i]; ++k) {
      const Index j = pairs[k].j();
      a += (xi - v.xh[j].xyz()) * (pairs[k].c * (p[j] - pi));
    }
    if (const Index row = v.near[i]; row >= 0) {
      const MirrorLink* l = v.links + v.linkBegin[row];
      for (int f = 0; f < v.featureCount[row]; ++f) {
        const Index slot = v.slotBegin[row] + f;
        float sum = 0;
        for (const MirrorLink* end = l + v.linkCount[slot]; l != end; ++l)
          sum += l->k * v.plane[l->slot].w * (p[v.slotParticle[l->slot]] - pi);
        a += v.plane[slot].xyz() * sum;
      }
    }
    acceleration[i] = Vec4f(a * invRho[i], 0.f);
  }
};

// The amount of such a shift [m^2] after a move by dt [s]: 0.2 dx^2 N a step of 2 ms at 20 mm; shorter steps shift less, as XSPH
// damps less.
inline double morrisShift(double dx, double dt) {
  const double share = 10.0 * dt / dx;
  return 0.2 * dx * dx * (share < 1 ? share : 1.0);
}

// Keeps the packing even, which differences of pressure do not: x += amount f N. Not near the surface (f goes to 0 with a third of
// the neighbours' weight on particles at the surface): there N points out of the fluid, and shifting would lift water for nothing.
struct Shift {
  PairView v;
  const Vec4f* asymmetry;
  float amount;  // m^2
  Vec4f* x;
  MNS_HD void operator()(Index i) const {
    const PairRow p = v.direct(i);
    float sum = 0, surface = 0;
    for (Index k = 0; k < v.count[i]; ++k) {
      sum += p[k].c;
      surface += p[k].c * asymmetry[p[k].j()].w;
    }
    const float f = (1.f - asymmetry[i].w) * (1.f - 3.f * surface / (sum + 1e-20f));
    if (f > 0.f) x[i] += Vec4f(asymmetry[i].xyz() * (amount * f), 0.f);
  }
};

MNS_NS_END
