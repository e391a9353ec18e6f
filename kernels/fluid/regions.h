// Connected regions of the fluid on a device: every particle takes the lowest number among its neighbours' labels and that label's
// own, until nothing changes. What a region has to say of its volume, as engine/particle/full_regions.cpp asks it.
#pragma once

#include "kernels/fluid/free_surface.h"
#include "kernels/fluid/pressure_pass.h"

MNS_NS_BEGIN

struct OwnLabel {
  Index* label;
  MNS_HD void operator()(Index i) const { label[i] = i; }
};
// acc: labels that changed
struct SpreadLabel {
  PairView v;
  const Index* label;
  Index* next;
  MNS_HD void operator()(Index i, double (&acc)[1]) const {
    Index least = label[label[i]];
    const PairRow row = v.folded(i);
    for (Index k = 0; k < v.count[i]; ++k)
      if (label[row[k].j()] < least) least = label[row[k].j()];
    acc[0] += least != label[i];
    next[i] = least;
  }
};

// By label: 1 where a region begins.
struct RegionHeads {
  const Index* label;  // ascending
  Index* head;
  MNS_HD void operator()(Index k) const { head[k] = k == 0 || label[k] != label[k - 1]; }
};
struct RegionBegins {
  const Index* head;
  const Offset* before;
  Index n;
  Index* begin;  // of the regions, and n
  MNS_HD void operator()(Index k) const {
    if (head[k]) begin[before[k]] = k;
    if (k + 1 == n) begin[before[n]] = n;
  }
};

struct RegionSums {
  std::int32_t count, kind;      // particles; of fluid, of a particle away from surfaces
  double asked, error, surface;  // sums of the density term [1/s^2] and of bounded density errors; particles of a surface
  double x[3];                   // of the particle away from surfaces [m]
};

// A block a region.
struct CollectRegion {
  const Index *begin, *order;
  const float *densityTerm, *e, *deficiency;
  float mostError;
  int threads;
  MNS_HD void operator()(Index region, int thread, double (&acc)[3]) const {
    for (Index k = begin[region] + thread; k < begin[region + 1]; k += threads) {
      const Index i = order[k];
      acc[0] += densityTerm[i];
      acc[1] += e[i] < mostError ? e[i] : mostError;
      acc[2] += deficiency[i] > kSurface;
    }
  }
};
struct StoreRegion {
  const Index* begin;
  RegionSums* out;
  MNS_HD void operator()(Index region, const double (&v)[3]) const {
    out[region].count = begin[region + 1] - begin[region];
    out[region].asked = v[0];
    out[region].error = v[1];
    out[region].surface = v[2];
  }
};
// The last particle away from surfaces, or the first.
struct CollectDeep {
  const Index *begin, *order, *near;
  int threads;
  MNS_HD void operator()(Index region, int thread, double (&acc)[1]) const {
    for (Index k = begin[region] + thread; k < begin[region + 1]; k += threads)
      if (near[order[k]] < 0 && order[k] + 1.0 > acc[0]) acc[0] = order[k] + 1.0;
  }
};
struct StoreDeep {
  const Index *begin, *order;
  const Vec4f* x;
  const std::uint8_t* kind;
  RegionSums* out;
  MNS_HD void operator()(Index region, const double (&v)[1]) const {
    const Index i = v[0] > 0 ? Index(v[0]) - 1 : order[begin[region]];
    out[region].kind = kind[i];
    out[region].x[0] = x[i].x;
    out[region].x[1] = x[i].y;
    out[region].x[2] = x[i].z;
  }
};

struct AddToRegion {
  const Index *order, *head;
  const Offset* before;
  const float* more;  // per region
  float* densityTerm;
  MNS_HD void operator()(Index k) const { densityTerm[order[k]] += more[before[k] + head[k] - 1]; }
};
struct CountSurface {
  const float* deficiency;
  MNS_HD void operator()(Index i, double (&acc)[1]) const { acc[0] += deficiency[i] > kSurface; }
};

MNS_NS_END
