// Whether a box is another one now than the one that a method's columns were learnt from: a fluid whose faces changed, as can be
// where a small step by a model that has nothing more to learn takes the two sides apart. Differences that depend on others say
// that of it; the model of a skin, which can move in hundreds of ways, is never so far. Nor does it matter where the tolerance is
// wider than the steps that do it. The newest difference has the jump in it, as a slope that is none: a model with it goes nowhere.
#pragma once

#include "engine/coupling/coupling.h"

namespace meniscus::coupling {

// pass: the newest one; best: the least jump of the step before it [m]; tolerance: that of the step [m].
inline bool hasSprung(const StopRule& stop, const Pass& pass, double best, double tolerance) {
  constexpr int kLearnt = 3, kKnown = 2;  // columns used, and differences left out
  constexpr double kSmall = 0.005;        // of stop.length
  constexpr double kApart = 2;            // of the least jump of the step
  return tolerance < kSmall * stop.length && pass.columnsUsed >= kLearnt && pass.columnsDropped >= kKnown &&
         pass.step < kSmall * stop.length && pass.jump > kApart * best;
}

}  // namespace meniscus::coupling
