#include "engine/solid/angular_momentum.h"

#include <cmath>

#include "kernels/core/symmetric_eigen.h"

namespace meniscus {
namespace {

// Sums over a body, about the point o: [0] mass, [1..3] mass r, [4..6] impulse, [7..9] r cross impulse,
// [10..15] mass r r^T (xx yy zz xy xz yz), [16] number of held nodes.
constexpr int kSums = 17;

struct SumMomentum {
  View<const Vec3d> x, xPrev, before;
  View<const NodeContact> contacts;
  View<const double> w;
  Vec3d o;
  Index first;
  void operator()(Index k, double* sum) const {
    const Index i = first + k;
    if (w[i] <= 0) {
      sum[16] += 1;
      return;
    }
    const double m = 1 / w[i];
    const Vec3d r = xPrev[i] - o, p = (x[i] - before[i] - contacts[i].moved) * m, l = cross(r, p);
    const double add[kSums] = {
        m,   m * r.x,       m * r.y,       m * r.z,       p.x,           p.y,           p.z,           l.x, l.y,
        l.z, m * r.x * r.x, m * r.y * r.y, m * r.z * r.z, m * r.x * r.y, m * r.x * r.z, m * r.y * r.z, 0};
    for (int c = 0; c < kSums; ++c) sum[c] += add[c];
  }
};

struct RotateNodes {
  View<Vec3d> x;
  View<const Vec3d> xPrev;
  Vec3d center, angle;
  Index first;
  void operator()(Index k) const { x[first + k] += cross(angle, xPrev[first + k] - center); }
};

}  // namespace

Vec3d rotationAgainst(const Mat3d& j, const Vec3d& t) {
  Mat3d axes;
  const Vec3d principal = symmetricEigen(j, axes);
  const double least = 1e-9 * (principal.x + principal.y + principal.z);
  Vec3d angle{};
  for (int k = 0; k < 3; ++k)
    if (principal[k] > least) angle -= axes.column(k) * (dot(axes.column(k), t) / principal[k]);
  return angle;
}

void restoreAngularMomentum(Exec& exec, SolidState& s) {
  for (const Body& b : s.bodies) {
    const Index n = b.nodeEnd - b.nodeBegin;
    if (b.rigid >= 0 || n == 0) continue;
    const Vec3d o = s.xPrev[b.nodeBegin];
    double sum[kSums];
    parallelSum<kSums>(
        exec, "angular momentum", n,
        SumMomentum{s.x.view(), s.xPrev.view(), s.work.before.view(), s.work.nodeContacts.view(), s.w.view(), o, b.nodeBegin}, sum);
    if (sum[16] > 0 || !(sum[0] > 0)) continue;
    const Vec3d c = Vec3d{sum[1], sum[2], sum[3]} / sum[0], p{sum[4], sum[5], sum[6]};
    const Vec3d torque = Vec3d{sum[7], sum[8], sum[9]} - cross(c, p);
    const Mat3d moments{{{sum[10], sum[13], sum[14]}, {sum[13], sum[11], sum[15]}, {sum[14], sum[15], sum[12]}}};
    const Mat3d central = moments - Mat3d::outer(c, c) * sum[0];
    const Vec3d angle = rotationAgainst(Mat3d::identity() * trace(central) - central, torque);
    if (norm2(angle) > 0)
      parallelFor(exec, "angular momentum", n, RotateNodes{s.x.view(), s.xPrev.view(), o + c, angle, b.nodeBegin});
  }
}

}  // namespace meniscus
