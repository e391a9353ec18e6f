// The implicit viscous step of engine/particle/viscosity.h on a device: conjugate gradients for the change of velocity,
// (M + h L) d = -h L u, with the masses M as the preconditioner. Four floats a particle; behind them, those of bodies that give
// way.
#pragma once

#include "kernels/contact/surface_set.h"
#include "kernels/fluid/pressure_rows.h"
#include "kernels/fluid/viscous_bodies.h"

MNS_NS_BEGIN

// Walls that rest: no velocity, and the root of the feature's weight, negative where the fluid sticks.
struct RestingWall {
  const Feature* features;
  bool noSlip;
  Vec4f* wall;
  MNS_HD void operator()(Index s) const {
    const float weight = std::sqrt(features[s].w);
    wall[s] = Vec4f(0, 0, 0, noSlip ? -weight : weight);
  }
};

// Surfaces of solids. moving: with their velocity, else as if they rested.
struct SurfaceWall {
  const Feature* features;
  const Index* particle;  // of the slot
  const Vec4f* x;
  SurfaceSet set;
  bool moving;
  Vec4f* wall;
  MNS_HD void operator()(Index s) const {
    const Feature& f = features[s];
    const float weight = std::sqrt(f.w);
    const Vec3f v = moving ? set.velocity(f.surface, x[particle[s]].xyz() - f.n * f.d) : Vec3f{};
    wall[s] = Vec4f(v, set.material(f.surface).noSlip ? -weight : weight);
  }
};

struct ViscousMass {
  const std::uint8_t* kind;
  const float* rho;
  ViscousBodies bodies;
  // z = M^-1 r of row i, and r . z
  MNS_HD void divide(Index i, const float* r, float* z, double& rz) const {
    const Vec4f ri = loadVec4(r, i);
    if (i < bodies.n) {
      const Vec4f zi = ri * (1.f / rho[kind[i]]);
      rz += double((ri * zi).sum());
      return storeVec4(z, i, zi);
    }
    storeRow(z, i, bodies.divide(i, r));
    rz += dot(Vec3d(ri.xyz()), Vec3d(loadVec4(z, i).xyz()));
  }
};

// b = -h L u from y = h L u, and the explicit step x = M^-1 b as the start.
struct ViscousStart {
  ViscousMass mass;
  float *b, *x;  // b: y before
  MNS_HD void operator()(Index i, double (&acc)[2]) const {
    storeVec4(b, i, loadVec4(b, i) * -1.f);
    mass.divide(i, b, x, acc[0]);
  }
};
// r = b - q, z = M^-1 r
struct ViscousResidual {
  ViscousMass mass;
  const float *b, *q;
  float *r, *z;
  MNS_HD void operator()(Index i, double (&acc)[1]) const {
    storeVec4(r, i, loadVec4(b, i) - loadVec4(q, i));
    mass.divide(i, r, z, acc[0]);
  }
};
// d = z + beta d
struct ViscousDirection {
  const SolveScalars* solve;
  const float* z;
  float* d;
  MNS_HD void operator()(Index i) const {
    if (!solve->done) storeVec4(d, i, loadVec4(z, i) + loadVec4(d, i) * solve->beta);
  }
};
struct ViscousCurvature {
  const float *d, *q;
  MNS_HD void operator()(Index i, double (&acc)[1]) const {
    const Vec4f a = loadVec4(d, i), b = loadVec4(q, i);
    acc[0] += ((double(a.x) * b.x + double(a.y) * b.y) + double(a.z) * b.z) + double(a.w) * b.w;
  }
};
// x += alpha d, r -= alpha q, z = M^-1 r
struct ViscousUpdate {
  ViscousMass mass;
  const SolveScalars* solve;
  const float *d, *q;
  float *x, *r, *z;
  MNS_HD void operator()(Index i, double (&acc)[1]) const {
    if (solve->done) return;
    const float alpha = solve->alpha;
    storeVec4(x, i, loadVec4(x, i) + loadVec4(d, i) * alpha);
    storeVec4(r, i, loadVec4(r, i) - loadVec4(q, i) * alpha);
    mass.divide(i, r, z, acc[0]);
  }
};
// out = u + x; acc: momentum that came in, per volume of a particle
struct ViscousFinish {
  const Vec4f* u;
  const float* x;
  ViscousMass mass;
  Vec4f* out;
  MNS_HD void operator()(Index i, double (&acc)[3]) const {
    out[i] = (u[i] + loadVec4(x, i)).withW(0.f);
    const Vec3f real = (out[i] - u[i]).xyz();
    for (int k = 0; k < 3; ++k) acc[k] += double(real[k]) * mass.rho[mass.kind[i]];
  }
};

MNS_NS_END
