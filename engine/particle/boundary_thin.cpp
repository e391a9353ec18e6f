// Walls of closed bodies that are thinner than the kernel support: like sheets, they must keep apart the fluids on their two sides.
// Decided once, on the surfaces as they were built.
#include <algorithm>
#include <unordered_map>

#include "engine/particle/boundary_impl.h"
#include "kernels/contact/segment.h"

namespace meniscus {
namespace {

constexpr float kOpposite = -0.5f;  // cosine between the normals of the two sides of a wall: 120 degrees and more

// The triangles of a body by cells of edge `size`, those in the box [lo, hi] around the domain only: a mesh can be larger than that
// without bounds.
class TriangleHash {
 public:
  TriangleHash(float size, const Vec3f& lo, const Vec3f& hi) : inverse_(1.f / size), lo_(lo), hi_(hi) {}
  void add(Index tri, const Vec3f& lo, const Vec3f& hi) {
    each(lo, hi, [&](std::uint64_t key) {
      cells_[key].push_back(tri);
      return false;
    });
  }
  // visit(tri) for those in the cells that the box touches, until it returns true
  template <class Visit>
  bool any(const Vec3f& lo, const Vec3f& hi, const Visit& visit) const {
    return each(lo, hi, [&](std::uint64_t key) {
      const auto it = cells_.find(key);
      return it != cells_.end() && std::any_of(it->second.begin(), it->second.end(), visit);
    });
  }

 private:
  template <class Visit>
  bool each(const Vec3f& from, const Vec3f& to, const Visit& visit) const {
    const Vec3f lo = maxOf(from, lo_), hi = minOf(to, hi_);
    if (!(lo.x <= hi.x && lo.y <= hi.y && lo.z <= hi.z)) return false;
    const auto cell = [&](float v) { return std::int64_t(std::floor(v * inverse_)); };
    const auto bits = [](std::int64_t c) { return std::uint64_t(c) & 0x1fffff; };
    for (std::int64_t z = cell(lo.z); z <= cell(hi.z); ++z)
      for (std::int64_t y = cell(lo.y); y <= cell(hi.y); ++y)
        for (std::int64_t x = cell(lo.x); x <= cell(hi.x); ++x)
          if (visit(bits(z) << 42 | bits(y) << 21 | bits(x))) return true;
    return false;
  }

  float inverse_;
  Vec3f lo_, hi_;
  std::unordered_map<std::uint64_t, std::vector<Index>> cells_;
};

struct Corners {
  Vec3f a, b, c;
};

Corners cornersOf(const World& world, Index t) {
  const SolidState& s = world.solid;
  const auto at = [&](Index k) { return Vec3f(s.x[std::size_t(s.tri[std::size_t(3 * t + k)])] - world.scene.domain.min); };
  return {at(0), at(1), at(2)};
}

// Looks from the middle into the solid, and from points near the corners where the triangle is large.
bool wallBehind(const World& world, const TriangleHash& hash, Index t, float support) {
  const Corners v = cornersOf(world, t);
  const Vec3f n = normalized(cross(v.b - v.a, v.c - v.a)), middle = (v.a + v.b + v.c) * (1.f / 3.f);
  const bool small = std::max({norm2(v.a - middle), norm2(v.b - middle), norm2(v.c - middle)}) < 0.1f * support * support;
  const Vec3f points[4] = {middle, v.a * 0.8f + middle * 0.2f, v.b * 0.8f + middle * 0.2f, v.c * 0.8f + middle * 0.2f};
  for (int k = 0; k < (small ? 1 : 4); ++k) {
    const Vec3f p = points[k];
    const Vec3f from = p - n * (1e-3f * support), to = p - n * support;
    const bool hit = hash.any(minOf(from, to), maxOf(from, to), [&](Index o) {
      const Corners w = cornersOf(world, o);
      const PackedTriangle packed = PackedTriangle::make(w.a, w.b, w.c, 1.f);
      return o != t && dot(packed.n.xyz(), n) < kOpposite && segmentMeetsTriangle(packed, from - w.a, to - w.a);
    });
    if (hit) return true;
  }
  return false;
}

}  // namespace

void markThinWalls(const World& world, float support, TriangleSet& t) {
  for (const Body& b : world.solid.bodies) {
    const bool container = b.rigid >= 0 && world.solid.rigid[std::size_t(b.rigid)].shape.container;
    if (!b.closed || b.twoSided || container) continue;
    const Vec3f reach{support, support, support};
    TriangleHash hash(support, -reach, Vec3f(world.scene.domain.max - world.scene.domain.min) + reach);
    for (Index i = b.triBegin; i < b.triEnd; ++i) {
      const Corners v = cornersOf(world, i);
      hash.add(i, minOf(v.a, minOf(v.b, v.c)), maxOf(v.a, maxOf(v.b, v.c)));
    }
    bool any = false;
    for (Index i = b.triBegin; i < b.triEnd; ++i) {
      if (!wallBehind(world, hash, i, support)) continue;
      t.separates[std::size_t(i)] = kSeparates;
      any = true;
    }
    if (!any) continue;
    for (Index i = b.triBegin; i < b.triEnd; ++i) t.separates[std::size_t(i)] |= kNearSeparating;
  }
}

}  // namespace meniscus
