// Surface tension by cohesion, the local energy of a lack of neighbours:
//   E = alpha/2 sum_a V (1 - C_a)^2,   C_a = cW sum_b V W_ab with a itself, 1 in the bulk                                   [J]
// Its forces, f_a = - alpha cW V sum_b c_ab x_ab ((1 - C_a) + (1 - C_b)), c = V |F|, are central, equal and opposite: linear and
// angular momentum are exact. They vanish in the bulk, where nothing is added to the pressure. They act before the pressure solve,
// as a pull into the fluid that its pressure carries: surfaces stay dense, and nothing has to hold them by suction.
//
// W is the kernel of smoothing_kernel.h with a support H of its own, wider than that of the pressure. Forces that are made of the
// sums the pressure holds, it takes back whole; and of sums over few neighbours a fluid finds arrangements that lower them without
// a smaller surface (gradients of the colour, sum |N|^2 or sum |N|, end in shells and foam). What would lower this sum is as wide
// as several layers, and their density is held.
//
// Tension: below a plane in the depth z, 1 - C = int_z^H w(y) dy, w(y) = 2 pi int_y^H W(r) r dr, and the energy per area is
//   alpha/2 int_0^H (1 - C)^2 dz = alpha H I / 2,   I = 0.0325458
// The stress of the forces alone gives the same (their tension over alpha H I / 2 is 1.000). The pressure that they call up in the
// layer acts through its own kernel, which a surface cuts as well, and takes a part of that away: 0.31 in a half space without
// grain, less where particles have found their places. Drops of 8 and 12 spacings show 0.8 to 1, by pressure and period; alpha is
// made for kCapillaryShare of its energy.
//
// Walls of the domain are mirrors: the fluid goes on behind them, so its surface meets them at a right angle, and where there is no
// surface there is no force. Solids are not wetted: to them the fluid has a surface as to the air, where it has one to the air
// nearby.
#pragma once

#include <cmath>
#include <cstdint>

#include "kernels/core/float8.h"
#include "kernels/core/smoothing_kernel.h"
#include "kernels/core/vec4.h"
#include "kernels/fluid/free_surface.h"
#include "kernels/fluid/lattice.h"
#include "kernels/search/cells.h"

MNS_NS_BEGIN

constexpr double kCapillarySupport = 5;           // H in spacings
constexpr double kCapillaryEnergy = 0.032545846;  // I
constexpr double kCapillaryShare = 0.9;

// alpha / sigma [1/m]
inline double cohesionOf(double H) { return 2 / (kCapillaryShare * kCapillaryEnergy * H); }

// The longest step [s] at which semi-implicit Euler is stable, 2 / omega, in the bulk of a cubic lattice: omega^2 = alpha (cW D)^2
// / rho for longitudinal waves along an axis, D: the largest of sum_b c_ab x_ab sin(k x_ab).
inline double capillaryStep(double dx, double sigma, double rho) {
  const double H = kCapillarySupport * dx;
  const auto kernel = SmoothingKernel<double>::make(H);
  const int reach = int(kCapillarySupport) + 1;
  double slope = 0, axis[16] = {};  // axis: waves along x, of 32 / n spacings
  for (int x = -reach; x <= reach; ++x) {
    double layer = 0;
    for (int z = -reach; z <= reach; ++z)
      for (int y = -reach; y <= reach; ++y) {
        const double r = dx * std::sqrt(double(x * x + y * y + z * z));
        if (r > 0 && r < H) layer += dx * dx * dx * kernel.absF(r) * x * dx;
      }
    for (int n = 0; n < 16; ++n) axis[n] += layer * std::sin(3.14159265358979323846 * (n + 1) * x / 16);
  }
  for (const double sum : axis) slope = std::fmax(slope, std::fabs(sum));
  return 2 / (slope * latticeSums(dx, H).cW * std::sqrt(cohesionOf(H) * sigma / rho));
}

// The particles in cells, and their images in the walls of the domain.
struct CapillaryNeighbours {
  Cells cells;
  const Index* begin;  // of each cell's particles; one more
  const Vec4f* x;      // about the domain's lower corner [m]
  Vec3f extent;        // of the domain [m]
  bool mirror[6];      // side x lower, x upper, y lower ...
  float H, V;          // m, m^3
  // Of the cells, 1: something in it is wanted. null: everything is.
  const std::uint8_t* wanted;

  // Is anything wanted within H of a, or of its images?
  bool any(Index a) const {
    const Vec3f r{H, H, H}, xa = x[a].xyz();
    const Vec3<Index> lo = cells.cellOf(xa - r), hi = cells.cellOf(xa + r);
    for (Index z = lo.z; z <= hi.z; ++z)
      for (Index y = lo.y; y <= hi.y; ++y)
        for (Index c = cells.indexOf({lo.x, y, z}); c <= cells.indexOf({hi.x, y, z}); ++c)
          if (wanted[c]) return true;
    return false;
  }

