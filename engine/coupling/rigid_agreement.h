// The way out of a step that passes do not end: of solids that can move in few ways (rigid bodies), with the fluid's faces kept.
//
// A body much lighter than the fluid that it moves answers to an error of its position by many times that error, and where a
// contact opens or closes, or a face of the fluid, no difference of two such answers says what lies beside it: passes that learn
// from differences then go to and fro, or stop at a place that is none. With its faces kept the fluid is affine in the motion of
// its boundary. So
//
//   1  it is asked once for each way in which the solids can move, F^ = A Q^T, about the step's first guess: the same faces by any
//      method, and no pass's that was lost;
//   2  the solids are asked, and not modelled, under the load of that: x = S(p^f + F^ (x - x^f)), by Newton's method in the few
//      coordinates y = Q^T (x - x^f). It starts where the fluid would leave massless solids, which light ones are near to, and goes
//      down a convex function, so that no contact that opens or closes on the way leads it astray;
//   3  the fluid is asked there, and the solids about its own load.
//
// Where water comes to the solids or leaves them on the way the fluid is affine in pieces only (FluidBox::piece): then 1 to 3 are
// done again about the new place, as a semismooth Newton method does, and no farther than both sides' sum falls (both_sides.h).
//
// What the fluid is asked is told in the report, and is no iteration. The more ways there are, the longer passes go on before.
//
// It ends where the passes would with these faces: at S(F(x)) = x. Where other faces belong to that x it is not quite the one
// system's answer, and so only a large gain calls for it at once: with a small one passes mostly find their own faces, and
// have time for it.
#pragma once

#include "engine/coupling/box_calls.h"

namespace meniscus::coupling {

// Ends the step where its passes do not near one another (BoxCalls::isLost) and there is this way out: true then, with what came of
// it in the report. Once a step. length: of a cell [m].
bool endByAgreement(BoxCalls& calls, double length);

}  // namespace meniscus::coupling
