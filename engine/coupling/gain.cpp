#include "engine/coupling/gain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/coupling/box_calls.h"

namespace meniscus::coupling {
namespace {

// A start with a part along every mode: no symmetry of a body makes this pattern orthogonal to its modes by chance.
Vector startDirection(int n) {
  Vector d(n);
  for (int i = 0; i < n; ++i) d[i] = 1 + 0.5 * std::sin(1.7 * i + 0.3);
  return d / d.norm();
}

bool composed(BoxCalls& calls, const Vector& x, Vector& answer) {
  Vector load;
  return calls.fluid(x, load) && calls.solid(load, answer);
}

}  // namespace

Gain interfaceGain(FluidBox& fluid, SolidBox& solid, double dt, const GainOptions& options) {
  if (!(options.step > 0) || !std::isfinite(options.step))
    throw Error(ErrorKind::input, fmt::format("coupling: the gain's step is {} m; give one above 0", options.step));
  StopRule rule;
  rule.relative = 1;  // nothing here converges in passes; a rule must be a valid one
  BoxCalls calls(fluid, solid, dt, rule);
  Gain gain;
  const Vector base = calls.extrapolated();
  Vector atBase, answer, d = startDirection(calls.size());
  bool finite = calls.size() > 0 && composed(calls, base, atBase);
  while (finite && !gain.converged && gain.products < options.maxProducts) {
    finite = composed(calls, base + options.step * d, answer);
    if (!finite) break;
    ++gain.products;
    const Vector product = (answer - atBase) / options.step;
    const double last = gain.eigenvalue, length = product.norm();
    gain.eigenvalue = d.dot(product);
    // the eigenvalue stands and the product lies along d: a pair of eigenvalues that take turns would not do that
    const bool along = std::abs(std::abs(gain.eigenvalue) - length) <= options.tolerance * length;
    gain.converged = along && std::abs(gain.eigenvalue - last) <= options.tolerance * std::abs(gain.eigenvalue);
    if (!(length > 0)) break;
    d = product / length;
  }
  gain.converged = gain.converged && finite;
  gain.g = std::max(0.0, -gain.eigenvalue);
  fluid.restore();
  solid.restore();
  return gain;
}

}  // namespace meniscus::coupling
