// Where the solver keeps a cell: arrays with a halo of zeros, so that no loop asks whether a neighbour exists, and the rows along x
// that hold unknowns, over which every loop runs.
#pragma once

#include "engine/base/buffer.h"
#include "engine/exec/exec.h"
#include "engine/grid/mac_grid.h"

namespace meniscus {

// A halo of one cell at the low side of each axis; at the high side of one, or of two where the extent is odd, so that blocks of
// 2^D cells never leave the array.
template <int D>
struct PaddedLayout {
  Cell<D> n{};
  Cell<D> stride{};
  Index origin = 0;  // where cell 0 is
  Index size = 0;    // of an array

  PaddedLayout() = default;
  explicit PaddedLayout(const Cell<D>& extent) : n(extent) {
    Offset s = 1;
    for (std::size_t a = 0; a < D; ++a) {
      stride[a] = Index(s);
      origin += Index(s);
      s *= n[a] + (n[a] & 1) + 2;
    }
    size = Index(s);
  }
  Index at(const Cell<D>& c) const {
    Index i = origin;
    for (std::size_t a = 0; a < D; ++a) i += c[a] * stride[a];
    return i;
  }
  Cell<D> coordinates(Index i) const {
    Cell<D> c{};
    for (std::size_t a = D; a-- > 0;) {
      c[a] = i / stride[a] - 1;
      i %= stride[a];
    }
    return c;
  }
  Index rows() const {
    Index r = 1;
    for (std::size_t a = 1; a < D; ++a) r *= n[a];
    return r;
  }
  // The first cell of a row along x.
  Cell<D> rowStart(Index row) const {
    Cell<D> c{};
    for (std::size_t a = 1; a < D; ++a) {
      c[a] = row % n[a];
      row /= n[a];
    }
    return c;
  }
};

// Red cells have an even sum of coordinates.
template <int D>
int colourOf(const Cell<D>& c) {
  Index sum = 0;
  for (const Index k : c) sum += k;
  return int(sum & 1);
}

// The part of a row along x from its first unknown to behind its last.
template <int D>
struct RowSpan {
  Index begin, end;  // in the padded array
  Cell<D> cell;      // of begin
};

// Rows taken at a time in sums. Fixed, because the bits of a sum depend on it.
constexpr Index kRowGrain = 8;

// Rows taken at a time in other loops: so many that a thread has `cells` to do, for fewer of which waking it does not pay.
constexpr Index kCellGrain = 4096;
inline Index rowGrain(Index rowLength, Index cells = kCellGrain) {
  return rowLength >= cells ? 1 : cells / (rowLength > 0 ? rowLength : 1);
}

// Sums over rows: body(row, acc) adds to acc[0..K). In groups of kRowGrain rows, then over the groups in order.
template <int K, class Body>
void sumOverRows(Exec& exec, const char* name, Index rows, const Body& body, double (&result)[K]) {
  struct Group {
    Body body;
    Index rows;
    double* partial;
    void operator()(Index g) const {
      double acc[K] = {};
      const Index end = (g + 1) * kRowGrain < rows ? (g + 1) * kRowGrain : rows;
      for (Index r = g * kRowGrain; r < end; ++r) body(r, acc);
      for (int k = 0; k < K; ++k) partial[std::size_t(g) * K + k] = acc[k];
    }
  };
  const Index groups = (rows + kRowGrain - 1) / kRowGrain;
  double* partial = exec.scratch(std::size_t(groups) * K + K).data();
  parallelFor(exec, name, groups, Group{body, rows, partial}, 1);
  for (int k = 0; k < K; ++k) result[k] = 0;
  for (Index g = 0; g < groups; ++g)
    for (int k = 0; k < K; ++k) result[k] += partial[std::size_t(g) * K + k];
}

}  // namespace meniscus
