// Direct pairs: neighbour search and coefficients in one go.
#include "engine/particle/pairs.h"

#include <algorithm>

#include "kernels/fluid/pair_row.h"

namespace meniscus {
namespace {

struct SplitCoordinates {
  View<const Vec4f> x;
  float *px, *py, *pz;
  View<Vec4f> xh;
  Vec3f centre;
  void operator()(Index i) const {
    px[i] = x[i].x;
    py[i] = x[i].y;
    pz[i] = x[i].z;
    xh[i] = Vec4f(x[i].x - centre.x, x[i].y - centre.y, x[i].z - centre.z, 1.f);
  }
};

// Finds the neighbours of a block of particles and emits coefficients and row sums in one go.
struct DirectPairs {
  const float *px, *py, *pz;
  const CellGrid* grid;
  const Boundary* boundary;
  const Index* near;
  const float* sheetDistance;  // null: no sheets
  Wendland<float> kernel;
  float V, cW;
  Index perRow;
  Offset *begin, *folded;
  Index* count;
  Pair* items;
  Vec4f* T;
  float *sumC, *c2r2, *c2, *density;
  std::uint8_t* overflow;

  struct Work {
    Candidates candidates;
    Neighbours neighbours;
    Boundary::SheetsNear sheets;
  };

  void operator()(Index first, Index last) const {
    Work work;
    Offset out = Offset(first) * perRow;
    const Offset outEnd = out + Offset(kBlock) * perRow;
    bool full = false;
    for (Index i = first; i < last;) {
      const Vec3<Index> cell = grid->cellOf({px[i], py[i], pz[i]});
      const Index cellEnd = grid->begin[grid->indexOf(cell) + 1], end = cellEnd < last ? cellEnd : last;
      gather(cell, i, end, work.candidates);
      for (; i < end; ++i) full |= !row(i, work, out, outEnd);
    }
    overflow[first / kBlock] = full;
  }

  // Candidates of the particles [i, end) of a cell.
  void gather(const Vec3<Index>& c, Index i, Index end, Candidates& out) const {
    Vec3f lo{px[i], py[i], pz[i]}, hi = lo;
    for (Index k = i + 1; k < end; ++k) {
      lo = {std::min(lo.x, px[k]), std::min(lo.y, py[k]), std::min(lo.z, pz[k])};
      hi = {std::max(hi.x, px[k]), std::max(hi.y, py[k]), std::max(hi.z, pz[k])};
    }
    out.n = 0;
    const float reach2 = kernel.H * kernel.H * 1.00001f;  // no neighbour is lost to round-off
    const Index x0 = c.x > 0 ? c.x - 1 : 0, x1 = c.x + 1 < grid->dim.x ? c.x + 1 : c.x;
    for (Index z = c.z > 0 ? c.z - 1 : 0; z <= c.z + 1 && z < grid->dim.z; ++z)
      for (Index y = c.y > 0 ? c.y - 1 : 0; y <= c.y + 1 && y < grid->dim.y; ++y)
        addCandidates(px, py, pz, grid->begin[grid->indexOf({x0, y, z})], grid->begin[grid->indexOf({x1, y, z}) + 1], lo, hi,
                      reach2, out);
  }

  bool row(Index i, Work& work, Offset& out, Offset outEnd) const {
    Neighbours& nb = work.neighbours;
    findNeighbours(work.candidates, i, {px[i], py[i], pz[i]}, kernel.H * kernel.H, nb);
    if (sheetDistance && near[i] >= 0) dropSeparated(i, nb, work.sheets);
    const bool fits = out + paddedRow(nb.n) <= outEnd;
    if (!fits) nb.n = 0;
    begin[i] = folded[i] = out;
    count[i] = nb.n;
    const RowSums s = pairRow(nb, i, kernel, V, items + out);
    out += paddedRow(nb.n);
    T[i] = Vec4f(s.t, s.c);
    sumC[i] = s.c;
    c2r2[i] = s.c2r2;
    c2[i] = s.c2;
    density[i] = cW * V * (kernel.w0 + s.W);
    return fits;
  }

