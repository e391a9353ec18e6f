#include "engine/grid/smoke/filled_cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/base/error.h"

namespace meniscus {
namespace {

// Filled cells beside the face: 0, 1 or 2.
template <int D>
int filledBeside(const MacGrid<D>& g, const std::vector<char>& filled, int axis, Cell<D> c) {
  int count = 0;
  for (int k = 0; k < 2; ++k, --c[std::size_t(axis)]) count += g.contains(c) && filled[std::size_t(g.cell(c))] != 0;
  return count;
}

// A ring: unknown faces beside known ones take their mean. Empty where there was none.
template <int D>
std::vector<Offset> nextRing(const MacGrid<D>& faces, const std::vector<char>& known, std::vector<Offset>& left,
                             Buffer<double>& velocity) {
  std::vector<Offset> ring, rest;
  for (const Offset f : left) {
    const Cell<D> c = faces.cellAt(f);
    double sum = 0;
    int count = 0;
    for (std::size_t a = 0; a < D; ++a)
      for (const Index step : {-1, 1}) {
        Cell<D> neighbour = c;
        neighbour[a] += step;
        if (!faces.contains(neighbour) || !known[std::size_t(faces.cell(neighbour))]) continue;
        sum += velocity[std::size_t(faces.cell(neighbour))];
        ++count;
      }
    if (count > 0) velocity[std::size_t(f)] = sum / count;
    (count > 0 ? ring : rest).push_back(f);
  }
  left.swap(rest);
  return ring;
}

}  // namespace

namespace {

// Whether a cell is inside differs from its neighbour's by the number of times that a filled surface crosses between their centres.
template <int D>
struct Parity {
  const MacGrid<D>& grid;
  const ShellFaces<D>& faces;
  std::vector<char> odd;  // of each face of the shell

  // For a cell from that before it along the axis.
  char after(char before, int axis, const Cell<D>& c) const {
    const Index r = faces.row[axis][std::size_t(grid.face(axis, c))];
    return before ^ (r >= 0 ? odd[std::size_t(r)] : char(0));
  }
  // For the cells of one column along x, each from its neighbour along y, or z where there is none.
  void walk(Index x, std::vector<char>& inside) const {
    for (Offset i = x; i < grid.cells(); i += grid.n[0]) {
      Cell<D> c = grid.cellAt(i);
      for (int axis = 1; axis < D; ++axis) {
        if (c[std::size_t(axis)] == 0) continue;
        Cell<D> before = c;
        --before[std::size_t(axis)];
        inside[std::size_t(i)] = after(inside[std::size_t(grid.cell(before))], axis, c);
        break;
      }
    }
  }
};

}  // namespace

// From cell to cell: the first from far outside of the grid, then along the side -x, then along x. A body may reach through a side,
// where no face counts its crossings: nothing beside a side is taken for outside. Along the side +x the cells then must be right
// among each other too, else there is a hole.
template <int D>
std::vector<char> findFilledCells(const MacGrid<D>& grid, const ShellFaces<D>& faces, const std::vector<char>& filled) {
  std::vector<char> inside;
  if (filled.empty()) return inside;
  Parity<D> parity{grid, faces, std::vector<char>(faces.face.size(), 0)};
  for (const ShellCrossing<D>& c : faces.crossing)
    if (filled[std::size_t(c.element)]) parity.odd[std::size_t(c.row)] ^= 1;
  inside.assign(std::size_t(grid.cells()), 0);
  for (const Index e : faces.before) inside[0] ^= filled[std::size_t(e)] != 0;
  parity.walk(0, inside);
  for (Offset i = 0; i < grid.cells(); ++i) {
    const Cell<D> c = grid.cellAt(i);
    if (c[0] > 0) inside[std::size_t(i)] = parity.after(inside[std::size_t(i - 1)], 0, c);
  }
  std::vector<char> last = inside;
  parity.walk(grid.n[0] - 1, last);
  for (Offset i = grid.n[0] - 1; i < grid.cells(); i += grid.n[0])
    if (last[std::size_t(i)] != inside[std::size_t(i)])
      throw Error(ErrorKind::simulation,
                  fmt::format("smoke: a filled body is not closed inside the grid, in the row of cells {} along x", i / grid.n[0]));
  return inside;
}

template <int D>
std::vector<double> shellFaceMasses(const SmokeDomain<D>& domain, const ShellFaces<D>& faces,
                                    const std::vector<char>& filledCells) {
  std::vector<double> mass(faces.face.size(), domain.density * std::pow(domain.grid.dx, D));
  if (filledCells.empty()) return mass;
  for (std::size_t r = 0; r < mass.size(); ++r)
    mass[r] *= 1 - 0.5 * filledBeside<D>(domain.grid, filledCells, faces.face[r].axis, faces.face[r].cell);
  return mass;
}

template <int D>
void extendIntoFilled(const MacGrid<D>& grid, const std::vector<char>& filledCells, Buffer<double>* velocity) {
  if (filledCells.empty()) return;
  for (int axis = 0; axis < D; ++axis) {
    const MacGrid<D> faces{grid.faceExtent(axis), grid.dx, grid.origin};
    std::vector<char> known(std::size_t(faces.cells()), 0);
    std::vector<Offset> left;
    for (Offset f = 0; f < faces.cells(); ++f) {
      const int count = filledBeside<D>(grid, filledCells, axis, faces.cellAt(f));
      known[std::size_t(f)] = count == 1;
      if (count == 2) left.push_back(f);
    }
    while (!left.empty()) {
      const std::vector<Offset> ring = nextRing<D>(faces, known, left, velocity[axis]);
      if (ring.empty()) break;
      for (const Offset f : ring) known[std::size_t(f)] = 1;
    }
  }
}

#define MNS_INSTANTIATE(D)                                                                                                \
  template std::vector<char> findFilledCells<D>(const MacGrid<D>&, const ShellFaces<D>&, const std::vector<char>&);       \
  template std::vector<double> shellFaceMasses<D>(const SmokeDomain<D>&, const ShellFaces<D>&, const std::vector<char>&); \
  template void extendIntoFilled<D>(const MacGrid<D>&, const std::vector<char>&, Buffer<double>*);
MNS_INSTANTIATE(2)
MNS_INSTANTIATE(3)
#undef MNS_INSTANTIATE

}  // namespace meniscus
