// Neighbour lists in two passes over particles that are sorted by cell: count, then (after a scan) fill. Rows are contiguous and
// begin at multiples of kRowUnit pairs: the lanes of a row read whole sectors of memory, and the order within a row is that of the
// CPU's lists (kernels/search/neighbour_search.h).
#pragma once

#include "kernels/fluid/pressure_pass.h"
#include "kernels/search/cells.h"

MNS_NS_BEGIN

struct CellSearch {
  Cells cells;
  const Index* begin;  // of the cells' particles
  const Vec4f* x;
  float h2;  // square of the support

  // found(j) for every particle j nearer than the support, i and those that are apart from it excepted
  template <class Apart, class Found>
  MNS_HD void neighbours(Index i, const Apart& apart, const Found& found) const {
    const Vec4f xi = x[i];
    const Vec3<Index> c = cells.cellOf(xi.xyz());
    const Index x0 = c.x > 0 ? c.x - 1 : 0, x1 = c.x + 1 < cells.dim.x ? c.x + 1 : c.x;
    for (Index z = c.z > 0 ? c.z - 1 : 0; z <= c.z + 1 && z < cells.dim.z; ++z)
      for (Index y = c.y > 0 ? c.y - 1 : 0; y <= c.y + 1 && y < cells.dim.y; ++y) {
        const Index end = begin[cells.indexOf({x1, y, z}) + 1];
        for (Index j = begin[cells.indexOf({x0, y, z})]; j < end; ++j) {
          const Vec4f d = xi - x[j];
          if ((d.x * d.x + d.y * d.y) + d.z * d.z < h2 && j != i && !apart(i, j)) found(j);
        }
      }
  }
};

struct NothingBetween {
  MNS_HD bool operator()(Index, Index) const { return false; }
};

// Apart: does something stand between the two particles, so that they are no pair?
template <class Apart>
struct CountPairs {
  CellSearch search;
  Apart apart;
  Index *count, *room;  // room: with the padding
  MNS_HD void operator()(Index i) const {
    Index n = 0;
    search.neighbours(i, apart, [&](Index) { ++n; });
    count[i] = n;
    room[i] = paddedRow(n);
  }
};

// Coefficients come later (kernels/fluid/pair_sums.h).
template <class Apart>
struct FillPairs {
  CellSearch search;
  Apart apart;
  const Offset* begin;
  Pair* items;
  MNS_HD void operator()(Index i) const {
    Pair* out = items + begin[i];
    search.neighbours(i, apart, [&](Index j) { *out++ = {0.f, j}; });
    for (const Pair* const end = items + begin[i + 1]; out < end; ++out) *out = {0.f, i};
  }
};

MNS_NS_END
