// The features of every particle: local minima of the distance to triangles and primitives, weighted, clustered by normal.
#include <algorithm>

#include "engine/particle/boundary_impl.h"

namespace meniscus {
namespace {

constexpr float kSameNormal = 0.87f;  // cosine of 30 degrees: features closer in direction than this are one
constexpr float kSmallestWeight = 1e-3f;

struct BlockFeatures {
  const Boundary::Impl* self;
  View<const Vec4f> x;
  FeatureTable* out;
  PerThread<TriangleLanesBuffer> perThread;
  void operator()(Index begin, Index end) const {
    TriangleLanesBuffer& candidates = perThread[Exec::thread()];  // of the cell the last particle was in
    thread_local HitList hits;
    FeatureTable& t = *out;
    Index rows = 0, slots = 0, lastCell = -1;
    const bool anyTriangles = self->triangles.count > 0;
    if (!anyTriangles) candidates.lanes().n = 0;  // those of another scene
    const bool wallsAlone = !anyTriangles && self->primitives.size() == self->walls;
    for (Index i = begin; i < end; ++i) {
      const Vec3f p = x[i].xyz();
      t.x[std::size_t(i)] = x[i];
      t.nearIndex[std::size_t(i)] = -1;
      if (wallsAlone && !self->wallsNear(p, self->support)) {
        t.triangleDistance[std::size_t(i)] = self->support;
        t.sheetDistance[std::size_t(i)] = std::numeric_limits<float>::infinity();
        continue;
      }
      const Index cell = self->grid->indexOf(self->grid->cellOf(p));
      if (anyTriangles && cell != lastCell) {
        const CandidateSpan spans[2] = {self->moving(cell), self->still(cell)};
        // the box of the particles ahead that share the cell
        Vec3f lo = p, hi = p;
        for (Index j = i + 1; j < end && self->grid->indexOf(self->grid->cellOf(x[j].xyz())) == cell; ++j) {
          lo = minOf(lo, x[j].xyz());
          hi = maxOf(hi, x[j].xyz());
        }
        candidates.prepare(std::size_t(spans[0].n + spans[1].n));
        for (const CandidateSpan& span : spans)
          triangle_lanes::append(self->triangles.filter.data(), span.data, span.n, lo, hi, self->support, candidates.lanes());
        lastCell = cell;
      }
      Feature f[kMaxFeatures];
      const int n = self->featuresAt(p, cell, candidates.lanes(), hits, f, t.sheetDistance[std::size_t(i)]);
      t.triangleDistance[std::size_t(i)] = hits.nearest;
      if (n == 0) continue;
      const std::size_t row = std::size_t(begin + rows++);
      for (int k = 0; k < n; ++k) t.blockFeatures[std::size_t(begin) * kMaxFeatures + std::size_t(slots + k)] = f[k];
      t.blockFeatureCount[row] = std::uint8_t(n);
      t.blockParticle[row] = i;
      slots += n;
    }
    t.blockCount[std::size_t(begin / kBlock)] = rows;
    t.blockSlots[std::size_t(begin / kBlock)] = slots;
  }
};

struct CompactFeatures {
  FeatureTable* out;
  void operator()(Index begin, Index) const {
    FeatureTable& t = *out;
    const std::size_t block = std::size_t(begin / kBlock);
    Index slot = t.blockSlots[block];
    std::size_t feature = std::size_t(begin) * kMaxFeatures;
    for (Index k = 0; k < t.blockCount[block]; ++k) {
      const std::size_t from = std::size_t(begin + k), to = std::size_t(t.blockBegin[block] + k);
      const Index particle = t.blockParticle[from];
      t.nearIndex[std::size_t(particle)] = Index(to);
      t.nearParticle[to] = particle;
      t.count[to] = t.blockFeatureCount[from];
      t.slotBegin[to] = slot;
      for (std::size_t j = 0; j < t.count[to]; ++j) t.features[std::size_t(slot++)] = t.blockFeatures[feature++];
    }
  }
};

}  // namespace

int Boundary::Impl::featuresAt(const Vec3f& x, Index cell, const TriangleLanes& candidates, HitList& hits,
                               Feature (&out)[kMaxFeatures], float& sheetDistance) const {
  hits.clear(support);
  collectTriangleHits(triangles.start, candidates, x, support, hits);
  sheetDistance = hits.nearestSheet < support ? hits.nearestSheet : std::numeric_limits<float>::infinity();
  collectPrimitiveHits(x, support, false, hits);
  for (int k = 0; k < hits.n; ++k) {
    const Hit& h = hits.hit[k];
    if (h.surface < 0 && primitives[std::size_t(-1 - h.surface)].thin) sheetDistance = std::min(sheetDistance, h.d);
  }
  int kept = 0;
  for (int k = 0; k < hits.n && kept < kMaxFeatures; ++k) {
    const Hit& h = hits.hit[k];
    if (h.w < kSmallestWeight) continue;
    bool drop = false;
    for (int j = 0; j < kept; ++j) drop |= dot(h.n, out[j].n) > kSameNormal;
    if (drop) continue;
    // what stands behind another surface is not seen; nothing can stand before the nearest one
    if (k > 0) {
      const Vec3f y = x - h.n * (0.99f * h.d);
      for (const CandidateSpan& c : {moving(cell), still(cell)}) drop |= !drop && crossesTriangle(triangles.start, c, x, y, false);
      if (drop) continue;
    }
    // a particle on or behind a surface is treated as just in front of it
    out[kept++] = {h.n, std::max(h.d, 1e-3f * contact), h.w, h.b0, h.b1, h.surface};
  }
  return kept;
}

void Boundary::findFeatures(Exec& exec, const CellGrid& grid, View<const Vec4f> x) {
  Impl& im = *impl_;
  FeatureTable& t = im.table;
  im.grid = &grid;
  const std::size_t n = std::size_t(x.n), blocks = (n + kBlock - 1) / kBlock;
  t.nearIndex.resizeUninitialized(n);
  t.triangleDistance.resizeUninitialized(n);
  t.sheetDistance.resizeUninitialized(n);
  t.x.resizeUninitialized(n);
  if (n * kMaxFeatures > t.blockFeatures.capacity()) t.blockFeatures.reserve((n + n / 16) * kMaxFeatures, true);
  t.blockFeatures.resizeUninitialized(n * kMaxFeatures);
  t.blockFeatureCount.resizeUninitialized(n);
  t.blockParticle.resizeUninitialized(n);
  t.blockCount.assign(blocks, 0);
  t.blockSlots.assign(blocks, 0);
  t.blockBegin.resizeUninitialized(blocks + 1);
  parallelBlocks(exec, "boundary features", x.n, BlockFeatures{&im, x, &t, exec.perThreadLevelled<TriangleLanesBuffer>()});
  Index total = 0, slots = 0;
  for (std::size_t b = 0; b < blocks; ++b) {
    t.blockBegin[b] = total;
    total += t.blockCount[b];
    const Index inBlock = t.blockSlots[b];
    t.blockSlots[b] = slots;  // from here on: the first
    slots += inBlock;
  }
  t.nearParticle.resizeUninitialized(std::size_t(total));
  t.count.resizeUninitialized(std::size_t(total));
  t.slotBegin.resizeUninitialized(std::size_t(total) + 1);
  t.slotBegin[std::size_t(total)] = slots;
  t.features.resizeUninitialized(std::size_t(slots));
  parallelBlocks(exec, "boundary rows", x.n, CompactFeatures{&t});
  sheetDistance_ = im.separating ? t.sheetDistance.data() : nullptr;
  positions_ = t.x.data();
}

}  // namespace meniscus
