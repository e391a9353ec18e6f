// Neighbour lists of a sub-step: direct pairs (both particles in the fluid) and mirror pairs (through solid surfaces), with the
// coefficients every operator is made of.
//
// Wendland gradients are radial, so the whole direct part of D is described by one scalar a pair: grad W_ab V = -c_ab x_ab with
// c_ab = V |F(r_ab)|.
#pragma once

#include "engine/exec/exec.h"
#include "engine/particle/boundary.h"
#include "engine/world/world.h"
#include "kernels/core/wendland.h"
#include "kernels/fluid/lattice.h"

namespace meniscus {

struct Pair {
  float c;  // V |F| [1/m^2]
  Index j;
};

// Particle a's view of its mirror pairs with b, summed over the subsets of matched features (methods: mirror kernel).
struct MirrorPair {
  Vec3f ga;  // weight of u_a in div_a (summed into T_a as well), and of p_b in the force on a [1/m]
  Index b;
  Vec3f gb;  // weight of u_b in div_a [1/m]
  float c;   // mirrored c, for the smoother and the deficiency [1/m^2]
};

// div_a also sees the normal velocities of the surfaces: nu = n . v(closest point) of own feature slots and of b's.
struct SurfaceLink {
  Index own, other;    // feature slots (kMaxFeatures * near row + feature)
  float kOwn, kOther;  // weights of nu_own, nu_other in div_a [1/m]; the pair's force on the slot `own` is kOwn (p_a + p_b)
};

template <class T>
struct RowList_ {
  Buffer<Offset> begin;  // first entry of each row (rows of a block are contiguous; blocks are not)
  Buffer<Index> count;
  Buffer<T> items;
  Index perRow = 0;  // capacity of a block / kBlock; grows on overflow
};

struct PairLists {
  RowList_<Pair> direct;        // a row a particle
  RowList_<MirrorPair> mirror;  // a row a near particle
  RowList_<SurfaceLink> links;  // a row a near particle, only for features on surfaces that can move or report a force
  // per particle
  Buffer<Vec4f> xh;       // position about the domain's centre [m], 1
  Buffer<Vec4f> T;        // xyz: coefficient of u_a in div_a [1/m]; w: sum of c over b != a, mirrored ones included [1/m^2]
  Buffer<float> sumC;     // T.w plus a's own image [1/m^2]
  Buffer<float> c2r2;     // sum over b of |coefficient of u_b in div_a|^2 [1/m^2]
  Buffer<float> c2;       // sum of c^2 [1/m^4]
  Buffer<float> density;  // rho/rho0 by summation
  // per feature slot
  Buffer<float> selfLink;        // weight of the slot's nu in div_a from a's own image [1/m]
  Buffer<std::uint8_t> tracked;  // 1: the surface can move, or the force on it is wanted; others get no links
  std::size_t bytes() const;
};

class PairBuilder {
 public:
  PairBuilder(double dx, double support);
  void build(Exec& exec, const CellGrid& grid, const Boundary& boundary, const FluidState& fluid, const Vec3f& centre,
             PairLists& lists);
  const LatticeSums& lattice() const { return lattice_; }
  const Wendland<float>& kernel() const { return kernel_; }
  float volume() const { return volume_; }

 private:
  void buildDirect(Exec& exec, const CellGrid& grid, const Boundary& boundary, const FluidState& fluid, PairLists& lists);
  // adds to the direct stage's row sums; false: a list overflowed and has been enlarged, so both stages must run again
  bool buildMirror(Exec& exec, const Boundary& boundary, const FluidState& fluid, PairLists& lists);

  Wendland<float> kernel_;
  LatticeSums lattice_;
  float volume_;
  Buffer<float> px_, py_, pz_;
  Buffer<std::uint8_t> overflow_;
};

}  // namespace meniscus
