// Packed rows of near particles: what the stage of direct pairs leaves to be packed once the images are in.
#include "engine/particle/pairs.h"

namespace meniscus {
namespace {

// The groups of near particles, now that the images are in their rows.
struct PackNear {
  View<const Index> nearParticle;
  const PairRows* rows;
  float step;
  PackedGroup* packed;
  PackedUnit* units;
  void operator()(Index k) const {
    const Index i = nearParticle[k] / kGroupRows * kGroupRows;
    if (k > 0 && nearParticle[k - 1] >= i) return;  // the particle before has seen to it
    PackedGroup& g = packed[i / kGroupRows];
    if (g.units == kNotPacked) return;  // it has no place
    if (!packGroup(rows->items.data() + rows->begin[i], Index(g.units), i, step, units + g.first)) g.units = kNotPacked;
  }
};

}  // namespace

void PairBuilder::packNear(Exec& exec, const Boundary& boundary, PairLists& lists) {
  PackedPairs& packed = lists.packed;
  if (packed.groups.empty()) return;
  const View<const Index> near = boundary.nearParticle();
  parallelFor(exec, "pairs: pack near", near.n,
              PackNear{near, &lists.folded, packed.step, packed.groups.data(), packed.units.data()});
}

}  // namespace meniscus
