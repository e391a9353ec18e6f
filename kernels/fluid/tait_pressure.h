// Tait's equation of state in place of a pressure equation: Becker & Teschner 2007, eq. 7 and 8, with gamma = 7:
//   p = (rho0 c^2 / gamma) ((rho / rho0)^gamma - 1)
// Never below zero: under tension particles would clump (Monaghan 2000) and a free surface would hold on to itself.
#pragma once

#include <cstdint>

#include "kernels/core/macros.h"
#include "kernels/core/view.h"

MNS_NS_BEGIN

struct TaitPressure {
  const float* error;        // rho / rho0 - 1, a particle
  const std::uint8_t* kind;  // of fluid, a particle
  const float* stiffness;    // rho0 c^2 / gamma, a kind [Pa]
  float most;                // errors are cut off here
  float* p;                  // Pa

  MNS_HD void operator()(Index i) const {
    const float e = error[i] < most ? error[i] : most;
    if (!(e > 0.f)) {
      p[i] = 0.f;
      return;
    }
    // (1 + e)^7 - 1 without the 1, which would round small errors away
    const float growth = e * (7 + e * (21 + e * (35 + e * (35 + e * (21 + e * (7 + e))))));
    p[i] = stiffness[kind[i]] * growth;
  }
};

MNS_NS_END
