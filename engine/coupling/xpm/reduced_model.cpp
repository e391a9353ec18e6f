#include "engine/coupling/xpm/reduced_model.h"

#include <algorithm>

namespace meniscus::coupling {
namespace {

// Below this reciprocal condition the small system's solution has no correct digit.
constexpr double kSingular = 1e-14;

// d of (I - J1 J2) d = r. Drops the oldest columns of the longer model while the small system is singular.
Vector solveCoupled(SecantModel& j1, SecantModel& j2, const Vector& r) {
  while (j1.columns() > 0 && j2.columns() > 0) {
    const Eigen::MatrixXd B = j1.Q.transpose() * j2.A, C = j2.Q.transpose() * j1.A;
    Eigen::MatrixXd small = -B * C;
    small.diagonal().array() += 1;
    const Eigen::FullPivLU<Eigen::MatrixXd> lu(small);
    if (lu.rcond() > kSingular) return r + j1.A * lu.solve(B * (j2.Q.transpose() * r));
    SecantModel& longer = j1.columns() >= j2.columns() ? j1 : j2;
    longer.keep(longer.columns() - 1);
  }
  return r;
}

}  // namespace

int ReducedModel::columns() const { return std::min(fluid.columns(), solid.columns()); }

Vector ReducedModel::position(const Vector& xf, const Vector& pf, const Vector& xs, const Vector& ps) {
  Vector r = xs - xf;
  if (solid.columns() > 0) r += solid.apply(pf - ps);
  return xf + solveCoupled(solid, fluid, r);
}

Vector ReducedModel::load(const Vector& xf, const Vector& pf, const Vector& xs, const Vector& ps) {
  Vector q = pf - ps;
  if (fluid.columns() > 0) q += fluid.apply(xs - xf);
  return ps + solveCoupled(fluid, solid, q);
}

}  // namespace meniscus::coupling
