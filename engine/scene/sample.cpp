#include "engine/scene/sample.h"

#include <algorithm>
#include <cmath>

namespace meniscus {

double FillObstacle::clearance(const Vec3d& x, double reach, Vec3d* n) const {
  double d = region->distance(x, reach, n);
  const bool flip = container || (shell && d < 0);
  if (flip) {
    d = -d;
    if (n) *n = *n * -1.0;
  }
  return d;
}

bool Surroundings::blocked(const Vec3d& x) const {
  for (int k = 0; k < 3; ++k) {
    if (x[k] < domain.lo[k]) return walls[2 * k];
    if (x[k] > domain.hi[k]) return walls[2 * k + 1];
  }
  for (const FillObstacle& o : obstacles)
    if (o.region->closed() && !o.shell && o.region->inside(x) != o.container) return true;
  return false;
}

BoxLattice latticeOfBox(const Region& box, const Surroundings& around, double particleVolume) {
  const Vec3d size = box.shape().size;
  const Quatd q = box.place().rotate;
  const double dx = std::cbrt(particleVolume);
  BoxLattice lattice;
  bool blocked[3][2];
  double fixed = 1;  // product of the spacings that the walls decide
  int open = 0;
  for (int k = 0; k < 3; ++k) {
    for (int side = 0; side < 2; ++side) {
      Vec3d face{};
      face[k] = (side ? 1 : -1) * (size[k] / 2 + 0.01 * dx);
      blocked[k][side] = around.blocked(box.place().translate + q.rotate(face));
    }
    if (blocked[k][0] && blocked[k][1]) {
      lattice.n[k] = std::max<Index>(1, Index(std::lround(size[k] / dx)));
      lattice.spacing[k] = size[k] / lattice.n[k];
      fixed *= lattice.spacing[k];
    } else {
      ++open;
    }
  }
  lattice.closed = open == 0;
  const double rest = open ? std::pow(particleVolume / fixed, 1.0 / open) : 0;
  for (int k = 0; k < 3; ++k) {
    if (!(blocked[k][0] && blocked[k][1])) {
      lattice.spacing[k] = rest;
      lattice.n[k] = std::max<Index>(1, Index(std::lround(size[k] / rest)));
    }
    const double length = lattice.spacing[k] * lattice.n[k];
    double begin = -length / 2;  // centred
    if (blocked[k][0])
      begin = -size[k] / 2;
    else if (blocked[k][1])
      begin = size[k] / 2 - length;
    lattice.origin[k] = begin + lattice.spacing[k] / 2;
  }
  return lattice;
}

std::vector<Vec3d> fillLattice(const Region& box, const BoxLattice& l) {
  std::vector<Vec3d> x;
  x.reserve(std::size_t(l.n[0]) * std::size_t(l.n[1]) * std::size_t(l.n[2]));
  const Transform& place = box.place();
  for (Index k = 0; k < l.n[2]; ++k)
    for (Index j = 0; j < l.n[1]; ++j)
      for (Index i = 0; i < l.n[0]; ++i) {
        const Vec3d local = l.origin + Vec3d{l.spacing.x * i, l.spacing.y * j, l.spacing.z * k};
        x.push_back(place.translate + place.rotate.rotate(local));
      }
  return x;
}

namespace {

// Steele, Lea, Flood 2014, "Fast splittable pseudorandom number generators": the mixing function of SplitMix64.
std::uint64_t mix(std::uint64_t z) {
  z += 0x9E3779B97F4A7C15ull;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}

}  // namespace

std::vector<Vec3d> fillRegion(const Region& region, double particleVolume) {
  const double dx = std::cbrt(particleVolume), reach = 1.5 * dx;
  const std::size_t wanted = std::size_t(std::llround(region.volume() / particleVolume));
  const Box3& b = region.bounds();
  const Vec3d middle = (b.lo + b.hi) * 0.5;
  Index n[3];
  Vec3d origin;
  for (int k = 0; k < 3; ++k) {
    n[k] = 2 * (Index(std::ceil((b.hi[k] - b.lo[k]) / (2 * dx))) + 1);  // one layer more than the bounds on each side
    origin[k] = middle[k] - (n[k] - 1) * 0.5 * dx;
  }
  struct Candidate {
    Vec3d x;
    double depth;  // negative inside
  };
  std::vector<Candidate> all;
  for (Index k = 0; k < n[2]; ++k)
    for (Index j = 0; j < n[1]; ++j)
      for (Index i = 0; i < n[0]; ++i) {
        const Vec3d x = origin + Vec3d{double(i), double(j), double(k)} * dx;
        const double d = region.distance(x, reach, nullptr);
        if (d < 0.99 * dx) all.push_back({x, d});
      }
  // the depth of the last particle that is due; equally deep ones in shuffled order, or one side would
  // have more of them
  std::vector<Candidate> chosen = all;
  if (all.size() > wanted) {
    std::vector<std::size_t> order(all.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](std::size_t p, std::size_t q) {
      // equal to round-off counts as equal: the same choice in every orientation of a symmetric shape
      const double dp = std::round(all[p].depth / (1e-6 * dx)), dq = std::round(all[q].depth / (1e-6 * dx));
      return dp != dq ? dp < dq : mix(p) < mix(q);  // the mixing is one to one: no ties are left
    });
    order.resize(wanted);
    std::sort(order.begin(), order.end());
    chosen.clear();
    for (const std::size_t i : order) chosen.push_back(all[i]);
  }
  std::vector<Vec3d> x;
  x.reserve(chosen.size());
  for (const Candidate& c : chosen) x.push_back(c.x);
  return x;
}

