// The elements of a shell by the cells that their boxes touch. What lies outside the grid is in the cells at its border.
#pragma once

#include <vector>

#include "engine/grid/smoke/shell_lattice.h"

namespace meniscus {

template <int D>
struct LatticeBox {
  LatticePoint<D> lower, upper;
  explicit LatticeBox(const LatticePoint<D>& p) : lower(p), upper(p) {}
  void add(const LatticePoint<D>& p) {
    for (std::size_t a = 0; a < D; ++a) lower[a] = std::min(lower[a], p[a]), upper[a] = std::max(upper[a], p[a]);
  }
};

template <int D>
class ElementBins {
 public:
  // box(e) of element e in [0, count)
  template <class BoxOf>
  void build(const MacGrid<D>& grid, Index count, const BoxOf& box) {
    grid_ = grid;
    begin_.assign(std::size_t(grid.cells()) + 1, 0);
    for (Index e = 0; e < count; ++e)
      eachCell(box(e), [&](Offset c) {
        ++begin_[std::size_t(c) + 1];
        return false;
      });
    for (std::size_t c = 1; c < begin_.size(); ++c) begin_[c] += begin_[c - 1];
    element_.resize(std::size_t(begin_.back()));
    std::vector<Index> next(begin_.begin(), begin_.end() - 1);
    for (Index e = 0; e < count; ++e)
      eachCell(box(e), [&](Offset c) {
        element_[std::size_t(next[std::size_t(c)]++)] = e;
        return false;
      });
  }

  // visit(element) for the elements in the cells that the box touches, some of them more than once, until one returns true. True
  // where one did.
  template <class Visit>
  bool near(const LatticeBox<D>& box, const Visit& visit) const {
    if (element_.empty()) return false;
    return eachCell(box, [&](Offset c) {
      for (Index k = begin_[std::size_t(c)]; k < begin_[std::size_t(c) + 1]; ++k)
        if (visit(element_[std::size_t(k)])) return true;
      return false;
    });
  }
  bool anyNear(const LatticeBox<D>& box) const {
    return near(box, [](Index) { return true; });
  }

 private:
  template <class Visit>
  bool eachCell(const LatticeBox<D>& box, const Visit& visit) const {
    Cell<D> lower, upper;
    for (std::size_t a = 0; a < D; ++a) {
      lower[a] = std::clamp(ShellLattice<D>::cellOf(box.lower[a]), Index(0), grid_.n[a] - 1);
      upper[a] = std::clamp(ShellLattice<D>::cellOf(box.upper[a]), Index(0), grid_.n[a] - 1);
    }
    for (Cell<D> c = lower;;) {
      if (visit(grid_.cell(c))) return true;
      std::size_t a = 0;
      for (; a < D && c[a] == upper[a]; ++a) c[a] = lower[a];
      if (a == D) return false;
      ++c[a];
    }
  }

  MacGrid<D> grid_;
  std::vector<Index> begin_, element_;
};

}  // namespace meniscus
