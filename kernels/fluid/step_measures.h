// Sums over the fluid that a step on a device begins and ends with; each is stored behind its fold.
#pragma once

#include <cmath>

#include "kernels/core/fold.h"
#include "kernels/fluid/free_surface.h"
#include "kernels/fluid/pressure_pass.h"
#include "kernels/search/cell_order.h"
#include "kernels/solid/rigid_slots.h"

MNS_NS_BEGIN

template <int K>
struct StoreValues {
  double* out;
  MNS_HD void operator()(const double (&value)[K]) const {
    for (int k = 0; k < K; ++k) out[k] = value[k];
  }
};
struct StoreNothing {
  template <int K>
  MNS_HD void operator()(const double (&)[K]) const {}
};

struct LargestSpeed2 {
  const Vec4f* u;
  MNS_HD void operator()(Index i, double (&acc)[1]) const { acc[0] = MaxOf::fold(acc[0], double(norm2(u[i].xyz()))); }
};
// Particles beyond the domain, and of those the ones that left through an open side.
struct CountOutside {
  const Vec4f* x;
  Vec3f extent;
  bool wall[6];
  MNS_HD void operator()(Index i, double (&acc)[2]) const {
    if (!outsideOf(extent, x[i])) return;
    acc[0] += 1;
    bool open = false;
    for (int k = 0; k < 3; ++k) {
      open |= x[i].xyz()[k] < 0 && !wall[2 * k];
      open |= x[i].xyz()[k] > extent[k] && !wall[2 * k + 1];
    }
    acc[1] += open;
  }
};
// Where the kernel is full: |e|, e, number; of all: change of volume, particles with nothing on one side; leaked ones.
struct DensityErrors {
  const float *e, *deficiency;
  const std::uint8_t* leaked;
  MNS_HD void operator()(Index i, double (&acc)[6]) const {
    acc[3] -= double(e[i]) / (1 + double(e[i]));
    acc[4] += deficiency[i] > kSurface;
    acc[5] += leaked[i] != 0;
    if (deficiency[i] > 0.05f) return;
    acc[0] += std::fabs(double(e[i]));
    acc[1] += double(e[i]);
    acc[2] += 1;
  }
};
struct LargestError {
  const float* e;
  MNS_HD void operator()(Index i, double (&acc)[1]) const { acc[0] = MaxOf::fold(acc[0], std::fabs(double(e[i]))); }
};
struct DivergenceSquare {
  const float *divergence, *deficiency;
  MNS_HD void operator()(Index i, double (&acc)[2]) const {
    if (deficiency[i] > 0.05f) return;
    acc[0] += double(divergence[i]) * divergence[i];
    acc[1] += 1;
  }
};
// Of the pressure on the surfaces [N]: xyz of those that do not give way, sum of the magnitudes of all.
struct SurfaceForces {
  const Vec4f* plane;
  const float* phi;
  const RigidSlot* bodies;  // null: none gives way
  double V;
  MNS_HD void operator()(Index s, double (&acc)[4]) const {
    const Vec3d force = Vec3d(plane[s].xyz()) * (V * double(phi[s]));
    for (int k = 0; k < 3 && !(bodies && bodies[s].rigid != -1); ++k) acc[k] += force[k];
    acc[3] += norm(force);
  }
};

// The same by rigid body, one a block: collects what its slots have.
struct RigidForces {
  const Feature* features;
  const float* phi;
  SurfaceSet set;
  Index slots;
  double V;
  int threads;  // of a block
  MNS_HD void operator()(Index body, int thread, double (&acc)[3]) const {
    for (Index s = thread; s < slots; s += threads) {
      if (set.material(features[s].surface).rigid != body) continue;
      const Vec3d force = Vec3d(features[s].n) * (V * double(phi[s]));
      for (int k = 0; k < 3; ++k) acc[k] += force[k];
    }
  }
};

// value(kind) for each particle; and tables by kind that depend on the step.
struct LookUpKind {
  const std::uint8_t* kind;
  const float* table;
  float* out;
  MNS_HD void operator()(Index i) const { out[i] = table[kind[i]]; }
};
struct ScaleTable {
  const double* base;
  double scale;
  float* out;
  MNS_HD void operator()(Index k) const { out[k] = float(base[k] * scale); }
};
struct FillTable {
  float value;
  float* out;
  MNS_HD void operator()(Index k) const { out[k] = value; }
};

MNS_NS_END
