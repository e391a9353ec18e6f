#include "engine/coupling/coupling.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace meniscus::coupling {
namespace {

// A number of the rule that is out of its range, with what it may be.
void refuse(const char* name, double value, const char* range) {
  throw Error(ErrorKind::input, fmt::format("coupling: {} is {}; give a number {}", name, value, range));
}

}  // namespace

double StopRule::tolerance(double dt) const {
  const double scale = speed > 0 && length > 0 ? std::min(1.0, dt * speed / length) : 1.0;
  return fraction * length * scale;
}

void StopRule::check() const {
  const auto range = [](const char* name, double value) {
    if (!(value >= 0) || !std::isfinite(value)) refuse(name, value, "that is not negative");
  };
  range("the length of the tolerance", length);
  range("the tolerance's fraction of a length", fraction);
  range("the speed of the tolerance", speed);
  range("the relative tolerance", relative);
  if (!(fraction * length > 0) && !(relative > 0))
    throw Error(ErrorKind::input, "coupling: no tolerance is given; set a length and a fraction of it, or a relative tolerance");
  if (maxIterations < 1) refuse("the largest number of iterations", maxIterations, "of 1 or more");
}

const char* nameOf(Stop stop) {
  switch (stop) {
    case Stop::converged:
      return "converged";
    case Stop::noInterface:
      return "no interface";
    case Stop::onePass:
      return "one pass";
    case Stop::maxIterations:
      return "not converged";
    case Stop::fluidNotFinite:
      return "fluid not finite";
    case Stop::solidNotFinite:
      return "solid not finite";
    case Stop::guessNotFinite:
      return "guess not finite";
    case Stop::systemNotSolved:
      return "coupled linear system not solved";
  }
  return "unknown";
}

std::string Report::text() const {
  std::string line = fmt::format("{} after {} fluid and {} solid solves", nameOf(stop), fluidSolves, solidSolves);
  if (linearSystems > 0)
    line = fmt::format("{} after {} linear systems of {} iterations in all", nameOf(stop), linearSystems, linearIterations);
  if (passes.empty()) return line;
  const Pass& last = passes.back();
  line += fmt::format(", residual {:.3g} m, tolerance {:.3g} m", last.residual, tolerance);
  if (last.omega != 0) line += fmt::format(", omega {:.3g}", last.omega);
  if (last.columnsUsed + last.columnsDropped > 0)
    line += fmt::format(", {} columns used, {} dropped", last.columnsUsed, last.columnsDropped);
  if (heldFrom > 0) line += fmt::format(", faces kept from pass {}", heldFrom);
  return line;
}

void Coupling::setCarried(const std::vector<double>& numbers) {
  if (!numbers.empty())
    throw Error(ErrorKind::input, "coupling: the snapshot is of another coupling method; resume with the method that wrote it");
  reset();
}

}  // namespace meniscus::coupling
