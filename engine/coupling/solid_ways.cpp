#include "engine/coupling/solid_ways.h"

#include <cmath>

namespace meniscus::coupling {
namespace {

constexpr double kSmall = 1e-4;  // of a cell: so far the solids are pushed to see which ways they have
constexpr double kNew = 1e-3;    // of a push's answer: what less than that is along ways that are known
constexpr int kIdle = 2;         // pushes that show no new way, one after another
constexpr double kLift = 0.1;    // of a cell: so far the fluid's load takes the solids at most, as the largest coordinate

// Without a part that vanishes by a symmetry of the solids.
Vector pattern(Eigen::Index n, const SolidPart& part, int k) {
  Vector q = Vector::Zero(n);
  for (Eigen::Index i = part.begin; i < part.end; ++i) q[i] = std::sin(1.7 * double(i - part.begin) * (k + 1) + 0.3 + 2.1 * k);
  return q;
}

struct Ways {
  BoxCalls& calls;
  double length;
  Eigen::MatrixXd Q;

  // About the answer `at` to the load. False where the solids failed.
  bool pushPart(const SolidPart& part, const Vector& load, const Vector& at, double& size) {
    const Eigen::Index first = Q.cols();
    Vector pushed, way;
    for (int k = 0, idle = 0; idle < kIdle && k < 2 * part.freedoms; ++k) {
      for (int turn = 0; turn < 2; ++turn) {  // the first answer says how much is little
        if (!calls.solid(load + size * pattern(calls.size(), part, k), pushed)) return false;
        way = Vector::Zero(calls.size());
        way.segment(part.begin, part.end - part.begin) = (pushed - at).segment(part.begin, part.end - part.begin);
        const double moved = way.lpNorm<Eigen::Infinity>();
        if (!(moved > 0) || (moved < 2 * kSmall * length && moved > 0.1 * kSmall * length)) break;
        size *= kSmall * length / moved;
      }
      idle = addWay(Q, way) ? 0 : idle + 1;
      if (Q.cols() - first == part.freedoms) break;
    }
    return true;
  }

  bool pushAll(const Vector& load) {
    Vector at;
    if (!calls.solid(load, at)) return false;
    double size = 1;  // N s
    for (const SolidPart& part : calls.parts())
      if (!pushPart(part, load, at, size)) return false;
    return true;
  }
};

}  // namespace

bool addWay(Eigen::MatrixXd& Q, Vector way) {
  const double length = way.norm();
  for (int turn = 0; turn < 2; ++turn) way -= Q * (Q.transpose() * way);
  if (!(way.norm() > kNew * length)) return false;
  Q.conservativeResize(Eigen::NoChange, Q.cols() + 1);
  Q.rightCols(1) = way / way.norm();
  return true;
}

Eigen::MatrixXd solidWays(BoxCalls& calls, const Vector& load, double length) {
  const Eigen::Index n = calls.size();
  const Eigen::MatrixXd none(n, 0);
  Ways ways{calls, length, none};
  Vector free, lifted;
  if (!calls.solid(Vector::Zero(n), free) || !calls.solid(load, lifted)) return none;
  const double far = (lifted - free).lpNorm<Eigen::Infinity>(), part = far > kLift * length ? kLift * length / far : 1;
  return ways.pushAll(Vector::Zero(n)) && ways.pushAll(part * load) ? ways.Q : none;
}

}  // namespace meniscus::coupling
