// Mirror pairs: the images of a near particle's neighbours in the surfaces.
#include <algorithm>
#include <cstring>
#include <limits>
#include <vector>

#include "engine/particle/pairs.h"
#include "kernels/fluid/mirror_row.h"
#include "kernels/fluid/row_groups.h"
#include "kernels/search/neighbour_search.h"

namespace meniscus {
namespace {

struct BlockLinks {
  std::vector<MirrorLink> links;
  BlockLinks() { links.reserve(std::size_t(kBlock) * 32); }
  void makeRoomOf(const BlockLinks& other) { links.reserve(other.links.capacity()); }
};

// Rows of a block of near particles.
struct MirrorPairs : MirrorRows {
  View<const Index> nearParticle;
  const float* distance;  // per particle: of the nearest feature, infinite where there is none
  const Offset* begin;
  const Index* count;
  RoomInArray<Pair> room;
  RoomInArray<MirrorLink> linkRoom;
  Offset *direct, *linkBegin;
  std::uint16_t* linkCount;
  PerThread<BlockLinks> perThread;

  using FoldedRow = StridedRow<Pair>;
  struct Links {
    MirrorLink item[kMaxFeatures][kCandidateRoom];
  };

  void operator()(Index first, Index last) const {
    std::vector<MirrorLink>& links = perThread[Exec::thread()].links;
    links.clear();
    Links found;
    Index reached[kMaxCandidates];
    Offset pairs = 0, out, at;
    for (Index k = first; k < last; ++k) pairs += paddedRow(count[nearParticle[k]]);
    if (!room.take(pairs, out)) return;
    for (Index k = first; k < last; ++k) {
      const Index a = nearParticle[k];
      Sums sums;
      selfImage(k, sums);
      const FoldedRow row{room.items + begin[a], kGroupStride};
      for (Index u = 0; u * kRowUnit < count[a]; ++u, out += kRowUnit)
        std::memcpy(room.items + out, row.unit(u), kRowUnit * sizeof(Pair));
      direct[a] = out - paddedRow(count[a]);
      const Index n = findReached(a, row, reached);
      if (featureCount[k] == 1)
        addSingleImages(k, a, row, reached, n, sums, found);
      else
        for (Index i = 0; i < n; ++i) addImages(k, a, row[reached[i]], sums, found);
      linkBegin[k] = Offset(links.size());  // in the block's own links
      for (int f = 0; f < featureCount[k]; ++f) {
        linkCount[slotBegin[k] + f] = std::uint16_t(sums.n[f]);
        links.insert(links.end(), found.item[f], found.item[f] + sums.n[f]);
      }
      store(k, a, sums);
    }
    if (!linkRoom.take(Offset(links.size()), at)) return;
    std::copy(links.begin(), links.end(), linkRoom.items + at);
    for (Index k = first; k < last; ++k) linkBegin[k] += at;
  }

  // Pairs of the row whose nearest image may be within the support: a bound. Written in any case, no branch to guess.
  Index findReached(Index a, const FoldedRow& row, Index* reached) const {
    const float reach2 = kernel.H * kernel.H * 1.00001f, own = 4.f * distance[a];
    const Vec4f xa = x[a];
    Index n = 0;
    for (Index d = 0; d < count[a]; ++d) {
      const Vec4f off = xa - x[row[d].j()];
      reached[n] = d;
      n += (off * off).sum() + own * distance[row[d].j()] < reach2;
    }
    return n;
  }

  // A row of a particle with one feature; most partners have one as well.
  void addSingleImages(Index k, Index a, const FoldedRow& row, const Index* reached, Index n, Sums& s, Links& found) const {
    ImagePartner partner[kLanes];
    Index slot[kLanes];
    SingleImages images;
    for (Index i = 0; i < n; i += kLanes) {
      const Index some = n - i < kLanes ? n - i : kLanes;
      unsigned single = 0;
      for (Index l = 0; l < kLanes; ++l) {
        const Pair& pair = row[reached[l < some ? i + l : i]];
        const Index kb = nearIndex[pair.j()];
        slot[l] = slotBegin[kb];
        partner[l] = {features + slot[l], x + pair.j(), pair.c};
        single |= unsigned(featureCount[kb] == 1) << l;
      }
      const unsigned has = singleImages(features[slotBegin[k]], x[a].xyz(), partner, some, V, kernel, images, grid);
      for (Index l = 0; l < some; ++l) {
        Pair& pair = row[reached[i + l]];
        if (!(single >> l & 1)) {
          addImages(k, a, pair, s, found);
        } else if (has >> l & 1) {
          add(images, l, s);
          found.item[0][s.n[0]++] = {images.c[l], slot[l]};
          pair.c += images.c[l];
        }
      }
    }
  }

