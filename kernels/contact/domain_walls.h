// The walls of the domain as surfaces: features of a particle, and contact after the move. Positions are relative to the domain's
// lower corner. The same as the general code for planes (engine/particle/boundary*), of which nothing else is left without solids.
#pragma once

#include "kernels/contact/feature.h"
#include "kernels/core/vec4.h"

MNS_NS_BEGIN

struct DomainWalls {
  static constexpr int kSides = 6;  // x lower, x upper, y lower, ...
  Vec3f extent;                     // m
  int number[kSides];               // among the surfaces; -1: the side is open

  MNS_HD float distance(int side, const Vec3f& x) const {
    const int k = side / 2;
    return side % 2 ? extent[k] - x[k] : x[k];
  }
  MNS_HD static Vec3f normal(int side) {
    const float s = side % 2 ? -1.f : 1.f;
    return {side / 2 == 0 ? s : 0.f, side / 2 == 1 ? s : 0.f, side / 2 == 2 ? s : 0.f};
  }
  // Sides nearer than reach, nearest first, and of two at one distance the later; returns their number.
  MNS_HD int within(const Vec3f& x, float reach, int (&side)[kSides]) const {
    int n = 0;
    for (int s = 0; s < kSides; ++s) {
      if (number[s] < 0 || !(distance(s, x) < reach)) continue;
      int i = n++;
      for (; i > 0 && distance(s, x) <= distance(side[i - 1], x); --i) side[i] = side[i - 1];
      side[i] = s;
    }
    return n;
  }
  // A particle on or behind a wall is treated as `least` in front of it.
  MNS_HD int features(const Vec3f& x, float reach, float least, Feature (&out)[kMaxFeatures]) const {
    int side[kSides];
    const int all = within(x, reach, side), n = all < kMaxFeatures ? all : kMaxFeatures;
    for (int k = 0; k < n; ++k) {
      const float d = distance(side[k], x);
      out[k] = {normal(side[k]), d > least ? d : least, 1.f, 0.f, 0.f, -1 - number[side[k]]};
    }
    return n;
  }
  MNS_HD bool outside(const Vec3f& x) const {
    for (int s = 0; s < kSides; ++s)
      if (number[s] >= 0 && distance(s, x) < 0.f) return true;
    return false;
  }
};

// How many features, for a scan.
struct CountWallFeatures {
  const Vec4f* x;
  DomainWalls walls;
  float reach;
  Index *near, *slots;  // 1 or 0; number of features
  MNS_HD void operator()(Index i) const {
    int side[DomainWalls::kSides];
    const int n = walls.within(x[i].xyz(), reach, side);
    near[i] = n > 0;
    slots[i] = n < kMaxFeatures ? n : kMaxFeatures;
  }
};

// The feature table of PairView: rows of near particles, ascending, and their slots.
struct FillWallFeatures {
  const Vec4f* x;
  DomainWalls walls;
  float reach, least;
  Index end;  // number of particles
  const Index* nearFlag;
  const Offset *nearBefore, *slotsBefore;
  Index *nearIndex, *nearParticle, *slotBegin, *slotParticle;
  std::uint8_t* featureCount;
  Feature* features;
  MNS_HD void operator()(Index i) const {
    const Index k = Index(nearBefore[i]), first = Index(slotsBefore[i]);
    nearIndex[i] = nearFlag[i] ? k : -1;
    if (!nearFlag[i]) return;
    Feature f[kMaxFeatures];
    const int n = walls.features(x[i].xyz(), reach, least, f);
    nearParticle[k] = i;
    featureCount[k] = std::uint8_t(n);
    slotBegin[k] = first;
    if (k + 1 == nearBefore[end]) slotBegin[k + 1] = first + n;
    for (int s = 0; s < n; ++s) {
      features[first + s] = f[s];
      slotParticle[first + s] = i;
    }
  }
};

MNS_NS_END
