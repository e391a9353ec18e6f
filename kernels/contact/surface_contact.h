// Contact after the move with surfaces that do not give way, resting or moved: the particle's way (surface_mover.h), then its
// velocity at each of the contacts in turn (collision.h).
#pragma once

#include "kernels/contact/collision.h"
#include "kernels/contact/surface_mover.h"

MNS_NS_BEGIN

struct SurfaceContact {
  SurfaceSet set;
  double V;
  const float* rho;  // per fluid kind [kg/m^3]
  const std::uint8_t* kind;
  const float* triangleDistance;  // of xOld
  const Vec4f* xOld;
  Vec4f *x, *u;
  std::uint8_t* leaked;
  Index *shared, *sharedContacts;  // null: no body gives way. 1 and the number of contacts where one of them is with such a body

  // Particles with shared contacts stay where they are. acc: impulse on the fluid [N s], sum of the magnitudes, particles corrected
  // by the continuous test
  MNS_HD void operator()(Index i, double (&acc)[5]) const {
    if (shared) shared[i] = sharedContacts[i] = 0;
    const Vec3f from = xOld[i].xyz(), to = x[i].xyz();
    if (!finite(from) || !finite(to)) return;  // reported by the step's own check
    SurfaceMover m(set);
    m.run(from, to, triangleDistance[i]);
    if (m.corrected()) acc[4] += 1;
    if (m.leaks()) leaked[i] = 1;
    if (shared && isShared(m)) {
      shared[i] = 1;
      sharedContacts[i] = m.contacts();
      return;
    }
    if (!(m.position() == to)) x[i] = Vec4f(m.position(), 0.f);
    const double mass = double(rho[kind[i]]) * V;
    for (int k = 0; k < m.contacts(); ++k) {
      const SurfaceHit& h = m.contact(k).hit;
      const SurfaceMaterial& s = set.material(h.surface);
      Collision{mass, s.friction, s.noSlip != 0, set.velocityAtEnd(h.surface, Vec3d(x[i].xyz()))}.apply(Vec3d(h.n), u[i], acc);
    }
  }

 private:
  MNS_HD bool isShared(const SurfaceMover& m) const {
    bool any = false;
    for (int k = 0; k < m.contacts(); ++k) {
      const std::int32_t r = set.material(m.contact(k).hit.surface).rigid;
      any |= r == kOfNodes || (r >= 0 && set.rigid[r].invMass > 0);
    }
    return any;
  }
  MNS_HD static bool finite(const Vec3f& a) { return norm2(a) - norm2(a) == 0.f; }
};

MNS_NS_END
