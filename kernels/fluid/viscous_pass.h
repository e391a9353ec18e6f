// One product with the matrix of an implicit viscous step, y = rho u + h L u, for the particles, and the shear on the surfaces.
//
// Pairs: Cleary's form (Cleary & Monaghan 1999, eq. 2.9), as in damping.h, central and therefore without torque:
//   (L u)_a = sum_b 2 (d + 2) mu w_ab e (e . u_ab) / r^2,   e = x_ab,   d = 3,   w: viscous_kernel.h                   [N/m^3]
// Surfaces: the pair (a, b) also acts through its mirror image. Where the fluid slips, the image of b moves as the reflection of
// u_b in the frame of the wall: no shear. Where it sticks, as that reflection reversed: tangentially against u_b, normally with it.
// (At such a wall the normal velocity of an incompressible fluid grows with the square of the distance, so an even and an odd
// continuation are equally good; with this one the matrix stays symmetric and energy can only be lost.) With the closest points
// c_a, c_b and distances d_a, d_b, the line from a to the image of b meets the wall in
//   P = (d_b c_a + d_a c_b) / (d_a + d_b),   e_a = (x_a - P) (d_a + d_b) / d_a = x_ab + d_b (n_a + n_b),   e_b likewise
//   sigma = e_a . u_a + s e_b . u_b - (e_a + s e_b) . w(P),   w(P) = (d_b w(c_a) + d_a w(c_b)) / (d_a + d_b),   s = 1: slips, -1:
//   sticks (L u)_a += g e_a,   (L u)_b += s g e_b,   force on the wall at P: g (e_a + s e_b),   g = 2 (d + 2) mu w' sigma / r'^2
// All three forces pass through P: linear and angular momentum are exact, a rigid motion of all has sigma = 0. The wall's force is
// shared between the slots of a and b as w(P) is. A particle's own image acts where the fluid slips (2 e_a . (u_a - w)); where it
// sticks it moves along with the particle.
// Images by two and three walls at once, in concave edges, are left out.
#pragma once

#include "kernels/fluid/pressure_pass.h"
#include "kernels/fluid/viscous_kernel.h"

MNS_NS_BEGIN

struct ViscousPass {
  PairView v;
  const std::uint8_t* kind;
  const float* mu;   // per fluid kind: 2 (d + 2) h mu [Pa s^2]
  const float* rho;  // per fluid kind, or null: y = h L u alone
  ViscousKernel kernel;
  const Vec4f* wall;  // per slot: velocity of the closest point; w: root of the feature's weight, negative where the fluid sticks
  const float* u;     // four floats a particle, the fourth 0
  float* y;           // likewise
  Vec4f* shear;       // per slot: h times the force on the surface [N s/m^3]

  MNS_HD void operator()(Index i) const {
    const Vec4f ui = loadVec4(u, i);
    Vec4f f = pairs(i, ui);
    if (v.near[i] >= 0) f += images(i, ui, v.near[i]);
    if (rho) f += ui * rho[kind[i]];
    storeVec4(y, i, f.withW(0.f));
  }

  // Four pairs at a time (rows are padded), so that the divisions of four overlap.
  MNS_HD Vec4f pairs(Index i, const Vec4f& ui) const {
    const PairRow row = v.direct(i);
    const Vec4f xi = v.xh[i];
    const float mi = mu[kind[i]];
    Vec4f s0{}, s1{};
    for (Index unit = 0; unit * kRowUnit < v.count[i]; ++unit) {
      const Pair* const p = row.unit(unit);
      Vec4f x[kRowUnit];
      float c[kRowUnit];
      for (int l = 0; l < kRowUnit; ++l) {
        const Index j = p[l].j();
        x[l] = xi - v.xh[j];
        const float r2 = (x[l] * x[l]).sum();
        // the mean of both kinds' viscosities: the forces of a pair are equal and opposite
        c[l] = 0.5f * (mi + mu[kind[j]]) * kernel.w(std::sqrt(r2)) * ((ui - loadVec4(u, j)) * x[l]).sum() / (r2 + 1e-20f);
      }
      s0.addScaled(x[0], c[0]);
      s1.addScaled(x[1], c[1]);
      s0.addScaled(x[2], c[2]);
      s1.addScaled(x[3], c[3]);
    }
    return s0 + s1;
  }

  // Of i in the image of j that the slots s and t of the two give: adds to the force on i, and to that on the wall at s.
  // A pair is evaluated from both its particles, with the same bits but for the sign.
  MNS_HD void image(Index i, const Vec4f& ui, Offset s, Index j, Offset t, Vec4f& force, Vec4f& onWall) const {
    const float da = 0.5f * v.plane[s].w, db = 0.5f * v.plane[t].w;
    const Vec4f x = v.xh[i] - v.xh[j], n = (v.plane[s] + v.plane[t]).withW(0.f);
    const float r2 = (x * x).sum() + 4.f * da * db, r = std::sqrt(r2);
    if (!(r < kernel.H)) return;
    const float weight = wall[s].w * wall[t].w, sign = wall[s].w < 0.f && wall[t].w < 0.f ? -1.f : 1.f, share = 1.f / (da + db);
    const Vec4f ea = x + n * db, eb = (n * da - x) * sign, w = ((wall[s] * db + wall[t] * da) * share).withW(0.f);
    const float sigma = ((ea * ui).sum() + (eb * loadVec4(u, j)).sum()) - ((ea + eb) * w).sum();
    const float g = 0.5f * (mu[kind[i]] + mu[kind[j]]) * (weight < 0.f ? -weight : weight) * kernel.w(r) * sigma / (r2 + 1e-20f);
    force += ea * g;
    onWall += (ea + eb) * (i == j ? 0.5f * g : g * db * share);
  }

  MNS_HD Vec4f images(Index i, const Vec4f& ui, Index row) const {
    const MirrorLink* l = v.links + v.linkBegin[row];
    Vec4f force{};
    for (int k = 0; k < v.featureCount[row]; ++k) {
      const Index s = v.slotBegin[row] + k;
      Vec4f onWall{};
      if (wall[s].w > 0.f) image(i, ui, s, i, s, force, onWall);
      for (const MirrorLink* const end = l + v.linkCount[s]; l != end; ++l)
        image(i, ui, s, v.slotParticle[l->slot], l->slot, force, onWall);
      shear[s] = onWall.withW(0.f);
    }
    return force;
  }
};

MNS_NS_END
