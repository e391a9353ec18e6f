// A Jacobi iteration over the density constraints of position-based fluids (Macklin & Mueller 2013, eq. 11):
//   lambda_a = - C_a / (sum_k w_k |grad_k C_a|^2 + epsilon),   w_k inverse masses
// in the units of the pressure equation, p = - lambda / dt^2: the corrections of the iterations add up to a pressure, and the
// position correction (eq. 12) is dt^2 times the acceleration that this pressure gives.
#pragma once

#include "kernels/core/macros.h"
#include "kernels/core/vec4.h"
#include "kernels/core/view.h"

MNS_NS_BEGIN

struct DensityMultiplier {
  const float* error;       // C
  const float* diagonal;    // sum_k w_k |grad_k C|^2 [1/(Pa s^2)]
  const float* deficiency;  // 1 - share of a full kernel
  float relaxation;         // epsilon [1/(Pa s^2)]
  float invDt2;             // 1/s^2
  float mostDeficiency;     // beyond it, under a free surface, the fluid is pressed but never pulled; infinite: as printed
  float* p;                 // added to, Pa

  MNS_HD void operator()(Index i) const {
    const float next = p[i] + error[i] * invDt2 / (diagonal[i] + relaxation);
    p[i] = deficiency[i] > mostDeficiency && next < 0.f ? 0.f : next;
  }
};

// sum_k w_k |grad_k C_a|^2 over the fluid: |T_a|^2 / rho_a of its own motion, and that of its neighbours.
struct ConstraintDiagonal {
  const Vec4f* T;
  const float *c2r2, *invRho;
  float invRho0;
  float* out;
  MNS_HD void operator()(Index i) const { out[i] = invRho[i] * norm2(T[i].xyz()) + invRho0 * c2r2[i]; }
};

MNS_NS_END
