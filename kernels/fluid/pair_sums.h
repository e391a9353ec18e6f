// Coefficients of the direct pairs of a list, and the sums over each row, eight lanes a row: the bits of pair_row.h.
#pragma once

#include "kernels/core/fold.h"
#include "kernels/fluid/pair_row.h"

MNS_NS_BEGIN

struct PairSums {
  static constexpr int kLanes = 8, kSums = 0;
  static constexpr bool kNearestFirst = false;
  const Offset* begin;
  const Index* count;
  Pair* items;
  const Vec4f* x;
  Vec3f centre;
  SmoothingKernel<float> kernel;
  float V, cW;
  CoefficientGrid grid;
  Vec4f *xh, *T;
  float *sumC, *c2r2, *c2, *density;

  MNS_HD LaneSums<pair_row::sums> lane(Index i, int l) const {
    LaneSums<pair_row::sums> s = {};
    const Vec4f xi = x[i];
    Pair* const row = items + begin[i];
    for (Index k = l; k < count[i]; k += kLanes) {
      const Vec4f d = xi - x[row[k].j()];
      row[k].c = pair_row::addPair(d.xyz(), (d.x * d.x + d.y * d.y) + d.z * d.z, kernel, V * kernel.f0, s.v, grid);
    }
    return s;
  }
  MNS_HD void finish(Index i, const LaneSums<pair_row::sums>& s, double*) const {
    const float* v = s.v;
    xh[i] = Vec4f(x[i].x - centre.x, x[i].y - centre.y, x[i].z - centre.z, 1.f);
    T[i] = Vec4f(v[pair_row::tx], v[pair_row::ty], v[pair_row::tz], v[pair_row::sc]);
    sumC[i] = v[pair_row::sc];
    c2r2[i] = v[pair_row::sc2r2];
    c2[i] = v[pair_row::sc2];
    density[i] = cW * V * (kernel.w0 + v[pair_row::sW]);
  }
};

MNS_NS_END
