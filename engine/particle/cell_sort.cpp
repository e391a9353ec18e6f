#include "engine/particle/cell_sort.h"

namespace meniscus {
namespace {

struct CellOfParticle {
  View<const Vec4f> x;
  View<Index> cell;
  const CellGrid* grid;
  void operator()(Index i) const { cell[i] = grid->indexOf(grid->cellOf(x[i].xyz())); }
};

template <class T>
struct Gather {
  View<const T> from;
  View<T> to;
  View<const Index> order;
  void operator()(Index i) const { to[i] = from[order[i]]; }
};

}  // namespace

void CellSort::configure(const Vec3d& extent, float size) {
  static_cast<Cells&>(grid_) = Cells::over(extent, size);
  grid_.begin.assign(std::size_t(grid_.cells()) + 1, 0);
}

template <class T>
void CellSort::permute(Exec& exec, Buffer<T>& field, Buffer<T>& spare) {
  const Index n = Index(order_.size());
  spare.resizeUninitialized(n);
  parallelFor(exec, "sort: gather", n, Gather<T>{field.view(), spare.view(), order_.view()});
  field.swap(spare);
}

void CellSort::sort(Exec& exec, FluidState& f, const Buffer<std::uint8_t>& drop) {
  cell_.resizeUninitialized(f.n);
  parallelFor(exec, "sort: cell", f.n, CellOfParticle{f.x.view(), cell_.view(), &grid_});

  // serial counting: 3-6 ns a particle, and stable by construction
  Buffer<Index>& begin = grid_.begin;
  for (auto& b : begin) b = 0;
  const bool anyDropped = !drop.empty();
  Index kept = 0;
  for (Index i = 0; i < f.n; ++i) {
    if (anyDropped && drop[i]) continue;
    ++begin[cell_[i] + 1];
    ++kept;
  }
  for (Index c = 0; c < grid_.cells(); ++c) begin[c + 1] += begin[c];
  order_.resizeUninitialized(kept);
  for (Index i = f.n; i-- > 0;) {
    if (anyDropped && drop[i]) continue;
    // filling from the back with begin[c + 1] as the cursor leaves begin[c + 1] at the start of cell c; shifted below
    order_[--begin[cell_[i] + 1]] = i;
  }
  for (Index c = 0; c < grid_.cells(); ++c) begin[c] = begin[c + 1];
  begin[grid_.cells()] = kept;

  permute(exec, f.x, spare4_);
  permute(exec, f.u, spare4_);
  permute(exec, f.p, spareF_);
  permute(exec, f.id, spareU_);
  permute(exec, f.kind, spareB_);
  permute(exec, f.leaked, spareB_);
  f.n = kept;
}

std::size_t CellSort::bytes() const {
  return cell_.capacityBytes() + order_.capacityBytes() + spare4_.capacityBytes() + spareF_.capacityBytes() +
         spareU_.capacityBytes() + spareB_.capacityBytes() + grid_.begin.capacityBytes();
}

}  // namespace meniscus
