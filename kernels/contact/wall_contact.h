// Contact with the domain's walls after the move: a particle nearer than the contact distance is pushed off, the approaching normal
// part of its velocity is taken out inelastically, Coulomb friction or sticking limits the tangential part.
#pragma once

#include "kernels/contact/collision.h"
#include "kernels/contact/domain_walls.h"

MNS_NS_BEGIN

struct WallContact {
  static constexpr int kPasses = 8, kPushes = 3;
  static constexpr float kPushTolerance = 1e-4f;  // of the contact distance
  DomainWalls walls;
  float contact;  // m
  double friction;
  bool noSlip;
  double V;
  const float* rho;  // per fluid kind [kg/m^3]
  const std::uint8_t* kind;
  const Vec4f* xOld;
  Vec4f *x, *u;
  std::uint8_t* leaked;

  // acc: impulse on the fluid [N s], sum of the magnitudes
  MNS_HD void operator()(Index i, double (&acc)[4]) const {
    Vec3f y = x[i].xyz();
    if (!finite(y) || !finite(xOld[i].xyz())) return;  // reported by the step's own check
    int held[DomainWalls::kSides];
    int n = 0;
    bool settled = false;
    for (int pass = 0; pass < kPasses && !settled; ++pass) settled = !pushOff(y, held, n);
    if (n == 0) return;
    x[i] = Vec4f(y, 0.f);
    if (!settled && walls.outside(y)) leaked[i] = 1;
    const double m = double(rho[kind[i]]) * V;
    for (int k = 0; k < n; ++k) Collision{m, friction, noSlip, {}}.apply(Vec3d(DomainWalls::normal(held[k])), u[i], acc);
  }

 private:
  MNS_HD static bool finite(const Vec3f& a) { return norm2(a) - norm2(a) == 0.f; }

  MNS_HD bool pushOff(Vec3f& y, int (&held)[DomainWalls::kSides], int& n) const {
    bool moved = false;
    for (int k = 0; k < kPushes; ++k) {
      int side[DomainWalls::kSides];
      const int near = walls.within(y, contact, side);
      const Vec3f from = y;
      bool pushed = false;
      for (int s = 0; s < near; ++s) {
        const Vec3f normal = DomainWalls::normal(side[s]);
        const float gap = walls.distance(side[s], from) + dot(normal, y - from);
        if (!(gap < contact * (1.f - kPushTolerance))) continue;
        y += normal * (contact - gap);
        pushed = true;
        bool known = false;
        for (int j = 0; j < n; ++j) known |= held[j] == side[s];
        if (!known) held[n++] = side[s];
      }
      if (!pushed) break;
      moved = true;
    }
    return moved;
  }
};

MNS_NS_END
