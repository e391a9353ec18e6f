// By the missing share of a particle's kernel: where the fluid ends.
#pragma once

#include "kernels/core/macros.h"

MNS_NS_BEGIN

// When fluid has no surface.
constexpr float kSurface = 0.2f;        // deficiency of particles with nothing on one side of them
constexpr double kMostSurface = 0.001;  // share of the particles: single ones lack neighbours in any disorder

// A film of one layer on a wall lacks 0.3 of its kernel. Particles at curved walls inside the fluid lack up to 0.15, and clamping
// those kicks a light skin in free fall until it bursts.
constexpr float kFilm = 0.25f;

// A film that leaves a surface is not held back by suction.
struct ClampFilms {
  const Index* near;  // near row of a particle, or -1
  const float* deficiency;
  float* p;
  MNS_HD void operator()(Index i) const {
    if (near[i] >= 0 && deficiency[i] > kFilm && p[i] < 0.f) p[i] = 0.f;
  }
};

MNS_NS_END
