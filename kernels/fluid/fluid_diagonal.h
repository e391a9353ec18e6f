// The diagonal of the compatible pressure operator for the fluid alone, and what ties the pressures of spray to zero.
#pragma once

#include "kernels/core/vec4.h"
#include "kernels/core/view.h"

MNS_NS_BEGIN

// Spray: a particle that has lost most of its kernel belongs to no continuum, but its row would still ask for zero divergence, and
// with the tiny coefficients of distant neighbours only a huge pressure can give that: pairs at the rim of the support could
// neither part nor meet. The kernel-deficiency diagonal K of the ISPH-PBD paper (eq. 12), switched on between these deficiencies,
// ties such pressures to zero and leaves the particles to ballistics. A flat free surface has 0.4, a single free layer 0.7.
constexpr float kSprayBegin = 0.6f, kSprayEnd = 0.9f;

struct FluidDiagonal {
  const Vec4f* T;
  const float *c2r2, *c2, *sumC, *invRho;
  float gamma, floor, invRho0, S0;
  View<float> dirichlet, diag;
  MNS_HD void operator()(Index i) const {
    const float delta = 1.f - sumC[i] / S0;
    float s = (delta - kSprayBegin) / (kSprayEnd - kSprayBegin);
    s = s < 0.f ? 0.f : (s > 1.f ? 1.f : s);
    dirichlet[i] = 2.f * S0 * invRho[i] * s * s * (3.f - 2.f * s) * delta + floor;
    diag[i] = invRho[i] * norm2(T[i].xyz()) + invRho0 * c2r2[i] + gamma * (T[i].w * T[i].w + c2[i]) + dirichlet[i];
  }
};

MNS_NS_END
