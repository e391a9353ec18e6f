// Direct pairs: neighbour search and coefficients in one go.
#include "engine/particle/pairs.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "engine/particle/sheets_near.h"
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
  const float* sheetDistance;  // null: no sheets
  SmoothingKernel<float> kernel;
  float V, cW;
  Offset *begin, *direct;
  Index* count;
  RoomInArray<Pair> room;
  const Index* near;  // per particle: near row, or -1
  RowFormat format;
  // Rows of near particles, once the images are in them. They stay in eight bytes as well, with the images and without: where most
  // particles are near, as in a layer of water on the ground, lists would take more room than if none were packed.
  bool packNear;
  CoefficientGrid rounding;
  PackedGroup* packed;
  Index* reach;  // per block
  RoomInArray<PackedUnit> unitRoom;
  Vec4f* T;
  float *sumC, *c2r2, *c2, *density;

  struct Work {
    Candidates candidates;
    Neighbours neighbours;
    bool sheetsKnown;                                                        // of the cell
    Vec3f lo, hi;                                                            // box of the cell's particles in the block
    std::vector<Pair> groups = std::vector<Pair>(std::size_t(kBlock) * 64);  // of the block so far
    std::size_t n;                                                           // pairs in them, without the group in progress
    std::vector<PackedUnit> units;
    std::size_t packed;  // units in them
    Index farthest;      // particle in reach of the block's cells
    void makeRoomOf(const Work& other) {
      groups.resize(std::max(groups.size(), other.groups.size()));
      units.resize(std::max(units.size(), other.units.size()));
    }
  };
  PerThread<Work> perThread;
  PerThread<SheetsNear> sheetsOfThread;

  void operator()(Index first, Index last) const {
    Work& work = perThread[Exec::thread()];
    work.n = work.packed = 0;
    work.farthest = last - 1;
    for (Index i = first; i < last;) {
      const Vec3<Index> cell = grid->cellOf({px[i], py[i], pz[i]});
      const Index cellEnd = grid->begin[grid->indexOf(cell) + 1], end = cellEnd < last ? cellEnd : last;
      gather(cell, i, end, work);
      for (; i < end; ++i) {
        row(i, work);
        if ((i + 1) % kGroupRows == 0 || i + 1 == last) endGroup(i - i % kGroupRows, i + 1, work);
      }
    }
    place(first, last, work);
  }

  // Fills up the rows of the group in progress.
  void endGroup(Index first, Index last, Work& work) const {
    const Index units = groupUnits(count, first, last);
    for (Index r = 0; r < kGroupRows; ++r) {
      const Index i = first + r, own = i < last ? paddedRow(count[i]) / kRowUnit + kFilledUnits : 0;
      const StridedRow<Pair> row = rowOf(i, units, work);
      for (Index u = own; u < units; ++u) std::fill(row.unit(u), row.unit(u) + kRowUnit, Pair{0.f, std::min(i, last - 1)});
    }
    const bool isPacked = format != RowFormat::pairs && pack(first, last, units, work);
    if (isPacked && format == RowFormat::packed)
      std::fill(begin + first, begin + last, kNoRow);
    else
      work.n += std::size_t(units) * kGroupStride;
  }

  // Packs the group in progress. False where its pairs have no room in so few bits, or where images are yet to be added to them:
  // then its place is kept if they are packed after that, so that units follow each other as their groups do.
  bool pack(Index first, Index last, Index units, Work& work) const {
    bool isNear = false;
    for (Index i = first; i < last; ++i) isNear |= near[i] >= 0;
    const std::size_t end = work.packed + std::size_t(units);
    if (work.units.size() < end) work.units.resize(std::max(end + end / 2, std::size_t(kBlock) * 4));
    const bool fits =
        !isNear && packGroup(work.groups.data() + work.n, units, first, rounding.step, work.units.data() + work.packed);
    const bool hasPlace = fits || (isNear && packNear);
    packed[first / kGroupRows] = {std::uint32_t(work.packed), hasPlace ? std::uint32_t(units) : kNotPacked};
    if (hasPlace) work.packed = end;
    return fits;
  }

  // Rows of a group mostly differ by a few units. To fill up so many whether they are wanted or not, where the next group's pairs
  // come, takes less time than to guess how many.
  static constexpr Index kFilledUnits = 3;
  static void fillUnit(Pair* unit, Index i) {
    for (Index k = 0; k < kRowUnit; ++k) unit[k] = {0.f, i};
  }

  // Of the group in progress, with room for so many units; at least one, so that there is an array to point into.
  static StridedRow<Pair> rowOf(Index i, Index units, Work& work) {
    const std::size_t end = work.n + std::size_t(std::max<Index>(units, 1)) * kGroupStride;
    if (work.groups.size() < end) work.groups.resize(end + end / 2);
    return {work.groups.data() + work.n + i % kGroupRows * kRowUnit, kGroupStride};
  }

  // The groups of a block go to where there is room for them.
  void place(Index first, Index last, const Work& work) const {
    Offset at, unitAt;
    const bool pairsFit = room.take(Offset(work.n), at);
    if (format != RowFormat::pairs) {
      reach[first / kBlock] = work.farthest - (last - 1);
      if (!unitRoom.take(Offset(work.packed), unitAt)) return;
      if (work.packed) std::memcpy(unitRoom.items + unitAt, work.units.data(), work.packed * sizeof(PackedUnit));
      for (Index i = first; i < last; i += kGroupRows) packed[i / kGroupRows].first += std::uint32_t(unitAt);
    }
    if (!pairsFit) return;
    if (work.n) std::memcpy(room.items + at, work.groups.data(), work.n * sizeof(Pair));
    for (Index i = first; i < last; ++i) direct[i] = begin[i] += begin[i] == kNoRow ? 0 : at;
  }

  // Candidates of the particles [i, end) of a cell.
  void gather(const Vec3<Index>& c, Index i, Index end, Work& work) const {
    Candidates& out = work.candidates;
    Vec3f lo{px[i], py[i], pz[i]}, hi = lo;
    for (Index k = i + 1; k < end; ++k) {
      lo = {std::min(lo.x, px[k]), std::min(lo.y, py[k]), std::min(lo.z, pz[k])};
      hi = {std::max(hi.x, px[k]), std::max(hi.y, py[k]), std::max(hi.z, pz[k])};
    }
    work.lo = lo;
    work.hi = hi;
    work.sheetsKnown = false;
    out.n = 0;
    const float reach2 = kernel.H * kernel.H * 1.00001f;  // no neighbour is lost to round-off
    const Index x0 = c.x > 0 ? c.x - 1 : 0, x1 = c.x + 1 < grid->dim.x ? c.x + 1 : c.x;
    for (Index z = c.z > 0 ? c.z - 1 : 0; z <= c.z + 1 && z < grid->dim.z; ++z)
      for (Index y = c.y > 0 ? c.y - 1 : 0; y <= c.y + 1 && y < grid->dim.y; ++y)
        addCandidates(px, py, pz, grid->begin[grid->indexOf({x0, y, z})], grid->begin[grid->indexOf({x1, y, z}) + 1], lo, hi,
                      reach2, out);
    if (out.n > 0 && out.j[out.n - 1] > work.farthest) work.farthest = out.j[out.n - 1];  // they are in ascending order
    closeCandidates(out);
  }

  void row(Index i, Work& work) const {
    Neighbours& nb = work.neighbours;
    findNeighbours(work.candidates, i, {px[i], py[i], pz[i]}, kernel.H * kernel.H, nb);
    if (sheetDistance && sheetDistance[i] < kernel.H) dropSeparated(i, nb, work);
    count[i] = nb.n;
    begin[i] = Offset(work.n) + i % kGroupRows * kRowUnit;  // in the block's own groups
    const Index units = paddedRow(nb.n) / kRowUnit;
    const StridedRow<Pair> out = rowOf(i, units + kFilledUnits, work);
    const RowSums s = pairRow(nb, i, kernel, V, out, rounding);
    for (Index u = 0; u < kFilledUnits; ++u) fillUnit(out.unit(units + u), i);
    T[i] = Vec4f(s.t, s.c);
    sumC[i] = s.c;
    c2r2[i] = s.c2r2;
    c2[i] = s.c2;
    density[i] = cW * V * (kernel.w0 + s.W);
  }

  // Nothing stands between two particles that are nearer to each other than to the sheets.
  void dropSeparated(Index i, Neighbours& nb, Work& work) const {
    std::uint8_t apart[kMaxCandidates / kLanes];
    bool entered = false, any = false;
    for (Index k = 0; k < nb.n; k += kLanes) {
      unsigned mask = 0;
      for (unsigned left = neighboursBeyond(nb, k, sheetDistance[i], sheetDistance); left; left &= left - 1) {
        if (!entered) enter(i, work);
        entered = true;
        const Index l = __builtin_ctz(left), s = k + l;
        mask |= unsigned(sheetsOfThread[Exec::thread()].separated(nb.j[s], {nb.dx[s], nb.dy[s], nb.dz[s]}, std::sqrt(nb.r2[s])))
                << l;
      }
      apart[k / kLanes] = std::uint8_t(mask);
      any |= mask != 0;
    }
    if (any) removeNeighbours(apart, nb);
  }

  void enter(Index i, Work& work) const {
    const Vec3f x{px[i], py[i], pz[i]};
    if (!work.sheetsKnown) sheetsOfThread[Exec::thread()].enterCell(*boundary, grid->indexOf(grid->cellOf(x)), work.lo, work.hi);
    work.sheetsKnown = true;
    sheetsOfThread[Exec::thread()].enterParticle(i, x);
  }
};

}  // namespace

