// A point of a step at which both sides are known, and how far to go from one to the next.
//
// With its faces kept the fluid gives loads that are less the derivative of a convex function of where its boundary is: in pieces
// affine, with kinks where it comes to the solids or leaves them. The solids need loads that are the derivative of another one, as
// nothing answers against its load. They agree where the sum of the two functions is least, and the derivative of that sum, what
// the solids take less what the fluid gives, is known wherever both were asked: so a way is gone as far as the sum falls.
#pragma once

#include "engine/coupling/box_calls.h"

namespace meniscus::coupling {

struct BothSides {
  Vector x;      // where they are [m]
  Vector taken;  // the load that the solids come there by; empty where it is not known
  Vector given;  // the fluid's load there
};

// Brings the newest point nearer to the last one where it is beyond the least on the way. `cut`: whether it was. False where a box
// failed, with the reason in the report of the calls.
bool goBack(BoxCalls& calls, const BothSides& last, BothSides& newest, bool& cut);

}  // namespace meniscus::coupling
