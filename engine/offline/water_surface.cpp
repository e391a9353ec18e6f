#include "engine/offline/water_surface.h"

#include <algorithm>
#include <cmath>

#include "engine/output/marching_cubes.h"

namespace meniscus::offline {
namespace {

// Of a lattice of cells and one about them.
struct Padded {
  const GridFields& f;

  Index clamped(Index i, Index n) const { return std::clamp(i - 1, Index(0), n - 1); }
  std::size_t cell(Index i, Index j, Index k) const {
    return (std::size_t(clamped(k, f.cells.z)) * std::size_t(f.cells.y) + std::size_t(clamped(j, f.cells.y))) *
               std::size_t(f.cells.x) +
           std::size_t(clamped(i, f.cells.x));
  }
  bool outside(Index i, Index j, Index k) const {
    return i == 0 || j == 0 || k == 0 || i > f.cells.x || j > f.cells.y || k > f.cells.z;
  }
};

// Linear between the centres of cells.
Vec3f velocityAt(const GridFields& f, const Vec3f& x) {
  const Padded p{f};
  Index low[3];
  double part[3];
  for (int a = 0; a < 3; ++a) {
    const double at = (double(x[a]) - f.origin[a]) / f.dx + 0.5;
    low[a] = Index(std::floor(at));
    part[a] = at - low[a];
  }
  Vec3f v{};
  for (int c = 0; c < 8; ++c) {
    double w = 1;
    for (int a = 0; a < 3; ++a) w *= c >> a & 1 ? part[a] : 1 - part[a];
    v += f.velocity[p.cell(low[0] + (c & 1), low[1] + (c >> 1 & 1), low[2] + (c >> 2 & 1))] * float(w);
  }
  return v;
}

}  // namespace

FluidSurface waterSurface(const GridFields& f) {
  FluidSurface s;
  if (f.levelSet.empty()) return s;
  const Padded p{f};
  NodeField field;
  field.n = {f.cells.x + 2, f.cells.y + 2, f.cells.z + 2};
  field.spacing = f.dx;
  field.origin = f.origin - Vec3d{0.5, 0.5, 0.5} * f.dx;
  field.value.resizeUninitialized(std::size_t(field.n.x) * std::size_t(field.n.y) * std::size_t(field.n.z));
  for (Index k = 0; k < field.n.z; ++k)
    for (Index j = 0; j < field.n.y; ++j)
      for (Index i = 0; i < field.n.x; ++i) {
        const float d = f.levelSet[p.cell(i, j, k)];
        field.value[field.at(i, j, k)] = p.outside(i, j, k) ? -std::abs(d) : -d;  // half way to a cell in the water
      }
  marchingCubes(field, 0, s.x, s.n, s.tri);
  for (const Vec3f& x : s.x) s.v.push_back(velocityAt(f, x));
  s.fluid.assign(s.x.size(), 0);
  return s;
}

}  // namespace meniscus::offline
