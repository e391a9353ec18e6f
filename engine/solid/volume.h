// Enclosed volumes: the closed-volume constraint and the gas pressure of balloons.
#pragma once

#include "engine/solid/solid.h"

namespace meniscus {

// Volume of a body's closed surface [m^3], and its gradient by node in grad (indexed by node, only the body's nodes are written)
// [m^2].
double volumeAndGradient(const SolidState& s, const VolumeConstraint& c, const Vec3d* x, Vec3d* grad);

// Signed volume enclosed by triangles [triBegin, triEnd) of s.tri with the nodes at x [m^3].
double enclosedVolume(const SolidState& s, const Vec3d* x, Index triBegin, Index triEnd);

// One Gauss-Seidel projection. share: what stiffness-mode constraints remove of the violation. normal may be null.
void projectVolume(SolidState& s, VolumeConstraint& c, double dt, double share, const double* invMassNormal, const Vec3d* normal);

// v += dt w p grad V for gas-filled bodies, at xPrev, where these impulses have no torque. Not part of the prediction: the skin
// holds the gas back, and where the gas alone would take the nodes in a step is no place to look for neighbours, nor to linearise
// at.
void applyGasPressure(SolidState& s, double dt);

}  // namespace meniscus
