// The multiplier increment of extended position-based dynamics (Macklin, Mueller, Chentanez 2016), and of the plain method with a
// stiffness between 0 and 1.
#pragma once

#include "kernels/core/vec.h"

MNS_NS_BEGIN

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
  // share: of the violation that one projection removes
  MNS_HD static T plainIncrement(T value, T gWg, T share) { return -share * value / gWg; }
};

// M^-1 g for an inverse mass w in the tangent plane and wn along the unit normal n (water that moves with a sheet).
template <class V, class T>
MNS_HD V applyInverseMass(T w, T wn, const V& n, const V& g) {
  return g * w + n * ((wn - w) * dot(n, g));
}

MNS_NS_END
