// The multiplier increment of extended position-based dynamics (Macklin, Mueller, Chentanez 2016), and of the plain method with a
// stiffness between 0 and 1.
#pragma once

#include "kernels/core/vec.h"

MNS_NS_BEGIN

// Constraints that say the same of the same nodes (in a sheet, of three edges a node and of three bends a node) make a joint solve
// without compliance singular, and inconsistent as soon as round-off has its say: multipliers then grow without bound, and with
// them what they move. In single precision a row of the solve is exact to 2^-24 of its inverse mass; a compliance of this share of
// it over the step's square keeps that below one per cent of the compliance. A constraint alone is then fulfilled but for 1e-5 of
// what there was to do: stretched by 1e-5 of the way its nodes would fall apart in a step under its force. A step taken in parts
// keeps the compliance of the whole, so that what one part leaves stretched is not undone in no time by a shorter one.
constexpr double kSolvable = 1e-5;

template <class T>
struct Xpbd {
  T alphaTilde;  // alpha / dt^2
  T gamma;       // damping time / dt

  // value C, multiplier so far, grad C . (x - xPrev), grad C . M^-1 grad C
  MNS_HD T increment(T value, T lambda, T moved, T gWg) const {
    return (-value - alphaTilde * lambda - gamma * moved) / ((T(1) + gamma) * gWg + alphaTilde);
  }
  // The compliance with which one linear solve, masses as given, removes the share k of the violation: solving for lambda in
  // (gWg + alphaTilde) lambda = -C moves C by k C. It lets a stiffness take part in a joint solve, where "a projection" has no
  // meaning.
  MNS_HD static T equivalentAlphaTilde(T k, T gWg) { return k > T(0) ? (T(1) / k - T(1)) * gWg : T(0); }
  // At least the share of gWg that a joint solve can tell from nothing, see kSolvable.
  MNS_HD static T solvableAlphaTilde(T alphaTilde, T share, T gWg) { return alphaTilde > share * gWg ? alphaTilde : share * gWg; }
  // share: of the violation that one projection removes
  MNS_HD static T plainIncrement(T value, T gWg, T share) { return -share * value / gWg; }
};

// Whether the nodes that can move have a hold on the constraint: sums of |grad|^2 over them and over all its nodes. At an edge
// between right angles the weights of isometric bending vanish at one node but for round-off (1e-16; in a mesh file of six digits
// 1e-6). Where the other three are held, that node alone would have to answer for their error, by moving 1e16 times as far.
template <class T>
MNS_HD bool hasHold(T freeGrad2, T allGrad2) {
  constexpr T least = T(1e-6);  // the hold's square
  return freeGrad2 > least * allGrad2;
}

// M^-1 g for an inverse mass w in the tangent plane and wn along the unit normal n (water that moves with a sheet).
template <class V, class T>
MNS_HD V applyInverseMass(T w, T wn, const V& n, const V& g) {
  return g * w + n * ((wn - w) * dot(n, g));
}

MNS_NS_END
