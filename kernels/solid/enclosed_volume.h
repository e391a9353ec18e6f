// A triangle's share of the volume enclosed by a closed surface, by the divergence theorem, and its share of the gradient.
// Positions are relative to a point near the surface: the sums over a closed surface do not depend on it, but their round-off does.
#pragma once

#include "kernels/core/vec.h"

MNS_NS_BEGIN

template <class T>
struct EnclosedVolume {
  // m^3
  MNS_HD static T value(const Vec3<T>& a, const Vec3<T>& b, const Vec3<T>& c) { return dot(a, cross(b, c)) * (T(1) / T(6)); }
  // The derivative by the node at a is a third of the area vectors around it; as this is linear in the closed sum, a triangle's
  // share may be taken as its own area vector over three, the same for its three nodes [m^2].
  MNS_HD static Vec3<T> gradient(const Vec3<T>& a, const Vec3<T>& b, const Vec3<T>& c) {
    return cross(b - a, c - a) * (T(1) / T(6));
  }
};

MNS_NS_END
