#include "engine/grid/water/water_cells.h"

namespace meniscus {

// A counting sort: stable, and the same for any number of threads.
template <int D>
void sortByCell(const MacGrid<D>& grid, const WaterParticles<D>& from, const std::vector<char>* keep, WaterParticles<D>& to,
                Buffer<Index>& first) {
  const std::size_t cells = std::size_t(grid.cells()), n = from.x.size();
  std::vector<Index> cell(n);
  first.assign(cells + 1, 0);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (keep && !(*keep)[i]) continue;
    cell[i] = Index(grid.cell(cellOf<D>(grid, from.x[i])));
    ++first[std::size_t(cell[i]) + 1];
    ++kept;
  }
  for (std::size_t c = 0; c < cells; ++c) first[c + 1] += first[c];
  to.resize(kept);
  std::vector<Index> next(first.begin(), first.end() - 1);
  for (std::size_t i = 0; i < n; ++i) {
    if (keep && !(*keep)[i]) continue;
    const std::size_t k = std::size_t(next[std::size_t(cell[i])]++);
    to.x[k] = from.x[i], to.v[k] = from.v[i], to.gradient[k] = from.gradient[i], to.radius[k] = from.radius[i];
  }
}

template void sortByCell<2>(const MacGrid<2>&, const WaterParticles<2>&, const std::vector<char>*, WaterParticles<2>&,
                            Buffer<Index>&);
template void sortByCell<3>(const MacGrid<3>&, const WaterParticles<3>&, const std::vector<char>*, WaterParticles<3>&,
                            Buffer<Index>&);

}  // namespace meniscus
