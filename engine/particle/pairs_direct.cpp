// Direct pairs: neighbour search and coefficients in one go.
#include "engine/particle/pairs.h"

#include "kernels/search/neighbour_search.h"

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
  bool sheets;
  Wendland<float> kernel;
  float V, cW;
  Index perRow;
  Offset *begin, *folded;
  Index* count;
  Pair* items;
  Vec4f* T;
  float *sumC, *c2r2, *c2, *density;
  std::uint8_t* overflow;

  void operator()(Index first, Index last) const {
    Index J[kMaxCandidatesPerRow + 64];
    float R2[kMaxCandidatesPerRow + 64];
    const float h2 = kernel.H * kernel.H;
    Offset out = Offset(first) * perRow;
    const Offset outEnd = out + Offset(kBlock) * perRow;
    bool full = false;
    for (Index i = first; i < last; ++i) {
      Index m = candidates(i, h2, J, R2);
      if (sheets && near[i] >= 0) m = dropSeparated(i, m, J, R2);
      begin[i] = folded[i] = out;
      if (out + paddedRow(m) > outEnd) {
        full = true;
        m = 0;
      }
      count[i] = m;
      emit(i, m, J, R2, items + out);
      for (Offset end = out + paddedRow(m), pad = out + m; pad < end; ++pad) items[pad] = {0.f, i};
      out += paddedRow(m);
    }
    overflow[first / kBlock] = full;
  }

  Index candidates(Index i, float h2, Index* J, float* R2) const {
    const Vec3<Index> c = grid->cellOf({px[i], py[i], pz[i]});
    const Index x0 = c.x > 0 ? c.x - 1 : 0, x1 = c.x + 1 < grid->dim.x ? c.x + 1 : c.x;
    Index m = 0;
    for (Index z = c.z > 0 ? c.z - 1 : 0; z <= c.z + 1 && z < grid->dim.z; ++z)
      for (Index y = c.y > 0 ? c.y - 1 : 0; y <= c.y + 1 && y < grid->dim.y; ++y) {
        const Index b = grid->begin[grid->indexOf({x0, y, z})], e = grid->begin[grid->indexOf({x1, y, z}) + 1];
        const Index room = kMaxCandidatesPerRow - m;
        if (room <= 0) return m;
        m += scanRun(px, py, pz, b, e - b > room ? b + room : e, px[i], py[i], pz[i], h2, i, J + m, R2 + m);
      }
    return m;
  }

  Index dropSeparated(Index i, Index m, Index* J, float* R2) const {
    Index k = 0;
    for (Index s = 0; s < m; ++s) {
      if (near[J[s]] >= 0 && boundary->separated(i, J[s])) continue;
      J[k] = J[s];
      R2[k++] = R2[s];
    }
    return k;
  }

  void emit(Index i, Index m, const Index* J, const float* R2, Pair* row) const {
    Vec3f t{};
    float s = 0, s2 = 0, sr = 0, w = kernel.w0;
    for (Index k = 0; k < m; ++k) {
      const float r2 = R2[k], q = std::sqrt(r2) * kernel.invH, a = 1.f - q, a3 = a * a * a;
      const float c = V * kernel.f0 * a3;
      w += kernel.w0 * a3 * a * (1.f + 4.f * q);
      row[k] = {c, J[k]};
      s += c;
      s2 += c * c;
      sr += c * c * r2;
      t.x += c * (px[i] - px[J[k]]);
      t.y += c * (py[i] - py[J[k]]);
      t.z += c * (pz[i] - pz[J[k]]);
    }
    T[i] = Vec4f(t, s);
    sumC[i] = s;
    c2r2[i] = sr;
    c2[i] = s2;
    density[i] = cW * V * w;
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
                               boundary.anySeparating(),
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
