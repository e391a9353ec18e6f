// The CFL rule: how long a sub-step may be.
#pragma once

#include <algorithm>
#include <cmath>

namespace meniscus {

// fastest * h + g h^2 / 2 <= reach
inline double longestByPath(double fastest, double g, double reach) {
  return 2 * reach / (fastest + std::sqrt(fastest * fastest + 2 * g * reach) + 1e-30);
}

struct SubstepChoice {
  double h, needed;  // s; sub-steps that what remains needs
  int left;          // that there may be
};
// asked: sub-steps that are wanted in any case; done: those that the step has had.
inline SubstepChoice chooseSubstep(double remaining, double limit, double asked, int done, int maxSubsteps) {
  const double needed = std::max(asked - done, std::max(1.0, std::ceil(remaining / limit * (1 - 1e-12))));
  const int left = std::max(1, maxSubsteps - done);
  return {remaining / std::min(needed, double(left)), needed, left};
}

}  // namespace meniscus
