// Neighbour lists of a sub-step: direct pairs (both particles in the fluid) and mirror pairs (through solid surfaces), with the
// coefficients every operator is made of.
//
// The kernel's gradients are radial, so the whole direct part of D is described by one scalar a pair: grad W_ab V = -c_ab x_ab with
// c_ab = V |F(r_ab)|.
#pragma once

#include "engine/exec/exec.h"
#include "engine/particle/boundary.h"
#include "engine/world/world.h"
#include "kernels/core/smoothing_kernel.h"
#include "kernels/fluid/lattice.h"
#include "kernels/fluid/pressure_pass.h"

namespace meniscus {

// Rows of varying length, filled block by block: those of a block are contiguous, in order; blocks are not.
template <class T>
struct RowList_ {
  Buffer<Offset> begin;
  Buffer<Index> count;
  Buffer<T> items;
  Index perRow = 0;  // capacity of a block / kBlock; grows on overflow

  void grow() { perRow += perRow / 8 + 4; }

  static std::size_t capacity(Index n, Index rows) { return std::size_t((n + kBlock - 1) / kBlock) * kBlock * std::size_t(rows); }
  // Room for n rows, and behind them for `more` rows that somebody else fills. What was there is lost.
  void prepare(Index n, Index more, Index initialPerRow) {
    if (perRow == 0) perRow = initialPerRow;
    begin.resizeUninitialized(std::size_t(n));
    count.resizeUninitialized(std::size_t(n));
    const std::size_t need = capacity(n, perRow) + capacity(more, perRow);
    if (items.size() < need) {
      items.clear();
      if (need > items.capacity()) items.reserve(need + need / 16);  // the lists are most of what a fluid takes
      items.resizeUninitialized(need);
    }
  }
};

struct PairLists {
  RowList_<Pair> direct;       // a row a particle; then rows with the images' c added, a row a near particle
  Buffer<Offset> foldedBegin;  // per particle: the row that the pressure operator sums over, of the same length as the direct one
  RowList_<MirrorLink> links;  // a row a near particle, slot after slot
  // per particle
  Buffer<Vec4f> xh;       // position about the domain's centre [m], 1
  Buffer<Vec4f> T;        // xyz: coefficient of u_a in div_a [1/m]; w: sum of c over b != a, mirrored ones included [1/m^2]
  Buffer<float> sumC;     // T.w plus a's own image [1/m^2]
  Buffer<float> c2r2;     // sum over b of |coefficient of u_b in div_a|^2 [1/m^2]
  Buffer<float> c2;       // sum of c^2 [1/m^4]
  Buffer<float> density;  // rho/rho0 by summation
  // per feature slot (Boundary::slotBegin)
  Buffer<Index> slotParticle;
  Buffer<std::uint16_t> linkCount;
  Buffer<Vec4f> plane;     // normal, twice the distance [m]; 0 where there is no feature
  Buffer<float> slotK;     // sum of k 2 d over the partners, a's own image included [1/m]
  Buffer<float> slotPush;  // the same plus 2 d_a sum of k: the surface's weight in div_a if all partners were on it alike [1/m]
  Buffer<std::uint8_t> tracked;  // 1: the surface can move, or the force on it is wanted
  std::size_t bytes() const;
};

class PairBuilder {
 public:
  PairBuilder(double dx, double support);
  void build(Exec& exec, const CellGrid& grid, const Boundary& boundary, const FluidState& fluid, const Vec3f& centre,
             PairLists& lists);
  const LatticeSums& lattice() const { return lattice_; }
  const SmoothingKernel<float>& kernel() const { return kernel_; }
  float volume() const { return volume_; }

 private:
  void buildDirect(Exec& exec, const CellGrid& grid, const Boundary& boundary, const FluidState& fluid, PairLists& lists);
  // adds to the direct stage's row sums; false: a list overflowed and has been enlarged, so both stages must run again
  bool buildMirror(Exec& exec, const Boundary& boundary, const FluidState& fluid, PairLists& lists);
  bool overflowed(Index blocks, std::uint8_t bit) const;

  SmoothingKernel<float> kernel_;
  LatticeSums lattice_;
  float volume_;
  Buffer<float> px_, py_, pz_;
  Buffer<float> distance_;  // per particle: of the nearest feature, infinite where there is none [m]
  Buffer<std::uint8_t> overflow_;
};

}  // namespace meniscus
