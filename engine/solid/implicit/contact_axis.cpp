#include "engine/solid/implicit/contact_axis.h"

#include <algorithm>
#include <limits>

namespace meniscus::implicit {
namespace {

// How far all of one lies before all of the other [m].
double between(const std::vector<Vec3d>& mine, const std::vector<Vec3d>& theirs, const Vec3d& axis) {
  double least = std::numeric_limits<double>::max(), most = -least;
  for (const Vec3d& x : mine) least = std::min(least, dot(axis, x));
  for (const Vec3d& x : theirs) most = std::max(most, dot(axis, x));
  return least - most;
}

}  // namespace

Vec3d contactAxis(const ContactPatch& mine, const ContactPatch& theirs, const Vec3d& normal, const std::vector<Vec3d>& others,
                  double apart) {
  const double least = std::numeric_limits<double>::lowest();
  const double start = between(mine.start, theirs.start, normal);
  Vec3d best = normal, nearest = normal;
  double farthest = least, start0 = start;
  if (start >= apart) {
    const double lacking = std::max(0.0, apart - between(mine.end, theirs.end, normal));
    farthest = apart - 0.5 * lacking;
  }
  for (const Vec3d& axis : others) {
    if (!(dot(axis, normal) > 0)) continue;
    const double begin = between(mine.start, theirs.start, axis);
    if (begin > start0) {
      start0 = begin;
      nearest = axis;
    }
    if (begin < apart) continue;
    const double end = between(mine.end, theirs.end, axis);
    if (end <= farthest) continue;
    farthest = end;
    best = axis;
  }
  return farthest > least ? best : nearest;
}

}  // namespace meniscus::implicit
