#include "engine/grid/smoke/shell_faces.h"

namespace meniscus {
namespace {

template <int D>
struct Finder {
  const ShellLattice<D>& lattice;
  const GivenFaces<D>* given;
  ShellFaces<D>& faces;
  struct Found {
    Offset face;
    Index element;
    std::array<double, D> barycentric;
  };
  std::vector<Found> found;

  static LatticePoint<D - 1> without(const LatticePoint<D>& p, int axis) {
    LatticePoint<D - 1> q;
    for (std::size_t a = 0, k = 0; a < D; ++a)
      if (int(a) != axis) q[k++] = p[a];
    return q;
  }

  // The crossing of the line along the axis through the centre of cell c, which the element is known to have: the face whose two
  // centres are on different sides.
  void crossLine(const LatticeSimplex<D>& s, int axis, Cell<D> c, Index element) {
    const std::size_t a = std::size_t(axis);
    const auto [low, high] = std::minmax_element(s.begin(), s.end(), [a](const auto& p, const auto& q) { return p[a] < q[a]; });
    const auto side = [&](Index i) {
      c[a] = i;
      return perturbedSide<D>(s, lattice.centre(c));
    };
    // the cells below and above all of the element; between them the side changes once
    Index below = ShellLattice<D>::cellOf((*low)[a]) - 1, above = ShellLattice<D>::cellOf((*high)[a]) + 1;
    const int first = side(below);
    while (above - below > 1) {
      const Index middle = below + (above - below) / 2;
      (side(middle) == first ? below : above) = middle;
    }
    if (above <= 0) {
      c[a] = 0;
      if (axis == 0 && lattice.grid.cell(c) == 0) faces.before.push_back(element);
      return;
    }
    if (above >= lattice.grid.n[a]) return;
    Found f{0, element, {}};
    c[a] = below;
    const LatticePoint<D> p = lattice.centre(c);
    c[a] = above;
    double t;
    if (!crossingPoint<D>(s, p, lattice.centre(c), t, f.barycentric)) f.barycentric.fill(1.0 / D);
    f.face = lattice.grid.face(axis, c);
    found.push_back(f);
  }

  void element(const LatticeSimplex<D>& s, int axis, Index e) {
    std::array<LatticePoint<D - 1>, D> flat;
    for (std::size_t i = 0; i < D; ++i) flat[i] = without(s[i], axis);
    Cell<D> lower{}, upper{};
    for (std::size_t a = 0; a < D; ++a) {
      if (int(a) == axis) continue;
      std::int64_t low = s[0][a], high = low;
      for (const LatticePoint<D>& p : s) low = std::min(low, p[a]), high = std::max(high, p[a]);
      lower[a] = std::max(ShellLattice<D>::cellOf(low), Index(0));
      upper[a] = std::min(ShellLattice<D>::cellOf(high), lattice.grid.n[a] - 1);
      if (lower[a] > upper[a]) return;
    }
    for (Cell<D> c = lower;;) {
      if (lineThrough<D>(flat, without(lattice.centre(c), axis))) crossLine(s, axis, c, e);
      std::size_t a = 0;
      for (; a < D && (int(a) == axis || c[a] == upper[a]); ++a) c[a] = lower[a];
      if (a == D) return;
      ++c[a];
    }
  }

  void number(int axis) {
    const MacGrid<D>& g = lattice.grid;
    Buffer<Index>& row = faces.row[axis];
    row.assign(std::size_t(g.faces(axis)), -1);
    std::stable_sort(found.begin(), found.end(), [](const Found& a, const Found& b) { return a.face < b.face; });
    const MacGrid<D> extent{g.faceExtent(axis), g.dx, g.origin};
    for (const Found& f : found) {
      if (given && given->given(axis, f.face)) continue;
      Index& r = row[std::size_t(f.face)];
      if (r < 0) {
        r = Index(faces.face.size());
        faces.face.push_back({axis, extent.cellAt(f.face), f.face});
      }
      faces.crossing.push_back({r, f.element, f.barycentric});
    }
    found.clear();
  }
};

}  // namespace

template <int D>
void findShellFaces(const ShellLattice<D>& lattice, const ShellMesh<D>& mesh, const std::vector<double>& x,
                    const GivenFaces<D>* given, ShellFaces<D>& faces) {
  const std::vector<LatticePoint<D>> node = latticeNodes(lattice, mesh, x);
  faces.face.clear();
  faces.crossing.clear();
  faces.before.clear();
  Finder<D> finder{lattice, given, faces, {}};
  for (int axis = 0; axis < D; ++axis) {
    for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
      LatticeSimplex<D> s;
      for (std::size_t i = 0; i < D; ++i) s[i] = node[std::size_t(mesh.elements[e][i])];
      finder.element(s, axis, Index(e));
    }
    finder.number(axis);
  }
}

template void findShellFaces<2>(const ShellLattice<2>&, const ShellMesh<2>&, const std::vector<double>&, const GivenFaces<2>*,
                                ShellFaces<2>&);
template void findShellFaces<3>(const ShellLattice<3>&, const ShellMesh<3>&, const std::vector<double>&, const GivenFaces<3>*,
                                ShellFaces<3>&);

}  // namespace meniscus
