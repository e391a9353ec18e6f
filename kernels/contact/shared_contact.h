// Contacts of particles with bodies that give way, side by side for the program: many particles at one body have to see each
// other's impulses, so they are dealt with in turn.
#pragma once

#include "kernels/contact/surface_mover.h"

MNS_NS_BEGIN

struct SharedParticle {
  float x[4], u[4];
  std::int32_t particle, kind;
};
struct SharedContact {
  std::int32_t row, surface;  // row: among the shared particles
  float n[3], b0, b1, moved[3];
  std::int32_t squeezed;
};

// Runs the particles whose contacts are shared once more, from where they began.
struct ShareContacts {
  SurfaceSet set;
  const float* triangleDistance;
  const std::uint8_t* kind;
  const Vec4f *xOld, *x, *u;
  const Index* shared;  // 1: the particle's contacts are
  const Offset *rowBefore, *contactsBefore;
  SharedParticle* rows;
  SharedContact* contacts;
  MNS_HD void operator()(Index i) const {
    if (!shared[i]) return;
    SurfaceMover m(set);
    m.run(xOld[i].xyz(), x[i].xyz(), triangleDistance[i]);
    const Vec3f y = m.position();
    const Index row = Index(rowBefore[i]);
    rows[row] = {{y.x, y.y, y.z, 0.f}, {u[i].x, u[i].y, u[i].z, 0.f}, i, kind[i]};
    for (int k = 0; k < m.contacts(); ++k) {
      const SurfaceHold& c = m.contact(k);
      contacts[contactsBefore[i] + k] = {row,           c.hit.surface, {c.hit.n.x, c.hit.n.y, c.hit.n.z},
                                         c.hit.b0,      c.hit.b1,      {c.moved.x, c.moved.y, c.moved.z},
                                         m.isSqueezed()};
    }
  }
};
// What the program made of them.
struct TakeShared {
  const SharedParticle* rows;
  Vec4f *x, *u;
  MNS_HD void operator()(Index r) const {
    x[rows[r].particle] = loadVec4(rows[r].x);
    u[rows[r].particle] = loadVec4(rows[r].u);
  }
};

MNS_NS_END
