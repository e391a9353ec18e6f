#include "engine/grid/water/water_regions.h"

#include <cmath>

namespace meniscus {
namespace {

template <int D>
struct WetRegions {
  const SmokeDomain<D>& domain;
  const GivenFaces<D>& given;
  const ShellFaces<D>& shell;
  const Buffer<double>& levelSet;
  std::vector<Index> label;     // of each cell; -1: air
  std::vector<char> surface;    // of each label: it has one
  std::vector<double> outflow;  // of each label

  bool wet(Offset i) const { return levelSet[std::size_t(i)] < 0; }

  void find() {
    const MacGrid<D>& g = domain.grid;
    label.assign(std::size_t(g.cells()), -1);
    std::vector<Offset> stack;
    for (Offset first = 0; first < g.cells(); ++first) {
      if (!wet(first) || label[std::size_t(first)] >= 0) continue;
      const Index own = Index(surface.size());
      surface.push_back(0);
      outflow.push_back(0);
      label[std::size_t(first)] = own;
      for (stack.push_back(first); !stack.empty();) {
        const Cell<D> c = g.cellAt(stack.back());
        stack.pop_back();
        addInflow(c);
        forOpenNeighbours<D>(g, given, shell, c, [&](int, int, Offset, Offset n) {
          if (!wet(n)) surface.back() = 1;
          if (!wet(n) || label[std::size_t(n)] >= 0) return;
          label[std::size_t(n)] = own;
          stack.push_back(n);
        });
      }
    }
  }

 private:
  void addInflow(const Cell<D>& c) {
    const MacGrid<D>& g = domain.grid;
    const double area = std::pow(g.dx, D - 1);
    for (int axis = 0; axis < D; ++axis)
      for (Index up = 0; up < 2; ++up) {
        Cell<D> face = c;
        face[std::size_t(axis)] += up;
        const Index k = given.inflow[axis][std::size_t(g.face(axis, face))];
        if (k >= 0) outflow.back() += (up ? area : -area) * domain.inflow[std::size_t(k)].velocity;
      }
  }
};

}  // namespace

template <int D>
std::vector<ClosedRegion> closedWater(const SmokeDomain<D>& domain, const GivenFaces<D>& given, const ShellFaces<D>& shell,
                                      const Buffer<double>& levelSet) {
  WetRegions<D> wet{domain, given, shell, levelSet, {}, {}, {}};
  wet.find();
  std::vector<ClosedRegion> regions;
  std::vector<Index> number;
  for (std::size_t k = 0; k < wet.surface.size(); ++k) {
    number.push_back(wet.surface[k] ? -1 : Index(regions.size()));
    if (!wet.surface[k]) regions.push_back({wet.outflow[k], {}, {}});
  }
  const auto add = [&](Index l, std::size_t face, int sign) {
    if (l < 0 || number[std::size_t(l)] < 0) return;
    ClosedRegion& region = regions[std::size_t(number[std::size_t(l)])];
    region.shellFace.push_back(Index(face));
    region.sign.push_back(static_cast<signed char>(sign));
  };
  for (std::size_t r = 0; r < shell.face.size(); ++r) {
    const Offset cell = domain.grid.cell(shell.face[r].cell), below = cell - domain.grid.cellStride(shell.face[r].axis);
    const Index upper = wet.label[std::size_t(cell)], lower = wet.label[std::size_t(below)];
    if (upper == lower) continue;  // the shell ends in the region
    add(lower, r, 1);
    add(upper, r, -1);
  }
  return regions;
}

template <int D>
std::vector<char> enclosedCells(const MacGrid<D>& grid, const GivenFaces<D>& given, const ShellFaces<D>& shell,
                                const Cell<D>& from) {
  std::vector<char> enclosed(std::size_t(grid.cells()), 1);
  std::vector<Offset> stack{grid.cell(from)};
  enclosed[std::size_t(stack[0])] = 0;
  while (!stack.empty()) {
    const Cell<D> c = grid.cellAt(stack.back());
    stack.pop_back();
    forOpenNeighbours<D>(grid, given, shell, c, [&](int, int, Offset, Offset n) {
      if (enclosed[std::size_t(n)]) stack.push_back(n);
      enclosed[std::size_t(n)] = 0;
    });
  }
  return enclosed;
}

#define MNS_INSTANTIATE(D)                                                                                             \
  template std::vector<ClosedRegion> closedWater<D>(const SmokeDomain<D>&, const GivenFaces<D>&, const ShellFaces<D>&, \
                                                    const Buffer<double>&);                                            \
  template std::vector<char> enclosedCells<D>(const MacGrid<D>&, const GivenFaces<D>&, const ShellFaces<D>&, const Cell<D>&);
MNS_INSTANTIATE(2)
MNS_INSTANTIATE(3)
#undef MNS_INSTANTIATE

}  // namespace meniscus
