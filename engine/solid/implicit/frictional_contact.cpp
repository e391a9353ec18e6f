#include "engine/solid/implicit/frictional_contact.h"

#include <algorithm>
#include <cmath>

#include "engine/base/stop.h"
#include "engine/solid/implicit/normal_impulses.h"

namespace meniscus::implicit {
namespace {

constexpr double kNothing = 1e-10;  // of the largest response
constexpr double kRidge = 1e-10;    // of the largest response: contacts that hang on one another have no single answer
constexpr int kSweepsApart = 10;    // between two direct solves
constexpr int kMostDirect = 40;     // solves; then the normal impulses are solved for by themselves
constexpr int kMostSets = 40;       // of those, which friction calls for anew; sweeps alone go on behind them
constexpr std::size_t kMostRows = 600;
constexpr double kBeyond = 1e6;  // of the largest way that is asked for: what one impulse alone would move its contact by

// Changes one row's impulse; r follows.
void change(const FrictionalContact& p, Eigen::Index row, double by, Vector& lambda, Vector& r) {
  if (by == 0) return;
  lambda[row] += by;
  r += p.response.col(row) * by;
}

// The tangential impulse of one contact, onto the disc of its friction. Returns its own change of r.
double rub(const FrictionalContact& p, Eigen::Index contact, Vector& lambda, Vector& r) {
  const Eigen::Index n = contact * p.dimension, t = n + 1, rows = p.dimension - 1;
  // of a symmetric block the trace is at least the largest eigenvalue
  double response = 0;
  for (Eigen::Index k = t; k < t + rows; ++k)
    if (p.answers[std::size_t(k)]) response += p.response(k, k);
  if (!(response > 0)) return 0;
  Vector next = lambda.segment(t, rows) - r.segment(t, rows) / response;
  for (Eigen::Index k = 0; k < rows; ++k)
    if (!p.answers[std::size_t(t + k)]) next[k] = 0;
  const double most = p.friction[contact] * lambda[n], size = next.norm();
  if (size > most) next *= most / size;
  const Vector by = next - lambda.segment(t, rows);
  for (Eigen::Index k = 0; k < rows; ++k) change(p, t + k, by[k], lambda, r);
  return by.norm() * response;
}

// The rows whose equations are known from where the sweeps are: contacts that press, and the planes of those that stick.
std::vector<Eigen::Index> knownRows(const FrictionalContact& p, const Vector& lambda) {
  std::vector<Eigen::Index> rows;
  for (Eigen::Index c = 0; c < p.contacts(); ++c) {
    const Eigen::Index n = c * p.dimension;
    if (!(lambda[n] > 0)) continue;
    rows.push_back(n);
    const bool sticks = lambda.segment(n + 1, p.dimension - 1).norm() < (1 - 1e-9) * p.friction[c] * lambda[n];
    for (Eigen::Index k = 1; sticks && k < p.dimension; ++k)
      if (p.answers[std::size_t(n + k)]) rows.push_back(n + k);
  }
  return rows;
}

// Solves these rows at once, and goes there as far as all of them still press. The sweeps that follow judge it.
void solveDirectly(const FrictionalContact& p, Vector& lambda, Vector& r) {
  const std::vector<Eigen::Index> rows = knownRows(p, lambda);
  if (rows.empty() || rows.size() > kMostRows) return;
  Eigen::MatrixXd a = p.response(rows, rows);
  a.diagonal().array() += kRidge * a.diagonal().maxCoeff();
  Vector right(Eigen::Index(rows.size()));
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const Eigen::Index row = rows[k];
    right[Eigen::Index(k)] = (row % p.dimension == 0 ? p.target[row / p.dimension] : 0) - r[row];
  }
  const Vector by = a.llt().solve(right);
  if (!by.allFinite()) return;
  double part = 1;
  for (std::size_t k = 0; k < rows.size(); ++k)
    if (rows[k] % p.dimension == 0 && by[Eigen::Index(k)] < 0) part = std::min(part, -lambda[rows[k]] / by[Eigen::Index(k)]);
  for (std::size_t k = 0; k < rows.size(); ++k) change(p, rows[k], part * by[Eigen::Index(k)], lambda, r);
  for (const Eigen::Index row : rows)
    if (row % p.dimension == 0) lambda[row] = std::max(0.0, lambda[row]);  // what is below by round-off
}

// A direct solve of what cannot be met ends where the ridge stops it, at one over kRidge.
bool beyondBounds(const FrictionalContact& p, const Vector& lambda, double way) {
  for (Eigen::Index n = 0; n < lambda.size(); n += p.dimension)
    if (p.answers[std::size_t(n)] && lambda[n] * p.response(n, n) > kBeyond * way) return true;
  return false;
}

// Where the sweeps do not end by themselves: the normal impulses for the tangential ones there are. True where that is the end of
// it, as no contact rubs or they are wedged.
bool solveNormals(const FrictionalContact& p, double tolerance, double beyond, Vector& lambda, Vector& r, SweepReport& report) {
  NormalImpulses normals(p, tolerance);
  const NormalsEnd end = normals.solve(beyond, lambda, r);
  report.normalSteps += normals.steps();
  report.wedged = end == NormalsEnd::wedged;
  if (report.wedged || !p.friction.isZero(0)) return report.wedged;
  if (end == NormalsEnd::solved) report.change = 0;
  return true;
}

}  // namespace

void FrictionalContact::findAnswers() {
  const double least = kNothing * response.diagonal().maxCoeff();
  answers.clear();
  for (Eigen::Index k = 0; k < response.rows(); ++k) answers.push_back(response(k, k) > least);
}

SweepReport solveFrictionalContact(const FrictionalContact& p, double tolerance, int maxSweeps, Vector& lambda) {
  SweepReport report;
  Vector r = p.free + p.response * lambda;
  const double way = std::max(p.free.lpNorm<Eigen::Infinity>(), p.target.lpNorm<Eigen::Infinity>()) + tolerance;
  for (; report.sweeps < maxSweeps; ++report.sweeps) {
    report.change = 0;
    stopIfAsked();
    for (Eigen::Index c = 0; c < p.contacts(); ++c) {
      const Eigen::Index n = c * p.dimension;
      if (!p.answers[std::size_t(n)]) continue;
      const double own = p.response(n, n), next = std::max(0.0, lambda[n] + (p.target[c] - r[n]) / own);
      report.change = std::max(report.change, std::fabs(next - lambda[n]) * own);
      change(p, n, next - lambda[n], lambda, r);
      if (p.friction[c] > 0) report.change = std::max(report.change, rub(p, c, lambda, r));
    }
    if (report.change <= tolerance) break;
    if (report.sweeps % kSweepsApart != kSweepsApart - 1) continue;
    const int solves = (report.sweeps + 1) / kSweepsApart;
    if (solves < kMostDirect) {
      solveDirectly(p, lambda, r);
      if ((report.wedged = beyondBounds(p, lambda, way))) break;
    } else if (solves < kMostDirect + kMostSets && solveNormals(p, tolerance, kBeyond * way, lambda, r, report)) {
      break;
    }
  }
  return report;
}

}  // namespace meniscus::implicit
