// What happens to a particle by itself in a sub-step: gravity, its share of the density correction, acceleration, advection.
#pragma once

#include "kernels/core/vec4.h"

MNS_NS_BEGIN

// Larger density errors come from carved or crushed packings; correcting them at once would shoot the particles off.
constexpr float kMostError = 0.1f;

struct AddGravity {
  const Vec4f* u;
  Vec4f* out;
  Vec4f dv;
  MNS_HD void operator()(Index i) const { out[i] = Vec4f((u[i] + dv).xyz(), 0.f); }
};

// Density error and its share of the right-hand side. A negative error is real only where the kernel is full.
struct DensityTerm {
  const float *density, *sumC;
  float invS0, scale;
  float *e, *deficiency, *term;
  MNS_HD void operator()(Index i) const {
    const float delta = 1.f - sumC[i] * invS0;
    float err = density[i] - 1.f;
    if (err < 0.f && delta > 0.05f) err = 0.f;
    e[i] = err;
    deficiency[i] = delta;
    term[i] = scale * (err < kMostError ? err : kMostError);
  }
};

struct Accelerate {
  const Vec4f *uStar, *b;
  float h;
  Vec4f* u;
  MNS_HD void operator()(Index i) const { u[i] = Vec4f((uStar[i] + b[i] * h).xyz(), 0.f); }
};

struct Advect {
  Vec4f *x, *xOld;
  const Vec4f* u;
  float h;
  MNS_HD void operator()(Index i) const {
    xOld[i] = x[i];
    x[i] = Vec4f((x[i] + u[i] * h).xyz(), 0.f);
  }
};

MNS_NS_END
