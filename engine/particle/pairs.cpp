#include "engine/particle/pairs.h"

#include "kernels/fluid/mirror_kernel.h"
#include "kernels/search/neighbour_search.h"

namespace meniscus {
namespace {

constexpr Index kMaxCandidatesPerRow = 4096;  // hits inside the support of one particle; more is a collapsed fluid and is cut

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
  Offset* begin;
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
      begin[i] = out;
      if (out + m > outEnd) {
        full = true;
        m = 0;
      }
      count[i] = m;
      emit(i, m, J, R2, items + out);
      out += m;
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

// Mirror pairs of a block of near particles. The image sums are always evaluated with the lower particle number first, so that both
// particles of a pair see the same bits and the forces cancel exactly.
struct MirrorPairs {
  View<const Index> nearParticle, nearIndex;
  View<const std::uint8_t> featureCount;
  View<const Feature> features;
  const Vec4f* x;
  const Offset* directBegin;
  const Index* directCount;
  const Pair* direct;
  Wendland<float> kernel;
  float V, cW;
  const std::uint8_t* tracked;
  Index perRow, linksPerRow;
  Offset *begin, *linkBegin;
  Index *count, *linkCount;
  MirrorPair* items;
  SurfaceLink* linkItems;
  float* selfLink;
  Vec4f* T;
  float *sumC, *c2r2, *density;
  std::uint8_t* overflow;

  struct Row {
    MirrorPair pair;
    float W;
    float kOwn[kMaxFeatures], kOther[kMaxFeatures];
    int partner[kMaxFeatures];
  };

  void operator()(Index first, Index last) const {
    Offset out = Offset(first) * perRow, linkOut = Offset(first) * linksPerRow;
    const Offset outEnd = out + Offset(kBlock) * perRow, linkEnd = linkOut + Offset(kBlock) * linksPerRow;
    bool full = false, linksFull = false;
    for (Index k = first; k < last; ++k) {
      const Index a = nearParticle[k];
      begin[k] = out;
      linkBegin[k] = linkOut;
      Vec3f t{};
      float s = 0, w = 0, sr = 0, own = 0;
      selfImage(k, t, own, w);
      for (Offset d = directBegin[a]; d < directBegin[a] + directCount[a]; ++d) {
        const Index b = direct[d].j, kb = nearIndex[b];
        Row row;
        if (kb < 0 || !imagesOf(k, a, kb, b, row)) continue;
        if (out == outEnd) {
          full = true;
          break;
        }
        items[out++] = row.pair;
        t += row.pair.ga;
        s += row.pair.c;
        w += row.W;
        // |coefficient of u_b|^2 = |c x_ab - g_b|^2 = c^2 r^2 (already in) - 2 c x_ab . g_b + |g_b|^2
        const Vec3f xab = x[a].xyz() - x[b].xyz();
        sr += norm2(row.pair.gb) - 2.f * direct[d].c * dot(xab, row.pair.gb);
        linksFull |= !emitLinks(k, kb, row, linkOut, linkEnd);
      }
      count[k] = Index(out - begin[k]);
      linkCount[k] = Index(linkOut - linkBegin[k]);
      T[a] = Vec4f(T[a].xyz() + t, T[a].w + s);
      sumC[a] += s + own;
      c2r2[a] += sr;
      density[a] += cW * V * w;
    }
    overflow[first / kBlock] = std::uint8_t((full ? 1 : 0) | (linksFull ? 2 : 0));
  }

  // b = a: D_aa += 4 w c' sum d n, counted once in the density; nu weight -4 w c' d
  void selfImage(Index k, Vec3f& t, float& s, float& w) const {
    const Feature* A = features.data + Offset(k) * kMaxFeatures;
    float* own = selfLink + Offset(k) * kMaxFeatures;
    for (int i = 0; i < kMaxFeatures; ++i) own[i] = 0;
    forEachImage(A, featureCount[k], A, featureCount[k], 0.f, V, kernel, [&](const MirrorTerm& m) {
      w += m.W;
      s += m.c;
      for (int i = 0; i < m.count; ++i) {
        const Feature& f = A[m.fa[i]];
        t += f.n * (4.f * m.c * f.d);
        own[m.fa[i]] -= 4.f * m.c * f.d;
      }
    });
  }

  bool imagesOf(Index k, Index a, Index kb, Index b, Row& row) const {
    const bool swap = b < a;
    const Index lo = swap ? b : a, hi = swap ? a : b, kLo = swap ? kb : k, kHi = swap ? k : kb;
    const Feature *L = features.data + Offset(kLo) * kMaxFeatures, *H = features.data + Offset(kHi) * kMaxFeatures;
    const Vec3f d = x[lo].xyz() - x[hi].xyz();
    Vec3f gLo{}, gHi{};
    float c = 0, W = 0, kL[kMaxFeatures] = {}, kH[kMaxFeatures] = {};
    int partnerL[kMaxFeatures], partnerH[kMaxFeatures];
    bool any = false;
    forEachImage(L, featureCount[kLo], H, featureCount[kHi], norm2(d), V, kernel, [&](const MirrorTerm& m) {
      any = true;
      c += m.c;
      W += m.W;
      Vec3f sumLo = d, sumHi = -d;
      for (int i = 0; i < m.count; ++i) {
        const int fl = m.fa[i], fh = m.fb[i];
        sumLo += L[fl].n * (2.f * H[fh].d);
        sumHi += H[fh].n * (2.f * L[fl].d);
        kL[fl] -= 2.f * m.c * H[fh].d;
        kH[fh] -= 2.f * m.c * L[fl].d;
        partnerL[fl] = fh;
        partnerH[fh] = fl;
      }
      gLo += sumLo * m.c;
      gHi += sumHi * m.c;
    });
    if (!any) return false;
    row.pair = swap ? MirrorPair{gHi, b, gLo, c} : MirrorPair{gLo, b, gHi, c};
    row.W = W;
    const float *own = swap ? kH : kL, *other = swap ? kL : kH;
    const int* partner = swap ? partnerH : partnerL;
    for (int i = 0; i < kMaxFeatures; ++i) {
      row.kOwn[i] = own[i];
      row.partner[i] = own[i] != 0.f ? partner[i] : -1;
      row.kOther[i] = own[i] != 0.f ? other[partner[i]] : 0.f;
    }
    return true;
  }

