#include "engine/coupling/partitioned/relaxation.h"

#include <algorithm>
#include <cmath>

#include "engine/coupling/box_calls.h"
#include "engine/coupling/check_options.h"

namespace meniscus::coupling {
namespace {

// Aitken's omega may fall to nothing far from the answer, and then stays there: the residual no longer changes. Below this part of
// the first omega it starts again.
constexpr double kStalled = 1e-2;

// omega_k = -omega_k-1 r_k-1 . (r_k - r_k-1) / |r_k - r_k-1|^2. Two equal residuals say nothing: omega stays.
double aitken(double omega, const Vector& last, const Vector& r) {
  const Vector change = r - last;
  const double square = change.squaredNorm();
  return square > 0 ? -omega * last.dot(change) / square : omega;
}

}  // namespace

Relaxation::Relaxation(const RelaxationOptions& options) : options_(options), omega_(options.omega) {
  options.stop.check();
  checkRelaxation(options.omega);
}

void Relaxation::setCarried(const std::vector<double>& numbers) {
  if (numbers.size() != 1 || !std::isfinite(numbers[0]) || numbers[0] == 0)
    throw Error(ErrorKind::input, "coupling: the snapshot has no relaxation factor; resume with the method that wrote it");
  omega_ = numbers[0];
}

Report Relaxation::advance(FluidBox& fluid, SolidBox& solid, double dt) {
  BoxCalls calls(fluid, solid, dt, options_.stop);
  if (calls.size() == 0) {
    calls.advanceApart();
    return calls.report();
  }
  Vector x = options_.extrapolate ? calls.guess() : calls.start();
  Vector load, xs, last;
  double omega = options_.aitken ? std::copysign(std::min(std::abs(omega_), options_.omega), omega_) : options_.omega;
  Pass pass;
  pass.step = (x - calls.start()).lpNorm<Eigen::Infinity>();
  while (calls.fluid(x, load) && calls.solid(load, xs)) {
    const Vector r = xs - x;
    pass.residual = pass.jump = r.norm();
    if (calls.finish(pass, xs)) break;
    if (options_.aitken && last.size() > 0) {
      omega = aitken(omega, last, r);
      if (std::abs(omega) < kStalled * options_.omega) omega = options_.omega;
    }
    x += omega * r;
    last = r;
    pass = {};
    pass.omega = omega;
    pass.step = std::abs(omega) * r.lpNorm<Eigen::Infinity>();
  }
  if (calls.report().converged()) omega_ = omega;
  return calls.report();
}

}  // namespace meniscus::coupling
