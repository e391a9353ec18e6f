// Films before surfaces in a coupled solve: they do not pull, so their pressures are held at zero, by a diagonal many times their
// own. Which of them are held is guessed before a solve and corrected after it; as engine/particle/active_sets.cpp.
#pragma once

#include "kernels/core/macros.h"
#include "kernels/fluid/free_surface.h"

MNS_NS_BEGIN

constexpr float kHoldFilm = 1e5f;
// Relative change of density in a step that separate films may take, in the mean and one of them, before they push again at once
// and not from the next step on.
constexpr double kMostFilmCompression = 1e-4, kMostOfOneFilm = 5e-3;

// Do those that were held want to push again? compression: summed over the films, rounded up to 0; above: films beyond the second.
MNS_HD inline bool filmsPush(double compression, double films, double above) {
  return compression > kMostFilmCompression * films || above > 0;
}

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
// acc: what filmsPush asks for. clamp: films may be separate at all.
struct SeparateFilms {
  const Index* near;
  const float *deficiency, *diag;
  double dt;
  bool clamp;
  float* p;
  std::uint8_t* film;
  MNS_HD void operator()(Index i, double (&acc)[3]) const {
    if (film[i]) {
      const double compression = double(p[i]) * diag[i] * dt * dt;
      acc[0] += compression > 0 ? compression : 0.0;
      acc[1] += 1;
      acc[2] += compression > kMostOfOneFilm;
    }
    film[i] = clamp && near[i] >= 0 && deficiency[i] > kFilm && !(p[i] >= 0.f);
    if (film[i]) p[i] = 0.f;
  }
};

MNS_NS_END
