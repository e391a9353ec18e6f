#include "engine/solid/implicit/implicit_solid.h"

#include <fmt/format.h>

#include <cmath>

#include "engine/base/error.h"

namespace meniscus::implicit {

void replaceByIdentity(SparseMatrix& a, const std::vector<char>& given) {
  for (Eigen::Index c = 0; c < a.outerSize(); ++c)
    for (SparseMatrix::InnerIterator it(a, c); it; ++it)
      if (given[std::size_t(it.row())] || given[std::size_t(c)]) it.valueRef() = it.row() == c ? 1 : 0;
}

SparseMatrix LinearisedStep::system(double dt) const {
  SparseMatrix a = mass + dt * damping + dt * dt * stiffness;
  replaceByIdentity(a, given);
  return a;
}

void refuse(const std::string& what, const std::string& text) { throw Error(ErrorKind::input, what + ": " + text); }

void checkPositive(const std::string& what, double number, bool orZero) {
  if (std::isfinite(number) && (number > 0 || (orZero && number == 0))) return;
  refuse(what, fmt::format("is {}; give a finite number {}", number, orZero ? "of 0 or more" : "above 0"));
}

void checkFinite(const std::string& what, const Vector& v) {
  for (Eigen::Index i = 0; i < v.size(); ++i)
    if (!std::isfinite(v[i])) refuse(what, fmt::format("number {} is {}; all must be finite", i, v[i]));
}

}  // namespace meniscus::implicit
