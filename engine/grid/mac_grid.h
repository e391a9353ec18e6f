// The staggered (marker-and-cell) grid: scalars at cell centres, one velocity component at the centre of each face.
// Harlow & Welch, Numerical calculation of time-dependent viscous incompressible flow of fluid with free surface, 1965.
#pragma once

#include <array>

#include "kernels/core/macros.h"

namespace meniscus {

template <int D>
using Cell = std::array<Index, D>;  // integer coordinates

// D = 2 or 3. Arrays of cells and of the faces of one axis have x fastest and no padding. The face (i, j, k) of axis a lies between
// the cells (i, j, k) and (i, j, k) - e_a, so that axis a has one layer of faces more than of cells.
template <int D>
struct MacGrid {
  Cell<D> n{};                     // cells along each axis
  double dx = 1;                   // edge of a cell [m]
  std::array<double, D> origin{};  // lower corner of the domain [m]

  Offset cells() const { return count(n); }
  Cell<D> faceExtent(int axis) const {
    Cell<D> m = n;
    ++m[std::size_t(axis)];
    return m;
  }
  Offset faces(int axis) const { return count(faceExtent(axis)); }
  Offset cell(const Cell<D>& c) const { return at(n, c); }
  Offset face(int axis, const Cell<D>& c) const { return at(faceExtent(axis), c); }
  bool contains(const Cell<D>& c) const {
    for (std::size_t a = 0; a < D; ++a)
      if (c[a] < 0 || c[a] >= n[a]) return false;
    return true;
  }
  std::array<double, D> centre(const Cell<D>& c) const {
    std::array<double, D> x{};
    for (std::size_t a = 0; a < D; ++a) x[a] = origin[a] + (c[a] + 0.5) * dx;
    return x;
  }
  std::array<double, D> faceCentre(int axis, const Cell<D>& c) const {
    std::array<double, D> x = centre(c);
    x[std::size_t(axis)] -= 0.5 * dx;
    return x;
  }
  // Coordinates of the i-th cell of the array.
  Cell<D> cellAt(Offset i) const {
    Cell<D> c{};
    for (std::size_t a = 0; a < D; ++a) {
      c[a] = Index(i % n[a]);
      i /= n[a];
    }
    return c;
  }
  // Distance in an array of cells between neighbours along an axis.
  Offset cellStride(int axis) const { return stride(n, axis); }
  Offset faceStride(int faceAxis, int axis) const { return stride(faceExtent(faceAxis), axis); }

 private:
  static Offset count(const Cell<D>& m) {
    Offset p = 1;
    for (const Index k : m) p *= k;
    return p;
  }
  static Offset stride(const Cell<D>& m, int axis) {
    Offset p = 1;
    for (int a = 0; a < axis; ++a) p *= m[std::size_t(a)];
    return p;
  }
  static Offset at(const Cell<D>& m, const Cell<D>& c) {
    Offset i = 0;
    for (int a = D; a-- > 0;) i = i * m[std::size_t(a)] + c[std::size_t(a)];
    return i;
  }
};

}  // namespace meniscus
