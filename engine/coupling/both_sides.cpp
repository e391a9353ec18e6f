#include "engine/coupling/both_sides.h"

#include <algorithm>

namespace meniscus::coupling {
namespace {

constexpr double kRise = 0.5;  // of what the sum fell by at the last point: so much it may rise by at the newest one
constexpr double kLeast = 0.1, kMost = 0.7;
constexpr int kCuts = 8;

}  // namespace

bool goBack(BoxCalls& calls, const BothSides& last, BothSides& newest, bool& cut) {
  cut = false;
  const Vector far = newest.taken;
  double part = 1;
  for (int k = 0; last.taken.size() > 0 && k < kCuts && calls.hasSolvesLeft(); ++k) {
    const Vector way = newest.x - last.x;
    const double fall = (last.given - last.taken).dot(way), rise = (newest.taken - newest.given).dot(way);
    if (!(fall > 0) || !(rise > kRise * fall)) return true;
    cut = true;
    part *= std::clamp(fall / (fall + rise), kLeast, kMost);
    newest.taken = last.taken + part * (far - last.taken);
    if (!calls.solid(newest.taken, newest.x) || !calls.fluid(newest.x, newest.given)) return false;
  }
  return true;
}

}  // namespace meniscus::coupling