Vec3d jitterOf(std::uint32_t i, double amplitude) {
  Vec3d d;
  for (int k = 0; k < 3; ++k) d[k] = amplitude * (double(mix(3 * std::uint64_t(i) + std::uint64_t(k)) >> 11) * 0x1p-53 - 0.5);
  return d;
}

namespace {

// side: -1 inside, 1 outside
bool keepSide(Vec3d& x, const Region& region, double distance, double side) {
  constexpr int kPasses = 8;  // narrow ends push back from the other side
  for (int pass = 0; pass < kPasses; ++pass) {
    Vec3d n;
    const double d = side * region.distance(x, 8 * distance, &n);
    if (d >= distance * (1 - 1e-6)) return true;
    x += n * (side * (distance - d));
  }
  return side * region.distance(x, 8 * distance, nullptr) > 0.2 * distance;
}

}  // namespace

bool pullInside(Vec3d& x, const Region& region, double depth) { return keepSide(x, region, depth, -1); }
bool pushOutside(Vec3d& x, const Region& region, double distance) { return keepSide(x, region, distance, 1); }

bool pushFree(Vec3d& x, const Surroundings& around, double distance) {
  constexpr int kPasses = 8;  // a corner of three obstacles needs a few
  for (int pass = 0; pass < kPasses; ++pass) {
    bool moved = false;
    for (int k = 0; k < 3; ++k) {
      const double lo = around.domain.lo[k] + (around.walls[2 * k] ? distance : 0),
                   hi = around.domain.hi[k] - (around.walls[2 * k + 1] ? distance : 0);
      const double inside = std::min(std::max(x[k], lo), hi);
      moved = moved || inside != x[k];
      x[k] = inside;
    }
    for (const FillObstacle& o : around.obstacles) {
      Vec3d n;
      const double reach = 4 * distance;
      Box3 near = o.region->bounds();
      near.lo -= Vec3d{reach, reach, reach};
      near.hi += Vec3d{reach, reach, reach};
      if (!o.container && near.distance2(x) > 0) continue;
      const double d = o.clearance(x, reach, &n);
      if (d >= distance * (1 - 1e-6)) continue;
      x += n * (distance - d);
      moved = true;
    }
    if (!moved) return true;
  }
  // what is left is a gap narrower than two distances: good enough if no surface is crossed
  for (const FillObstacle& o : around.obstacles)
    if (o.clearance(x, 4 * distance, nullptr) < 0.2 * distance) return false;
  return true;
}

}  // namespace meniscus
