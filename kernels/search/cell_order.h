// Sorting particles by cell: keys, the order's effect on every field, where the cells begin.
#pragma once

#include "kernels/core/vec4.h"
#include "kernels/search/cells.h"

MNS_NS_BEGIN

// Particles outside of the box [0, extent] have the key behind the last cell, so that sorting puts them last.
MNS_HD inline bool outsideOf(const Vec3f& extent, const Vec4f& x) {
  return !(x.x >= 0 && x.y >= 0 && x.z >= 0 && x.x <= extent.x && x.y <= extent.y && x.z <= extent.z);
}

struct CellKeys {
  const Vec4f* x;
  Cells cells;
  Vec3f extent;
  const std::uint8_t* drop;  // null, or 1 for those that go the same way
  Index *key, *order;
  MNS_HD void operator()(Index i) const {
    key[i] = (drop && drop[i]) || outsideOf(extent, x[i]) ? cells.cells() : cells.indexOf(cells.cellOf(x[i].xyz()));
    order[i] = i;
  }
};

// For i in [0, n]: begin[c] of the cells between the keys i - 1 and i; begin has cells + 2 entries.
struct CellBegins {
  const Index* key;  // ascending
  Index n, cells;
  Index* begin;
  MNS_HD void operator()(Index i) const {
    const Index last = i < n ? key[i] : cells + 1;
    for (Index c = i > 0 ? key[i - 1] + 1 : 0; c <= last; ++c) begin[c] = i;
  }
};

// The fields that move along with a particle.
struct ParticleFields {
  Vec4f *x, *u;
  float* p;
  std::uint32_t* id;
  std::uint8_t *kind, *leaked;
};

struct GatherParticles {
  const Index* order;
  ParticleFields from, to;
  MNS_HD void operator()(Index i) const {
    const Index k = order[i];
    to.x[i] = from.x[k];
    to.u[i] = from.u[k];
    to.p[i] = from.p[k];
    to.id[i] = from.id[k];
    to.kind[i] = from.kind[k];
    to.leaked[i] = from.leaked[k];
  }
};

MNS_NS_END
