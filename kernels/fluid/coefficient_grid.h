// From kRoundedFrom particles on, coefficients of pairs are whole multiples of a power of two, at most 65535 of it where particles
// are no nearer than a fifth of the support: 16 bits hold one without loss (kernels/fluid/packed_groups.h), and sums of them are
// exact, so that both particles of a pair know the same coefficient whatever the order in which its images are added. It is as if
// particles were moved by a hundred-thousandth of a spacing or two: the sums over the rows are made of the rounded coefficients, so
// momentum and adjointness are exact as before. The rule is the same wherever a step runs and however its rows are kept.
#pragma once

#include <cstdint>
#include <cstring>

#include "kernels/core/smoothing_kernel.h"

MNS_NS_BEGIN

constexpr float kMostSteps = 65535;

// Lists of 8 MB. Where fewer have room in the nearest caches, sums in half the bytes save no more time than it takes to pack them,
// and coefficients are left as they are.
constexpr Index kRoundedFrom = 32000;

struct CoefficientGrid {
  float step = 0;   // [1/m^2]; 0: coefficients are left as they are
  float round = 0;  // added to a coefficient and taken off again, it leaves the nearest multiple

  MNS_HD static CoefficientGrid of(const SmoothingKernel<float>& kernel, float V) {
    const float least = 0.5f * V * kernel.f0 / kMostSteps;  // half the coefficient at the distance 0
    std::uint32_t bits;
    std::memcpy(&bits, &least, sizeof bits);
    bits = (bits + 0x7fffffu) & 0xff800000u;  // the next power of two
    CoefficientGrid g;
    std::memcpy(&g.step, &bits, sizeof bits);
    g.round = g.step * 12582912.f;  // 1.5 2^23
    return g;
  }
  // Whether those of n particles are rounded. The kernel-diagonal mode, whose matrix is assembled, has them as they are.
  MNS_HD static bool wanted(Index n, bool kernelDiagonal) { return n >= kRoundedFrom && !kernelDiagonal; }
  MNS_HD float nearest(float c) const { return (c + round) - round; }
};

MNS_NS_END