  // Nothing stands between two particles that are nearer to each other than to the sheets.
  void dropSeparated(Index i, Neighbours& nb, Boundary::SheetsNear& sheets) const {
    const float own = sheetDistance[i];
    const Vec4f plane = boundary->sheetPlane(near[i]);
    // cheap bounds; the test below is exact
    const auto possible = [&](Index s) {
      const float reach = own + sheetDistance[nb.j[s]];
      const float below = plane.x * nb.dx[s] + plane.y * nb.dy[s] + plane.z * nb.dz[s];
      return int(reach * reach * 0.9999f <= nb.r2[s]) & int(!(plane.w > 0.f) | int(below > plane.w * 0.9999f));
    };
    int any = 0;
    for (Index s = 0; s < nb.n; ++s) any |= possible(s);
    if (!any) return;
    boundary->findSheetsNear(i, sheets);
    Index k = 0;
    for (Index s = 0; s < nb.n; ++s) {
      if (possible(s) && boundary->separated(i, nb.j[s], sheets)) continue;
      nb.j[k] = nb.j[s];
      nb.r2[k] = nb.r2[s];
      nb.dx[k] = nb.dx[s];
      nb.dy[k] = nb.dy[s];
      nb.dz[k++] = nb.dz[s];
    }
    nb.n = k;
  }
};

}  // namespace

PairBuilder::PairBuilder(double dx, double support)
    : kernel_(Wendland<float>::make(float(support))), lattice_(latticeSums(dx, support)), volume_(float(dx * dx * dx)) {}

void PairBuilder::build(Exec& exec, const CellGrid& grid, const Boundary& boundary, const FluidState& fluid, const Vec3f& centre,
                        PairLists& lists) {
  const Index n = fluid.n;
  for (auto* b : {&px_, &py_, &pz_}) b->resizeUninitialized(n);
  for (auto* b : {&lists.c2r2, &lists.c2, &lists.density, &lists.sumC}) b->resizeUninitialized(n);
  lists.xh.resizeUninitialized(n);
  lists.T.resizeUninitialized(n);
  parallelFor(exec, "pairs: coordinates", n,
              SplitCoordinates{fluid.x.view(), px_.data(), py_.data(), pz_.data(), lists.xh.view(), centre});
  do buildDirect(exec, grid, boundary, fluid, lists);
  while (!buildMirror(exec, boundary, fluid, lists));
}

void PairBuilder::buildDirect(Exec& exec, const CellGrid& grid, const Boundary& boundary, const FluidState& fluid,
                              PairLists& lists) {
  const Index n = fluid.n, blocks = (n + kBlock - 1) / kBlock;
  overflow_.resizeUninitialized(blocks);
  for (;;) {
    // after the direct rows the items have room for the folded rows of near particles
    lists.direct.prepare(n, boundary.nearParticle().n, Index(1.5 * lattice_.neighbours) + 8);
    lists.foldedBegin.resizeUninitialized(n);
    parallelBlocks(exec, "pairs: direct", n,
                   DirectPairs{px_.data(),
                               py_.data(),
                               pz_.data(),
                               &grid,
                               &boundary,
                               boundary.nearIndex().data,
                               boundary.sheetDistance(),
                               kernel_,
                               volume_,
                               float(lattice_.cW),
                               lists.direct.perRow,
                               lists.direct.begin.data(),
                               lists.foldedBegin.data(),
                               lists.direct.count.data(),
                               lists.direct.items.data(),
                               lists.T.data(),
                               lists.sumC.data(),
                               lists.c2r2.data(),
                               lists.c2.data(),
                               lists.density.data(),
                               overflow_.data()});
    if (!overflowed(blocks, 1)) return;
    lists.direct.perRow += lists.direct.perRow / 2;
  }
}

bool PairBuilder::overflowed(Index blocks, std::uint8_t bit) const {
  for (Index b = 0; b < blocks; ++b)
    if (overflow_[b] & bit) return true;
  return false;
}

std::size_t PairLists::bytes() const {
  std::size_t s = direct.items.capacityBytes() + links.items.capacityBytes() + plane.capacityBytes();
  for (const auto* b : {&xh, &T}) s += b->capacityBytes();
  for (const auto* b : {&c2r2, &c2, &sumC, &density, &slotK, &slotPush}) s += b->capacityBytes();
  return s;
}

}  // namespace meniscus
