// Films before surfaces in a coupled solve: they do not pull, so their pressures are held at zero, by a diagonal many times their
// own. Which of them are held is guessed before a solve and corrected after it; as engine/particle/active_sets.cpp.
#pragma once

#include "kernels/core/macros.h"
#include "kernels/fluid/free_surface.h"

MNS_NS_BEGIN

constexpr float kHoldFilm = 1e5f;
// Relative change of density in a step that a separate film may take before it pushes again at once and not from the next step on.
constexpr double kMostFilmCompression = 1e-4;

// What was separate in the last step is so at first.
struct GuessFilms {
  const Index* near;
  const float *deficiency, *p;
  std::uint8_t* film;
  MNS_HD void operator()(Index i) const { film[i] = near[i] >= 0 && deficiency[i] > kFilm && p[i] == 0.f; }
};
// Diagonals of the operator and of the preconditioner, from those without films.
struct HoldFilms {
  const std::uint8_t* film;
  const float *operatorFree, *diagFree;
  float *operatorDiag, *diag;
  MNS_HD void operator()(Index i) const {
    const float more = film[i] ? kHoldFilm * diagFree[i] : 0.f;
    operatorDiag[i] = operatorFree[i] + more;
    diag[i] = diagFree[i] + more;
  }
};
// acc: films that want to push again. clamp: films may be separate at all.
struct SeparateFilms {
  const Index* near;
  const float *deficiency, *diag;
  double dt;
  bool clamp;
  float* p;
  std::uint8_t* film;
  MNS_HD void operator()(Index i, double (&acc)[1]) const {
    acc[0] += film[i] && double(p[i]) * diag[i] * dt * dt > kMostFilmCompression;
    film[i] = clamp && near[i] >= 0 && deficiency[i] > kFilm && !(p[i] >= 0.f);
    if (film[i]) p[i] = 0.f;
  }
};

MNS_NS_END