PairBuilder::PairBuilder(double dx, double support)
    : kernel_(SmoothingKernel<float>::make(float(support))), lattice_(latticeSums(dx, support)), volume_(float(dx * dx * dx)) {}

void PairBuilder::build(Exec& exec, const CellGrid& grid, const Boundary& boundary, const FluidState& fluid, const Vec3f& centre,
                        PairLists& lists, RowFormat format) {
  const Index n = fluid.n;
  for (auto* b : {&px_, &py_, &pz_}) b->resizeUninitialized(std::size_t(n) + kLanes);  // addCandidates reads whole lanes
  for (auto* b : {&lists.c2r2, &lists.c2, &lists.density, &lists.sumC}) b->resizeUninitialized(n);
  lists.xh.resizeUninitialized(n);
  lists.T.resizeUninitialized(n);
  parallelFor(exec, "pairs: coordinates", n,
              SplitCoordinates{fluid.x.view(), px_.data(), py_.data(), pz_.data(), lists.xh.view(), centre});
  const CoefficientGrid rounding = format == RowFormat::pairs ? CoefficientGrid{} : CoefficientGrid::of(kernel_, volume_);
  if (!kRowsArePacked || !packingPays_) format = RowFormat::pairs;
  if (format == RowFormat::pairs) lists.packed.units.release();
  makeRoom(lists.folded.items);
  makeRoom(lists.packed.units);
  makeRoom(lists.links);
  while (!buildDirect(exec, grid, boundary, fluid, rounding, lists, format) ||
         !buildMirror(exec, boundary, fluid, rounding, lists)) {}
  packNear(exec, boundary, lists);
  const std::size_t packedBytes = lists.packed.units.size() * sizeof(PackedUnit);
  if (format == RowFormat::packed) packingPays_ = 2 * lists.folded.items.size() * sizeof(Pair) <= 3 * packedBytes;
}

