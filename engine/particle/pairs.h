// Neighbour lists of a sub-step: direct pairs (both particles in the fluid) and mirror pairs (through solid surfaces), with the
// coefficients every operator is made of.
//
// The kernel's gradients are radial, so the whole direct part of D is described by one scalar a pair: grad W_ab V = -c_ab x_ab with
// c_ab = V |F(r_ab)|.
#pragma once

#include <atomic>

#include "engine/exec/exec.h"
#include "engine/particle/boundary.h"
#include "engine/world/world.h"
#include "kernels/core/smoothing_kernel.h"
#include "kernels/fluid/lattice.h"
#include "kernels/fluid/packed_groups.h"

namespace meniscus {

// Rows of pairs. Those of a block of particles are contiguous, group by group (kernels/fluid/row_groups.h); where a block has its
// place depends on which thread was first, and nothing else does.
struct PairRows {
  Buffer<Offset> begin;  // per particle
  Buffer<Index> count;
  Buffer<Pair> items;
  PairRow row(Index i) const { return {items.data() + begin[i], kGroupStride}; }
};

constexpr Offset kNoRow = -1;

// Takes room from the end of an array for one block after the other.
template <class T>
struct RoomInArray {
  T* items;
  Offset capacity;
  std::atomic<Offset>* used;  // so far, and what found no room

  // at: where n items have their place. False where there is no room.
  bool take(Offset n, Offset& at) const {
    at = used->fetch_add(n, std::memory_order_relaxed);
    return at + n <= capacity;
  }
};

// Whether the array was large enough for what wanted room in it, all of which has its place then. If not, it is made larger: lists
// are most of what a fluid takes, so they get what they need, and what was there is given back first.
template <class T>
bool holds(Buffer<T>& array, Offset used) {
  const std::size_t need = std::size_t(used);
  const bool held = need <= array.capacity();
  if (!held) {
    array.release();
    array.reserve(need + need / 16);
  }
  array.resizeUninitialized(need);
  return held;
}

// Before an array is filled anew: more room if it was nearly full. In fluid that spreads, lists grow by less than that a step, and
// are seldom found too short once they are built.
template <class T>
void makeRoom(Buffer<T>& array) {
  const std::size_t last = array.size();
  if (last + last / 64 <= array.capacity()) return;
  array.release();
  array.reserve(last + last / 16);
}

// The folded rows in half the bytes (kernels/fluid/packed_groups.h); a group's units are contiguous.
struct PackedPairs {
  Buffer<PackedGroup> groups;  // none: rows are not packed
  Buffer<PackedUnit> units;
  Buffer<Index> reach;  // per block
  float step = 0;       // [1/m^2]
  PackedPairRows rows() const {
    return groups.empty() ? PackedPairRows{} : PackedPairRows{groups.data(), units.data(), reach.data(), step};
  }
  std::size_t bytes() const { return groups.capacityBytes() + units.capacityBytes() + reach.capacityBytes(); }
};

// Passes over packed rows take eight lanes.
#if defined(__AVX2__) && defined(__FMA__)
constexpr bool kRowsArePacked = true;
#else
constexpr bool kRowsArePacked = false;
#endif

// What becomes of the folded rows. Coefficients are rounded (kernels/fluid/coefficient_grid.h) in the latter two, also where the
// processor sums over eight bytes a pair in any of them.
enum class RowFormat : std::uint8_t {
  pairs,   // eight bytes a pair
  both,    // those, and packed for the sums over all pairs
  packed,  // packed; in eight bytes where images are to be added, and where pairs have no room in fewer
};

struct PairLists {
  PairRows folded;             // a row a particle, with the images' c added; after them the same without, a row a near particle
  Buffer<Offset> directBegin;  // per particle: the row without the images' c; kNoRow where it is packed and nothing else
  PackedPairs packed;
  Buffer<Offset> linkBegin;  // a near particle
  Buffer<MirrorLink> links;  // row after row of near particles, in a row slot after slot
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
             PairLists& lists, RowFormat format = RowFormat::pairs);
  const LatticeSums& lattice() const { return lattice_; }
  const SmoothingKernel<float>& kernel() const { return kernel_; }
  float volume() const { return volume_; }

 private:
  // Each false where there was not room enough, which has been enlarged: then the lists must be built again.
  bool buildDirect(Exec& exec, const CellGrid& cells, const Boundary& boundary, const FluidState& fluid,
                   const CoefficientGrid& grid, PairLists& lists, RowFormat format);
  // adds to the rows and row sums of the direct stage
  bool buildMirror(Exec& exec, const Boundary& boundary, const FluidState& fluid, const CoefficientGrid& grid, PairLists& lists);
  void packNear(Exec& exec, const Boundary& boundary, PairLists& lists);  // the groups that the mirror stage has added to

  SmoothingKernel<float> kernel_;
  LatticeSums lattice_;
  float volume_;
  Buffer<float> px_, py_, pz_;
  Buffer<float> distance_;  // per particle: of the nearest feature, infinite where there is none [m]
  std::atomic<Offset> pairsUsed_{0}, linksUsed_{0}, unitsUsed_{0};
  // Until most pairs have found no room in four bytes: water that has spread to a layer has its neighbours far off in the order of
  // cells. Lists take less room unpacked then, and the sums are the same to the bit.
  bool packingPays_ = true;
};

}  // namespace meniscus