  void addImages(Index k, Index a, Pair& pair, Sums& s, Links& found) const {
    const Index kb = nearIndex[pair.j()];
    Image image;
    if (!imagesOf(k, a, kb, pair.j(), image)) return;
    add(k, a, kb, pair, image, s, [&](int f, const MirrorLink& link) { found.item[f][s.n[f]++] = link; });
    pair.c += image.c;
  }
};

struct NearestFeature {
  View<const Index> nearIndex, slotBegin;
  View<const Feature> features;
  float* distance;
  void operator()(Index i) const {
    const Index k = nearIndex[i];
    distance[i] = k >= 0 ? features[slotBegin[k]].d : std::numeric_limits<float>::infinity();
  }
};

struct TrackedSurfaces {
  const Boundary* boundary;
  View<const Index> nearParticle, slotBegin;
  View<const Feature> features;
  View<std::uint8_t> tracked;
  Index* slotParticle;
  void operator()(Index k) const {
    for (Index slot = slotBegin[k]; slot < slotBegin[k + 1]; ++slot) {
      slotParticle[slot] = nearParticle[k];
      const std::int32_t s = features[slot].surface;
      // domain walls and fixed primitives neither move nor report a force
      tracked[slot] = s >= 0 || boundary->surface(s).owner != SurfaceOwner::fixed;
    }
  }
};

}  // namespace

bool PairBuilder::buildMirror(Exec& exec, const Boundary& boundary, const FluidState& fluid, const CoefficientGrid& grid,
                              PairLists& lists) {
  const View<const Index> near = boundary.nearParticle();
  const Index n = near.n;
  const std::size_t slots = std::size_t(boundary.slotBegin()[n]);
  for (auto* b : {&lists.slotK, &lists.slotPush}) b->resizeUninitialized(slots);
  lists.plane.resizeUninitialized(slots);
  lists.linkCount.resizeUninitialized(slots);
  lists.tracked.resizeUninitialized(slots);
  lists.slotParticle.resizeUninitialized(slots);
  distance_.resizeUninitialized(std::size_t(fluid.n));
  parallelFor(exec, "pairs: nearest features", fluid.n,
              NearestFeature{boundary.nearIndex(), boundary.slotBegin(), boundary.features(), distance_.data()});
  parallelFor(
      exec, "pairs: tracked surfaces", n,
      TrackedSurfaces{&boundary, near, boundary.slotBegin(), boundary.features(), lists.tracked.view(), lists.slotParticle.data()});
  lists.linkBegin.resizeUninitialized(std::size_t(n));
  linksUsed_ = 0;
  parallelBlocks(
      exec, "pairs: mirror", n,
      MirrorPairs{{boundary.nearIndex().data, boundary.featureCount().data, boundary.slotBegin().data, boundary.features().data,
                   fluid.x.data(), kernel_, volume_, float(lattice_.cW), lists.plane.data(), lists.slotK.data(),
                   lists.slotPush.data(), lists.T.data(), lists.sumC.data(), lists.c2r2.data(), lists.density.data(), grid},
                  near,
                  distance_.data(),
                  lists.folded.begin.data(),
                  lists.folded.count.data(),
                  {lists.folded.items.data(), Offset(lists.folded.items.capacity()), &pairsUsed_},
                  {lists.links.data(), Offset(lists.links.capacity()), &linksUsed_},
                  lists.directBegin.data(),
                  lists.linkBegin.data(),
                  lists.linkCount.data(),
                  exec.perThreadLevelled<BlockLinks>()});
  const bool pairsFit = holds(lists.folded.items, pairsUsed_), linksFit = holds(lists.links, linksUsed_);
  return pairsFit && linksFit;
}

}  // namespace meniscus
