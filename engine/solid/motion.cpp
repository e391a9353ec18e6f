#include "engine/solid/motion.h"

#include <algorithm>

#include "kernels/solid/rotation.h"

namespace meniscus {

void sortKeyFrames(std::vector<KeyFrame>& motion) {
  for (KeyFrame& k : motion) k.rotate = k.rotate.normalizedQuat();
  std::stable_sort(motion.begin(), motion.end(), [](const KeyFrame& a, const KeyFrame& b) { return a.time < b.time; });
}

Pose poseAt(const std::vector<KeyFrame>& motion, double t) {
  if (motion.empty()) return {};
  const auto after =
      std::upper_bound(motion.begin(), motion.end(), t, [](double time, const KeyFrame& k) { return time < k.time; });
  if (after == motion.begin()) return {after->translate, after->rotate};
  const KeyFrame& a = *(after - 1);
  if (after == motion.end()) return {a.translate, a.rotate};
  const double u = (t - a.time) / (after->time - a.time);
  return {a.translate + (after->translate - a.translate) * u, slerp(a.rotate, after->rotate, u)};
}

double speedBetween(const KeyFrame& a, const KeyFrame& b, double reach) {
  const double angle = norm(rotationToVector(b.rotate * a.rotate.conjugate()));
  return (norm(b.translate - a.translate) + angle * reach) / (b.time - a.time);
}

double greatestSpeed(const std::vector<KeyFrame>& motion, double reach, double begin, double end) {
  auto b = std::upper_bound(motion.begin(), motion.end(), begin, [](double time, const KeyFrame& k) { return time < k.time; });
  double greatest = 0;
  for (; b != motion.end() && (b == motion.begin() || (b - 1)->time < end); ++b)
    if (b != motion.begin()) greatest = std::max(greatest, speedBetween(*(b - 1), *b, reach));
  return greatest;
}

}  // namespace meniscus
