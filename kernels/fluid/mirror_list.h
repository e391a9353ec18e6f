// The images in the surfaces for the lists of a device: links in two passes, count and fill, and the folded rows of near particles.
#pragma once

#include "kernels/fluid/mirror_row.h"

MNS_NS_BEGIN

// Room for the folded rows of near particles, for a scan.
struct FoldedRoom {
  const Index *nearFlag, *room;
  Index* folded;
  MNS_HD void operator()(Index i) const { folded[i] = nearFlag[i] ? room[i] : 0; }
};
// Where the row begins that the pressure operator sums over: behind the direct rows those with the images' c added.
struct FoldedBegin {
  const Index* nearIndex;
  const Offset *begin, *foldedBefore;
  Index n;
  Offset* folded;
  MNS_HD void operator()(Index i) const { folded[i] = nearIndex[i] < 0 ? begin[i] : begin[n] + foldedBefore[i]; }
};

struct CountLinks {
  MirrorRows rows;
  const Index *nearParticle, *count;
  const Offset* begin;
  const Pair* items;
  Index* links;  // per slot
  MNS_HD void operator()(Index k) const {
    const Index a = nearParticle[k];
    Index n[kMaxFeatures] = {};
    for (Index d = 0; d < count[a]; ++d) {
      const Index b = items[begin[a] + d].j(), kb = rows.nearIndex[b];
      MirrorRows::Image image;
      if (kb < 0 || !rows.imagesOf(k, a, kb, b, image)) continue;
      for (int i = 0; i < image.n; ++i) ++n[image.own[i]];
    }
    for (int f = 0; f < rows.featureCount[k]; ++f) links[rows.slotBegin[k] + f] = n[f];
  }
};

struct FillLinks {
  MirrorRows rows;
  const Index *nearParticle, *count;
  const Offset *begin, *folded;
  Pair* items;
  const Offset* slotLinks;  // per slot: its first link
  MirrorLink* links;
  Offset* linkBegin;         // per near row
  std::uint16_t* linkCount;  // per slot
  MNS_HD void operator()(Index k) const {
    const Index a = nearParticle[k], first = rows.slotBegin[k];
    MirrorRows::Sums sums;
    rows.selfImage(k, sums);
    Pair* const row = items + folded[a];
    const Pair* const direct = items + begin[a];
    for (Index d = 0; d < paddedRow(count[a]); ++d) {
      Pair pair = direct[d];
      const Index kb = d < count[a] ? rows.nearIndex[pair.j()] : -1;
      MirrorRows::Image image;
      if (kb >= 0 && rows.imagesOf(k, a, kb, pair.j(), image)) {
        rows.add(k, a, kb, pair, image, sums,
                 [&](int f, const MirrorLink& link) { links[slotLinks[first + f] + sums.n[f]++] = link; });
        pair.c += image.c;
      }
      row[d] = pair;
    }
    linkBegin[k] = slotLinks[first];
    for (int f = 0; f < rows.featureCount[k]; ++f) linkCount[first + f] = std::uint16_t(sums.n[f]);
    rows.store(k, a, sums);
  }
};

MNS_NS_END
