// The way out of a step that passes do not end: of solids that can move in many ways (cloth, skins, soft solids), mostly as they
// are much lighter than the fluid that they move.
//
// A light sheet answers to an error of its position by the error times the ratio of the masses: a hundred times as far, and where
// it would be then it is another solid, stretched or without any place at all. Differences of such answers say nothing of the step.
// What is sought is near, and near it both sides are nearly linear. So
//
//   1  the fluid keeps its faces, and is affine then: F(x) = f + F' (x - x_b), about the pass that had the two sides nearest;
//   2  the solids are asked with small differences S', first about where no load takes them. What their linear answer leaves is the
//      first direction, and what every further one leaves the next; made orthonormal they are Q. One fluid and one solid solve each
//      give A = F' Q and T = S' A;
//   3  x = x_b + Q y, and y takes what is left, |h + (T - Q) y|, as far down as Q can: GMRES on S(F(x)) - x. Its iterations grow as
//      the root of the masses' ratio at most; passes that only relax need that ratio itself;
//   4  the solids are asked, and not modelled, under f + A y. Directions are added as long as half of what their answer leaves is
//      across those that there are (Newton's method, as inexact as what is left is large);
//   5  the fluid is asked there, and the solids about its own load. Where it came to them or left them on the way, which is a kink
//      in F, all begins again from there; no farther than both sides' sum falls (both_sides.h).
//
// What the fluid is asked about directions is told in the report, and is no iteration.
//
// It ends where the passes would with these faces: at S(F(x)) = x.
//
// Based on: Saad & Schultz, GMRES: a generalized minimal residual algorithm for solving nonsymmetric linear systems, 1986;
// Eisenstat & Walker, Globally convergent inexact Newton methods, 1994.
#pragma once

#include "engine/coupling/box_calls.h"

namespace meniscus::coupling {

// Ends the step: true, with what came of it in the report. False where this is no way out: the solids move in few ways, as of
// rigid_agreement.h, or the fluid has no faces to keep. length: of a cell [m].
bool endByKrylov(BoxCalls& calls, double length);

}  // namespace meniscus::coupling
