// The arrays that callers see, made of the particles as the solver has them: in the order of ascending ids, in the world frame.
#pragma once

#include "kernels/core/vec4.h"

MNS_NS_BEGIN

// Keys to sort by, and what is sorted with them.
struct IdKeys {
  const std::uint32_t* id;  // below 2^31
  Index *key, *place;
  MNS_HD void operator()(Index i) const {
    key[i] = Index(id[i]);
    place[i] = i;
  }
};

// xyz [m] and inverse mass [1/kg]. The sum is in double, so that it has the same bits wherever it is made.
struct WorldPositions {
  const Index* order;
  const Vec4f* x;  // relative to the origin
  const std::uint8_t* kind;
  const float* inverseMass;  // a kind
  double originX, originY, originZ;
  Vec4f* out;
  MNS_HD void operator()(Index k) const {
    const Index i = order[k];
    out[k] = {float(originX + double(x[i].x)), float(originY + double(x[i].y)), float(originZ + double(x[i].z)),
              inverseMass[kind[i]]};
  }
};

// xyz [m/s] and 0.
struct PlainVelocities {
  const Index* order;
  const Vec4f* u;
  Vec4f* out;
  MNS_HD void operator()(Index k) const {
    const Vec4f& v = u[order[k]];
    out[k] = {v.x, v.y, v.z, 0.f};
  }
};

// A fluid's number, counted from 1.
struct FluidNumbers {
  const Index* order;
  const std::uint8_t* kind;
  std::int32_t* out;
  MNS_HD void operator()(Index k) const { out[k] = std::int32_t(kind[order[k]]) + 1; }
};

template <class T>
struct InOrder {
  const Index* order;
  const T* from;
  T* out;
  MNS_HD void operator()(Index k) const { out[k] = from[order[k]]; }
};

MNS_NS_END
