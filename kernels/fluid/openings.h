// Where particles come and go, the same on the CPU and on a device: places of openings, the particles at a drain, the sites of a
// jet's layer that particles are too near to. In double, in the opening's own frame, whose third axis the jet goes along.
#pragma once

#include "kernels/core/vec4.h"
#include "kernels/search/cell_order.h"

MNS_NS_BEGIN

struct OpeningFrame {
  Mat3d toLocal;
  Vec3d origin;  // relative to the domain's lower corner [m]
  MNS_HD Vec3d local(const Vec4f& x) const { return toLocal * (Vec3d(x.xyz()) - origin); }
};

// At the opening, in the volume below it, or about to cross it within h seconds. A particle fills half a spacing around it.
struct DrainPlace {
  OpeningFrame frame;
  std::int32_t disc;              // 1: of `radius`; 0: a rectangle of half sides `half`
  double radius, half[2], depth;  // m
  double dx, h;                   // m, s
  MNS_HD bool at(const Vec4f& x4, const Vec4f& u4) const {
    const Vec3d x = frame.local(x4), u = frame.toLocal * Vec3d(u4.xyz());
    const double ax = x.x < 0 ? -x.x : x.x, ay = x.y < 0 ? -x.y : x.y;
    const bool within = disc ? x.x * x.x + x.y * x.y <= radius * radius : ax <= half[0] && ay <= half[1];
    if (!within || x.z < -(depth < 0.5 * dx ? 0.5 * dx : depth)) return false;
    return x.z <= 0 || (u.z <= 0 && (x.z <= 0.5 * dx || x.z + u.z * h <= 0));
  }
};

// A layer of a jet that is let go at local height z. Its sites are taken where a particle is nearer than `reach`.
struct LayerPlace {
  OpeningFrame frame;
  double z, reach;  // m
  double half;      // of the square that holds the sites, and the reach around them [m]
  // Of the particle at x, from the layer's middle; false: too far from all sites.
  MNS_HD bool near(const Vec4f& x, Vec3d& local) const {
    local = frame.local(x) - Vec3d{0, 0, z};
    const auto within = [](double a, double b) { return -b < a && a < b; };
    return within(local.z, reach) && within(local.x, half) && within(local.y, half);
  }
  MNS_HD bool takes(const Vec3d& local, const Vec3d& site) const { return norm2(site - local) < reach * reach; }
};

// ---- on a device ----

// Particles that are there: neither outside of the domain nor marked to be taken out.
struct ThereStill {
  const Vec4f* x;
  Vec3f extent;
  const std::uint8_t* drop;
  MNS_HD bool operator()(Index i) const { return !drop[i] && !outsideOf(extent, x[i]); }
};

// 1 for those at a drain, and their number; keys for taking the lowest ids first: the others come last.
struct FindAtDrain {
  ThereStill there;
  DrainPlace drain;
  const Vec4f* u;
  const std::uint32_t* id;  // below 2^31
  Index *key, *particle;
  MNS_HD void operator()(Index i, double (&acc)[1]) const {
    const bool at = there(i) && drain.at(there.x[i], u[i]);
    key[i] = at ? Index(id[i]) : kNotAt;
    particle[i] = i;
    acc[0] += at;
  }
  static constexpr Index kNotAt = 0x7fffffff;
};
// All that are at the drain.
struct DropAtDrain {
  const Index* key;
  std::uint8_t* drop;
  MNS_HD void operator()(Index i) const {
    if (key[i] != FindAtDrain::kNotAt) drop[i] = 1;
  }
};
// The first ones of the order by key.
struct DropInOrder {
  const Index* order;
  std::uint8_t* drop;
  MNS_HD void operator()(Index k) const { drop[order[k]] = 1; }
};

// Particles that may take a site: 1 or 0, and then their places side by side.
struct NearLayer {
  ThereStill there;
  LayerPlace layer;
  Index* flag;
  MNS_HD void operator()(Index i) const {
    Vec3d local;
    flag[i] = there(i) && layer.near(there.x[i], local);
  }
};
struct CollectNearLayer {
  LayerPlace layer;
  const Vec4f* x;
  const Index* flag;
  const Offset* before;
  Vec3d* local;
  MNS_HD void operator()(Index i) const {
    Vec3d at;
    if (flag[i] && layer.near(x[i], at)) local[before[i]] = at;
  }
};
// A block a site: is one of them too near?
struct SiteTaken {
  LayerPlace layer;
  const Vec3d *site, *local;
  const Offset* count;
  int threads;  // of a block
  MNS_HD void operator()(Index s, int thread, double (&acc)[1]) const {
    for (Offset k = thread; k < *count && acc[0] == 0; k += threads)
      if (layer.takes(local[k], site[s])) acc[0] = 1;
  }
};
struct StoreTaken {
  std::uint8_t* taken;
  MNS_HD void operator()(Index s, const double (&value)[1]) const { taken[s] = value[0] > 0; }
};

MNS_NS_END
