#include "engine/particle/candidate_lists.h"

#include <algorithm>

namespace meniscus {

struct TriangleBins::FindBin {
  const CellGrid* grid;
  View<const Index> which;
  View<const Vec4f> sphere;
  std::uint8_t* level;
  Index* cell;
  void operator()(Index i) const {
    const Vec4f s = sphere[which[i]];
    int l = 0;
    for (float width = grid->size; l + 1 < kLevels && width < s.w; width *= 2.f) ++l;
    level[i] = std::uint8_t(l);
    cell[i] = grid->indexOf(grid->cellOf(s.xyz()));
  }
};

struct TriangleBins::Fill {
  View<const Index> which, order;
  const TriangleGeometry* g;
  float half, reach;
  float *x, *y, *z, *far2, *nx, *ny, *nz, *slab;
  Index* tri;
  void operator()(Index k) const {
    const Index t = which[order[k]];
    const Vec4f s = g->sphere[std::size_t(t)], n = g->tri[std::size_t(t)].n;
    tri[k] = t;
    x[k] = s.x;
    y[k] = s.y;
    z[k] = s.z;
    far2[k] = (s.w + reach) * (s.w + reach);
    nx[k] = n.x;
    ny[k] = n.y;
    nz[k] = n.z;
    slab[k] = slabOf(n.xyz(), half, reach);
  }
};

// Counting sort by level and bin; within a bin ascending.
void TriangleBins::sort(const TriangleGeometry& g, const Buffer<Index>& which) {
  for (Level& l : level_) l.radius = l.used = 0;
  for (std::size_t i = 0; i < which.size(); ++i) {
    Level& l = level_[levelOf_[i]];
    l.used = true;
    l.radius = std::max(l.radius, g.sphere[std::size_t(which[i])].w);
  }
  Index bins = 0;
  for (int k = 0; k < kLevels; ++k) {
    Level& l = level_[k];
    l.base = bins;
    l.dim = {((grid_->dim.x - 1) >> k) + 1, ((grid_->dim.y - 1) >> k) + 1, ((grid_->dim.z - 1) >> k) + 1};
    if (l.used) bins += l.dim.x * l.dim.y * l.dim.z;
  }
  begin_.assign(std::size_t(bins) + 1, 0);
  for (std::size_t i = 0; i < which.size(); ++i) {
    const int k = levelOf_[i];
    const Level& l = level_[k];
    const Index c = binOf_[i], cx = c % grid_->dim.x, cy = c / grid_->dim.x % grid_->dim.y, cz = c / grid_->dim.x / grid_->dim.y;
    binOf_[i] = l.base + ((cz >> k) * l.dim.y + (cy >> k)) * l.dim.x + (cx >> k);
    ++begin_[std::size_t(binOf_[i]) + 1];
  }
  for (Index b = 0; b < bins; ++b) begin_[std::size_t(b) + 1] += begin_[std::size_t(b)];
  // filling from the back leaves begin_[b + 1] at the start of bin b; shifted by one in forEachRun
  order_.resizeUninitialized(which.size());
  for (std::size_t i = which.size(); i-- > 0;) order_[std::size_t(--begin_[std::size_t(binOf_[i]) + 1])] = Index(i);
}

void TriangleBins::build(Exec& exec, const CellGrid& grid, const TriangleGeometry& g, const Buffer<Index>& which, float reach) {
  const std::size_t n = which.size();
  grid_ = &grid;
  reach_ = reach * 1.0001f;  // nothing is lost to round-off
  levelOf_.resizeUninitialized(n);
  binOf_.resizeUninitialized(n);
  parallelFor(exec, "triangle bins", Index(n), FindBin{&grid, which.view(), g.sphere.view(), levelOf_.data(), binOf_.data()});
  sort(g, which);
  for (Buffer<float>* b : {&x_, &y_, &z_, &far2_, &nx_, &ny_, &nz_, &slab_}) b->resize(n + std::size_t(kLanes));
  tri_.resize(n + std::size_t(kLanes));
  parallelFor(exec, "triangles by bin", Index(n),
              Fill{which.view(), std::as_const(order_).view(), &g, 0.5f * grid.size, reach_, x_.data(), y_.data(), z_.data(),
                   far2_.data(), nx_.data(), ny_.data(), nz_.data(), slab_.data(), tri_.data()});
}

// The bins in reach of a box, in runs along x: visit(begin, end), numbers of sorted triangles.
template <class Visit>
void TriangleBins::forEachRun(const Vec3f& lo, const Vec3f& hi, const Visit& visit) const {
  const Index all = Index(order_.size());
  for (int k = 0; k < kLevels; ++k) {
    const Level& l = level_[k];
    if (!l.used) continue;
    const float r = reach_ + l.radius;
    const Vec3<Index> a = grid_->cellOf(lo - Vec3f{r, r, r}), b = grid_->cellOf(hi + Vec3f{r, r, r});
    for (Index z = a.z >> k; z <= b.z >> k; ++z)
      for (Index y = a.y >> k; y <= b.y >> k; ++y) {
        const Index row = l.base + (z * l.dim.y + y) * l.dim.x;
        const std::size_t last = std::size_t(row + (b.x >> k)) + 2;
        const Index begin = begin_[std::size_t(row + (a.x >> k)) + 1], end = last < begin_.size() ? begin_[last] : all;
        if (begin < end) visit(begin, end);
      }
  }
}

Index TriangleBins::find(const Vec3f& lo, const Vec3f& hi, Buffer<Index>& out, Index n) const {
  const BinnedTriangles b{x_.data(),  y_.data(),  z_.data(),    far2_.data(), nx_.data(),
                          ny_.data(), nz_.data(), slab_.data(), tri_.data()};
  forEachRun(lo, hi, [&](Index begin, Index end) {
    const std::size_t room = std::size_t(n) + std::size_t(end - begin) + std::size_t(kLanes);
    if (out.size() < room) out.resizeUninitialized(2 * room);
    n = appendInReach(b, begin, end, lo, hi, out.data(), n);
  });
  return n;
}

std::size_t TriangleBins::bytes() const {
  std::size_t sum =
      levelOf_.capacityBytes() + binOf_.capacityBytes() + begin_.capacityBytes() + order_.capacityBytes() + tri_.capacityBytes();
  for (const auto* b : {&x_, &y_, &z_, &far2_, &nx_, &ny_, &nz_, &slab_}) sum += b->capacityBytes();
  return sum;
}

struct CandidateLists::BuildContext {
  CandidateLists* self;
  const CellGrid* grid;
  bool allCells;
};

void CandidateLists::buildLayer(void* context, Index z) {
  const BuildContext& c = *static_cast<const BuildContext*>(context);
  const CellGrid& grid = *c.grid;
  const Index base = z * grid.dim.x * grid.dim.y;
  Buffer<Index>& items = c.self->layers_[std::size_t(z)];
  Index *first = c.self->first_.data() + base, *count = c.self->count_.data() + base;
  const Index* begin = c.allCells ? nullptr : grid.begin.data() + base;
  Index n = 0, cell = 0;
  for (Index y = 0; y < grid.dim.y; ++y)
    for (Index x = 0; x < grid.dim.x; ++x, ++cell) {
      first[cell] = n;
      count[cell] = 0;
      if (begin && begin[cell] == begin[cell + 1]) continue;
      const Vec3f lo = Vec3f{float(x), float(y), float(z)} * grid.size, hi = lo + Vec3f{grid.size, grid.size, grid.size};
      n = c.self->bins_.find(lo, hi, items, n);
      count[cell] = n - first[cell];
    }
}

void CandidateLists::build(Exec& exec, const char* name, const CellGrid& grid, const TriangleGeometry& g,
                           const Buffer<Index>& which, float reach, bool allCells) {
  cells_ = which.empty() ? 0 : grid.cells();
  reach_ = reach;
  if (!cells_) return;
  if (layers_.size() < std::size_t(grid.dim.z)) layers_.resize(std::size_t(grid.dim.z));
  first_.resizeUninitialized(std::size_t(cells_));
  count_.resizeUninitialized(std::size_t(cells_));
  bins_.build(exec, grid, g, which, reach);
  BuildContext context{this, &grid, allCells};
  exec.run(name, grid.dim.z, &CandidateLists::buildLayer, &context);
}

std::size_t CandidateLists::bytes() const {
  std::size_t sum = bins_.bytes() + first_.capacityBytes() + count_.capacityBytes();
  for (const Buffer<Index>& l : layers_) sum += l.capacityBytes();
  return sum;
}

}  // namespace meniscus
