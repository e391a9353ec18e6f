// Rotations as vectors (axis times angle), interpolation between two, and the free motion of a rigid body about its centre of mass.
#pragma once

#include "kernels/core/vec.h"

MNS_NS_BEGIN

template <class T>
MNS_HD inline Quat<T> rotationFromVector(const Vec3<T>& r) {
  const T a2 = norm2(r) * T(0.25);
  // sin(a)/a of the half angle a, by its series where a^4/120 is below round-off
  const T a = std::sqrt(a2), s = a2 < T(1e-8) ? T(1) - a2 / T(6) : std::sin(a) / a;
  return Quat<T>{std::cos(a), r.x * T(0.5) * s, r.y * T(0.5) * s, r.z * T(0.5) * s}.normalizedQuat();
}

// The shorter way round.
template <class T>
MNS_HD inline Vec3<T> rotationToVector(const Quat<T>& q) {
  const T sign = q.w < T(0) ? T(-1) : T(1);
  const Vec3<T> v = Vec3<T>{q.x, q.y, q.z} * sign;
  const T s = norm(v), c = q.w * sign;
  if (s < T(1e-8)) return v * (T(2) / (c > T(0) ? c : T(1)));
  return v * (T(2) * std::atan2(s, c) / s);
}

// Spherical linear interpolation, u in [0, 1].
template <class T>
MNS_HD inline Quat<T> slerp(const Quat<T>& a, const Quat<T>& b, T u) {
  return (rotationFromVector(rotationToVector(b * a.conjugate()) * u) * a).normalizedQuat();
}

// One step of free rotation: q body to world, m angular momentum in the body frame [kg m^2/s]. Rotations about the principal axes,
// each exact, in the symmetric order x y z y x (Dullweber, Leimkuhler, McLachlan 1997): symplectic and reversible, the angular
// momentum in the world frame is kept to round-off and the energy only oscillates.
template <class T>
struct FreeRotation {
  Vec3<T> invInertia;  // 1/(kg m^2)

  MNS_HD void step(Quat<T>& q, Vec3<T>& m, T dt) const {
    about(0, T(0.5) * dt, q, m);
    about(1, T(0.5) * dt, q, m);
    about(2, dt, q, m);
    about(1, T(0.5) * dt, q, m);
    about(0, T(0.5) * dt, q, m);
    q = q.normalizedQuat();
  }

 private:
  MNS_HD void about(int axis, T dt, Quat<T>& q, Vec3<T>& m) const {
    const T half = T(0.5) * dt * m[axis] * invInertia[axis];
    Quat<T> r{std::cos(half), T(0), T(0), T(0)};
    (axis == 0 ? r.x : axis == 1 ? r.y : r.z) = std::sin(half);
    q = q * r;
    m = r.conjugate().rotate(m);
  }
};

MNS_NS_END
