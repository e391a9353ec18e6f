// Where particles can be put.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/world/check.h"
#include "engine/world/standing.h"

namespace meniscus {
namespace {

constexpr double kRoundoff = 1e-3;  // spacings: positions come in single precision

std::string at(std::size_t k, const Vec3d& x) { return fmt::format("particle {} at ({:g}, {:g}, {:g}) m", k, x.x, x.y, x.z); }

std::string outsideDomain(const World& w, const std::vector<Vec3d>& x) {
  const DomainDef& d = w.scene.domain;
  for (std::size_t k = 0; k < x.size(); ++k)
    for (int a = 0; a < 3; ++a)
      if (!(x[k][a] >= d.min[a] && x[k][a] <= d.max[a])) return at(k, x[k]) + " is outside the domain";
  return "";
}

std::string insideSolid(const World& w, const std::vector<Vec3d>& x) {
  const StandingSolids solids = standingSolids(w, boundsOf(x));
  for (const FillObstacle& o : solids.obstacles) {
    const Box3& box = o.region->bounds();
    for (std::size_t k = 0; k < x.size(); ++k) {
      if (!o.container && box.distance2(x[k]) > 0) continue;
      const double out = (o.container ? -1 : 1) * o.region->distance(x[k], 4 * w.dx, nullptr);
      if (out < -kRoundoff * w.dx)
        return fmt::format("{} is {} solid \"{}\"", at(k, x[k]), o.container ? "outside the container, in" : "inside", o.name);
    }
  }
  return "";
}

// New particles by cubes as wide as the least distance, sorted.
class Cubes {
 public:
  Cubes(const std::vector<Vec3d>& x, double width) : x_(x), box_(boundsOf(x)), width_(width) {
    for (std::size_t k = 0; k < x.size(); ++k) sorted_.push_back({cubeOf(x[k]), k});
    std::sort(sorted_.begin(), sorted_.end());
  }
  // The first of those before number `before` that is nearer to p than the width, or -1.
  std::ptrdiff_t nearer(const Vec3d& p, std::size_t before) const {
    for (int a = 0; a < 3; ++a)
      if (p[a] < box_.lo[a] - width_ || p[a] > box_.hi[a] + width_) return -1;
    const Cube c = cubeOf(p);
    std::ptrdiff_t first = -1;
    for (int dz = -1; dz <= 1; ++dz)
      for (int dy = -1; dy <= 1; ++dy) {
        auto it = std::lower_bound(sorted_.begin(), sorted_.end(), Entry{{c.z + dz, c.y + dy, c.x - 1}, 0});
        for (; it != sorted_.end() && it->cube.z == c.z + dz && it->cube.y == c.y + dy && it->cube.x <= c.x + 1; ++it)
          if (it->k < before && norm2(x_[it->k] - p) < width_ * width_ && (first < 0 || std::ptrdiff_t(it->k) < first))
            first = std::ptrdiff_t(it->k);
      }
    return first;
  }

 private:
  struct Cube {
    std::int64_t z, y, x;
  };
  struct Entry {
    Cube cube;
    std::size_t k;
    bool operator<(const Entry& o) const {
      if (cube.z != o.cube.z) return cube.z < o.cube.z;
      if (cube.y != o.cube.y) return cube.y < o.cube.y;
      return cube.x != o.cube.x ? cube.x < o.cube.x : k < o.k;
    }
  };
  Cube cubeOf(const Vec3d& p) const {
    const auto n = [&](int a) { return std::int64_t(std::floor((p[a] - box_.lo[a]) / width_)); };
    return {n(2), n(1), n(0)};
  }

  const std::vector<Vec3d>& x_;
  Box3 box_;
  double width_;
  std::vector<Entry> sorted_;
};

std::string tooNear(const World& w, const std::vector<Vec3d>& x) {
  const double least = (0.5 - kRoundoff) * w.dx;
  const Cubes cubes(x, least);
  for (std::size_t k = 0; k < x.size(); ++k)
    if (const std::ptrdiff_t other = cubes.nearer(x[k], k); other >= 0)
      return fmt::format("{} is {:.3g} m from particle {} of the list; they need half a spacing, {:g} m", at(k, x[k]),
                         norm(x[k] - x[std::size_t(other)]), other, 0.5 * w.dx);
  for (Index i = 0; i < w.fluid.n; ++i) {
    const Vec3d p = Vec3d(w.fluid.x[std::size_t(i)].xyz()) + w.scene.domain.min;
    if (const std::ptrdiff_t k = cubes.nearer(p, x.size()); k >= 0)
      return fmt::format("{} is {:.3g} m from the particle of id {}; they need half a spacing, {:g} m",
                         at(std::size_t(k), x[std::size_t(k)]), norm(x[std::size_t(k)] - p), w.fluid.id[std::size_t(i)],
                         0.5 * w.dx);
  }
  return "";
}

}  // namespace

std::string mistakeInPlaces(const World& w, const std::vector<Vec3d>& x) {
  if (x.empty()) return "";
  std::string mistake = outsideDomain(w, x);
  if (mistake.empty()) mistake = insideSolid(w, x);
  if (mistake.empty()) mistake = tooNear(w, x);
  return mistake;
}

}  // namespace meniscus