  // f(place, sign, first, last) for the ranges of particles in which all within H of a are, a itself too, and for each of its
  // images in walls. place: of a or the image; sign: of the axes, -1 where mirrored.
  template <class F>
  void each(Index a, const F& f) const {
    const Vec3f xa = x[a].xyz();
    // of each axis 0: not mirrored, 1: in the lower side, 2: in the upper
    const float sign[3] = {1, -1, -1};
    float at[3][3];
    bool in[3][3];
    for (int k = 0; k < 3; ++k) {
      at[k][0] = xa[k];
      at[k][1] = -xa[k];
      at[k][2] = 2 * extent[k] - xa[k];
      in[k][0] = true;
      in[k][1] = mirror[2 * k] && xa[k] < H;
      in[k][2] = mirror[2 * k + 1] && extent[k] - xa[k] < H;
    }
    for (int i = 0; i < 3; ++i)
      for (int j = 0; in[0][i] && j < 3; ++j)
        for (int k = 0; in[1][j] && k < 3; ++k)
          if (in[2][k]) ranges({at[0][i], at[1][j], at[2][k]}, {sign[i], sign[j], sign[k]}, f);
  }
  template <class F>
  void ranges(const Vec3f& place, const Vec3f& sign, const F& f) const {
    const Vec3f r{H, H, H};
    const Vec3<Index> lo = cells.cellOf(place - r), hi = cells.cellOf(place + r);
    for (Index z = lo.z; z <= hi.z; ++z)
      for (Index y = lo.y; y <= hi.y; ++y)
        f(place, sign, begin[cells.indexOf({lo.x, y, z})], begin[cells.indexOf({hi.x, y, z}) + 1]);
  }
  // f(d, q, 1 - q or 0, b) for the particles [first, last) eight at a time: d from them to `place`, q = |d| / H, the number of the
  // first. Lanes behind the last one are far away.
  template <class F>
  void lanes(const Vec3f& place, Index first, Index last, const F& f) const {
    const Vec8 at{Float8(place.x), Float8(place.y), Float8(place.z)};
    const Float8 invH(1.f / H), one(1.f);
    const auto eight = [&](const Vec8& xb, Index b) {
      const Vec8 d = at - xb;
      const Float8 q = squareRoot(dot(d, d)) * invH;
      f(d, q, notNegative(one - q), b);
    };
    for (Index b = first; b < last; b += kLanes) {
      if (b + kLanes <= last) {
        eight(loadVec8(&x[b].x), b);
        continue;
      }
      Vec4f rest[kLanes];
      for (Index l = 0; l < kLanes; ++l) rest[l] = b + l < last ? x[b + l] : Vec4f(1e3f, 1e3f, 1e3f, 0.f);
      eight(loadVec8(&rest[0].x), b);
    }
  }
#if MNS_FLOAT8_AVX2
  static Float8 squareRoot(Float8 a) { return Float8(_mm256_sqrt_ps(a.v)); }
  static Float8 notNegative(Float8 a) { return Float8(_mm256_max_ps(a.v, _mm256_setzero_ps())); }
#else
  static Float8 squareRoot(Float8 a) {
    for (float& l : a.v) l = std::sqrt(l);
    return a;
  }
  static Float8 notNegative(Float8 a) {
    for (float& l : a.v) l = l > 0.f ? l : 0.f;
    return a;
  }
#endif
};

inline float sumOf(const Float8& a) {
  alignas(32) float l[kLanes];
  a.store(l);
  return ((l[0] + l[4]) + (l[2] + l[6])) + ((l[1] + l[5]) + (l[3] + l[7]));
}

// Cells that hold a particle at a surface, by the missing share of the pressure's kernel.
struct SurfaceCells {
  const Index* begin;
  const float* sumC;  // PairLists::sumC
  float invS0;
  std::uint8_t* flag;
  MNS_HD void operator()(Index c) const {
    bool any = false;
    for (Index i = begin[c]; i < begin[c + 1]; ++i) any |= 1.f - sumC[i] * invS0 > kSurface;
    flag[c] = any;
  }
};
// Cells that hold a particle with a deficit.
struct DeficitCells {
  const Index* begin;
  const float* g;
  std::uint8_t* flag;
  MNS_HD void operator()(Index c) const {
    bool any = false;
    for (Index i = begin[c]; i < begin[c + 1]; ++i) any |= g[i] != 0.f;
    flag[c] = any;
  }
};

// h alpha (1 - C) of the particles; 0 in the bulk.
struct CapillaryDeficit {
  CapillaryNeighbours near;
  SmoothingKernel<float> kernel;
  const std::uint8_t* kind;
  const float* strength;  // per fluid kind: h alpha [Pa s]
  float cW;               // so that C = 1 in the cubic lattice
  float* g;               // Pa s

  void operator()(Index i) const {
    if (!near.any(i)) {
      g[i] = 0.f;
      return;
    }
    Float8 sum;
    near.each(i, [&](const Vec3f& place, const Vec3f&, Index first, Index last) {
      near.lanes(place, first, last,
                 [&](const Vec8&, Float8 q, Float8 a, Index) { sum = sum + SmoothingKernel<float>::shapeW(q, a); });
    });
    g[i] = strength[kind[i]] * (1.f - cW * near.V * kernel.w0 * sumOf(sum));
  }
};

// The change of velocity by the forces of a step, added to `u`.
struct CapillaryForces {
  CapillaryNeighbours near;
  SmoothingKernel<float> kernel;
  const float* g;  // kLanes more than there are particles
  const std::uint8_t* kind;
  const float* rho;  // per fluid kind [kg/m^3]
  float cW;
  Vec4f* u;  // m/s

  void operator()(Index i) const {
    if (!near.any(i)) return;
    const Float8 gi(g[i]);
    Vec3f sum{};
    near.each(i, [&](const Vec3f& place, const Vec3f& sign, Index first, Index last) {
      Vec8 part{};
      near.lanes(place, first, last, [&](const Vec8& d, Float8 q, Float8 a, Index b) {
        part = part + d * (SmoothingKernel<float>::shapeF(q, a) * (gi + Float8::load(g + b)));
      });
      sum += Vec3f{sumOf(part.x) * sign.x, sumOf(part.y) * sign.y, sumOf(part.z) * sign.z};
    });
    u[i] = u[i] - Vec4f(sum * (cW * near.V * kernel.f0 / rho[kind[i]]), 0.f);
  }
};

MNS_NS_END