  bool emitLinks(Index k, Index kb, const Row& row, Offset& out, Offset end) const {
    for (int i = 0; i < kMaxFeatures; ++i) {
      if (row.partner[i] < 0) continue;
      const Index own = k * kMaxFeatures + i, other = kb * kMaxFeatures + row.partner[i];
      if (!tracked[own] && !tracked[other]) continue;
      if (out == end) return false;
      linkItems[out++] = {own, other, row.kOwn[i], row.kOther[i]};
    }
    return true;
  }
};

struct TrackedSurfaces {
  const Boundary* boundary;
  View<const std::uint8_t> featureCount;
  View<const Feature> features;
  View<std::uint8_t> tracked;
  void operator()(Index k) const {
    for (int i = 0; i < featureCount[k]; ++i) {
      const Offset slot = Offset(k) * kMaxFeatures + i;
      const std::int32_t s = features[slot].surface;
      // domain walls and fixed primitives neither move nor report a force
      tracked[slot] = s >= 0 || boundary->surface(s).owner != SurfaceOwner::fixed;
    }
  }
};

template <class T>
void prepareRows(RowList_<T>& rows, Index n, Index initialPerRow) {
  if (rows.perRow == 0) rows.perRow = initialPerRow;
  rows.begin.resizeUninitialized(n);
  rows.count.resizeUninitialized(n);
  const std::size_t need = std::size_t((n + kBlock - 1) / kBlock) * kBlock * rows.perRow;
  if (rows.items.size() < need) {
    rows.items.clear();  // nothing to carry over
    rows.items.resizeUninitialized(need);
  }
}

bool anySet(const Buffer<std::uint8_t>& flags, Index blocks, std::uint8_t bit) {
  for (Index b = 0; b < blocks; ++b)
    if (flags[b] & bit) return true;
  return false;
}

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
    prepareRows(lists.direct, n, Index(1.5 * lattice_.neighbours) + 8);
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
                               lists.direct.count.data(),
                               lists.direct.items.data(),
                               lists.T.data(),
                               lists.sumC.data(),
                               lists.c2r2.data(),
                               lists.c2.data(),
                               lists.density.data(),
                               overflow_.data()});
    if (!anySet(overflow_, blocks, 1)) return;
    lists.direct.perRow += lists.direct.perRow / 2;
  }
}

bool PairBuilder::buildMirror(Exec& exec, const Boundary& boundary, const FluidState& fluid, PairLists& lists) {
  const View<const Index> near = boundary.nearParticle();
  const Index n = near.n, blocks = (n + kBlock - 1) / kBlock;
  lists.selfLink.resizeUninitialized(std::size_t(n) * kMaxFeatures);
  lists.tracked.resizeUninitialized(std::size_t(n) * kMaxFeatures);
  parallelFor(exec, "pairs: tracked surfaces", n,
              TrackedSurfaces{&boundary, boundary.featureCount(), boundary.features(), lists.tracked.view()});
  prepareRows(lists.mirror, n, lattice_.neighbours);
  prepareRows(lists.links, n, lattice_.neighbours);
  overflow_.resizeUninitialized(blocks);
  parallelBlocks(exec, "pairs: mirror", n,
                 MirrorPairs{near,
                             boundary.nearIndex(),
                             boundary.featureCount(),
                             boundary.features(),
                             fluid.x.data(),
                             lists.direct.begin.data(),
                             lists.direct.count.data(),
                             lists.direct.items.data(),
                             kernel_,
                             volume_,
                             float(lattice_.cW),
                             lists.tracked.data(),
                             lists.mirror.perRow,
                             lists.links.perRow,
                             lists.mirror.begin.data(),
                             lists.links.begin.data(),
                             lists.mirror.count.data(),
                             lists.links.count.data(),
                             lists.mirror.items.data(),
                             lists.links.items.data(),
                             lists.selfLink.data(),
                             lists.T.data(),
                             lists.sumC.data(),
                             lists.c2r2.data(),
                             lists.density.data(),
                             overflow_.data()});
  const bool grow = anySet(overflow_, blocks, 1), growLinks = anySet(overflow_, blocks, 2);
  if (!grow && !growLinks) return true;
  if (grow) lists.mirror.perRow += lists.mirror.perRow / 2;
  if (growLinks) lists.links.perRow += lists.links.perRow / 2 + 8;
  return false;
}

std::size_t PairLists::bytes() const {
  return direct.items.capacityBytes() + mirror.items.capacityBytes() + links.items.capacityBytes() + xh.capacityBytes() +
         T.capacityBytes() + c2r2.capacityBytes() + c2.capacityBytes() + density.capacityBytes() + selfLink.capacityBytes();
}

}  // namespace meniscus
