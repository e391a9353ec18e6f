// A particle's velocity at a contact with a surface that does not give way: the approaching normal part is taken out inelastically,
// Coulomb friction or sticking limits the tangential part.
#pragma once

#include "kernels/core/vec4.h"

MNS_NS_BEGIN

struct Collision {
  double mass;      // kg
  double friction;  // Coulomb coefficient
  bool noSlip;
  Vec3d surfaceVelocity;  // m/s

  // u: the particle's velocity [m/s]; n: from the surface to the particle. acc: impulse on the particle [N s], sum of the
  // magnitudes.
  MNS_HD void apply(const Vec3d& n, Vec4f& u, double* acc) const {
    const double inverseMass = 1.0 / mass, approach = dot(Vec3d(u.xyz()) - surfaceVelocity, n);
    double normalImpulse = 0;
    if (approach < 0) {
      normalImpulse = -approach / inverseMass;
      exchange(n * normalImpulse, u, acc);
    }
    const double limit = noSlip ? 1e300 : friction * normalImpulse;
    if (!(limit > 0)) return;
    const Vec3d v = Vec3d(u.xyz()) - surfaceVelocity, tangential = v - n * dot(v, n);
    const double speed = norm(tangential);
    if (!(speed > 0)) return;
    const double stop = speed / inverseMass;
    exchange(tangential / speed * -(limit < stop ? limit : stop), u, acc);
  }

 private:
  // The float velocity decides what the impulse really is.
  MNS_HD void exchange(const Vec3d& j, Vec4f& u, double* acc) const {
    const Vec3f before = u.xyz(), after = Vec3f(Vec3d(before) + j * (1.0 / mass));
    u = Vec4f(after, 0.f);
    const Vec3d real = (Vec3d(after) - Vec3d(before)) * mass;
    for (int k = 0; k < 3; ++k) acc[k] += real[k];
    acc[3] += norm(real);
  }
};

MNS_NS_END