bool PairBuilder::buildDirect(Exec& exec, const CellGrid& cells, const Boundary& boundary, const FluidState& fluid,
                              const CoefficientGrid& grid, PairLists& lists, RowFormat format) {
  const Index n = fluid.n;
  PairRows& rows = lists.folded;
  rows.begin.resizeUninitialized(n);
  rows.count.resizeUninitialized(n);
  lists.directBegin.resizeUninitialized(n);
  rows.items.reserve(kGroupStride);  // where no particle has a neighbour, too, rows begin in an array
  pairsUsed_ = unitsUsed_ = 0;
  PackedPairs& packed = lists.packed;
  const std::size_t groups = std::size_t(n + kGroupRows - 1) / kGroupRows;
  packed.groups.resizeUninitialized(format == RowFormat::pairs ? 0 : groups + kGroupsAhead);
  for (std::size_t g = groups; g < packed.groups.size(); ++g) packed.groups[g] = {0, 0};
  packed.reach.resizeUninitialized(format == RowFormat::pairs ? 0 : std::size_t(n + kBlock - 1) / kBlock);
  packed.step = grid.step;
  static_assert(kReachRows == kBlock);
  parallelBlocks(exec, "pairs: direct", n,
                 DirectPairs{px_.data(),
                             py_.data(),
                             pz_.data(),
                             &cells,
                             &boundary,
                             boundary.sheetDistance(),
                             kernel_,
                             volume_,
                             float(lattice_.cW),
                             rows.begin.data(),
                             lists.directBegin.data(),
                             rows.count.data(),
                             {rows.items.data(), Offset(rows.items.capacity()), &pairsUsed_},
                             boundary.nearIndex().data,
                             format,
                             2 * boundary.nearParticle().n <= n,
                             grid,
                             packed.groups.data(),
                             packed.reach.data(),
                             {packed.units.data(), Offset(packed.units.capacity()), &unitsUsed_},
                             lists.T.data(),
                             lists.sumC.data(),
                             lists.c2r2.data(),
                             lists.c2.data(),
                             lists.density.data(),
                             exec.perThreadLevelled<DirectPairs::Work>(),
                             exec.perThreadLevelled<SheetsNear>()});
  const bool pairsFit = holds(rows.items, pairsUsed_), unitsFit = holds(packed.units, unitsUsed_);
  return pairsFit && unitsFit;
}

std::size_t PairLists::bytes() const {
  std::size_t s = packed.bytes() + folded.items.capacityBytes() + links.capacityBytes() + plane.capacityBytes();
  for (const auto* b : {&xh, &T}) s += b->capacityBytes();
  for (const auto* b : {&c2r2, &c2, &sumC, &density, &slotK, &slotPush}) s += b->capacityBytes();
  return s;
}

}  // namespace meniscus
