#include "engine/grid/water/water_cells.h"

namespace meniscus {
namespace {

template <int D>
struct CopyParticle {
  const WaterParticles<D>* from;
  const Index* source;
  WaterParticles<D>* to;
  void operator()(Index k) const { to->set(std::size_t(k), *from, std::size_t(source[k])); }
};

}  // namespace

// A counting sort: stable, and the same for any number of threads.
template <int D>
void sortByCell(Exec& exec, const MacGrid<D>& grid, const WaterParticles<D>& from, const std::vector<char>& keep,
                WaterParticles<D>& to, Buffer<Index>& first) {
  const std::size_t cells = std::size_t(grid.cells()), n = from.x.size();
  std::vector<Index> cell(n);
  first.assign(cells + 1, 0);
  for (std::size_t i = 0; i < n; ++i) {
    if (!keep[i]) continue;
    cell[i] = Index(grid.cell(cellOf<D>(grid, from.x[i])));
    ++first[std::size_t(cell[i]) + 1];
  }
  for (std::size_t c = 0; c < cells; ++c) first[c + 1] += first[c];
  std::vector<Index> next(first.begin(), first.end() - 1), source(std::size_t(first.back()));
  for (std::size_t i = 0; i < n; ++i)
    if (keep[i]) source[std::size_t(next[std::size_t(cell[i])]++)] = Index(i);
  to.resizeUninitialized(source.size());
  parallelFor(exec, "water: sort particles", Index(source.size()), CopyParticle<D>{&from, source.data(), &to});
}

template void sortByCell<2>(Exec&, const MacGrid<2>&, const WaterParticles<2>&, const std::vector<char>&, WaterParticles<2>&,
                            Buffer<Index>&);
template void sortByCell<3>(Exec&, const MacGrid<3>&, const WaterParticles<3>&, const std::vector<char>&, WaterParticles<3>&,
                            Buffer<Index>&);

}  // namespace meniscus
