#include <algorithm>

#include "engine/grid/smoke/shell_frame.h"
#include "engine/grid/water/water_motion.h"

namespace meniscus {
namespace {

// The weights of the four values about a point at t between the second and the third. Catmull & Rom, A class of local interpolating
// splines, 1974: exact for parabolas, where linear interpolation would flatten the surface a little in each step.
std::array<double, 4> splineWeights(double t) {
  return {0.5 * t * (-1 + t * (2 - t)), 1 + 0.5 * t * t * (-5 + 3 * t), 0.5 * t * (1 + t * (4 - 3 * t)), 0.5 * t * t * (t - 1)};
}

// Cells this far from the surface only move what is told apart by its sign [cells].
constexpr double kFar = 4;

template <int D>
struct AdvectDistance {
  const WaterMotion<D>* m;
  const WaterMatter<D>* before;
  PathTracer<D> tracer;
  const WaterMatter<D>* after;  // its particles
  double* levelSet;
  char* unknown;  // dry for want of a path and of particles

  void operator()(Index i) const {
    unknown[i] = 0;
    const MacGrid<D>& g = m->domain.grid;
    const Cell<D> c = g.cellAt(i);
    const bool clear = clearAbout(tracer.field.rays.lattice().centre(c), int(kFar));
    levelSet[i] = before->levelSet[std::size_t(i)];
    if (clear && std::abs(levelSet[i]) > kFar * g.dx) return;
    const Point<D> x = g.centre(c);
    Point<D> seenX = x;
    LatticePoint<D> seen = tracer.field.rays.lattice().centre(c);
    if (!pointBeforeShell<D>(m->rays0, m->swept, m->x0, m->x1, x, seenX, seen)) {
      setByParticles(i, c);
      return;
    }
    const Path<D> path = tracer.back(x, seenX, seen);
    if (clearAbout(path.p, 3))
      levelSet[i] = spline(path.x);
    else if (!tracer.field.visibleMean(before->levelSet, path.x, path.p, levelSet[i]))
      setByParticles(i, c);
  }

 private:
  void setByParticles(Index i, const Cell<D>& c) const {
    levelSet[i] = byParticles(c);
    unknown[i] = levelSet[i] > 0;
  }

  bool clearAbout(const LatticePoint<D>& p, int cells) const {
    LatticeBox<D> box(p);
    for (std::size_t a = 0; a < D; ++a) {
      box.lower[a] -= std::int64_t(cells) << ShellLattice<D>::kBits;
      box.upper[a] += std::int64_t(cells) << ShellLattice<D>::kBits;
    }
    return !tracer.field.rays.anyNear(box);
  }

  double byParticles(const Cell<D>& c) const {
    const MacGrid<D>& g = m->domain.grid;
    const std::size_t cell = std::size_t(g.cell(c));
    const ShellLattice<D>& lattice = m->rays1.lattice();
    for (Index p = after->first[cell]; p < after->first[cell + 1]; ++p)
      if (!m->rays1.blocked(lattice.centre(c), lattice.point(after->particles.x[std::size_t(p)]))) return -0.5 * g.dx;
    return 0.5 * g.dx;
  }

  // Beyond the border the values go on as a straight line.
  double value(Cell<D> c) const {
    const MacGrid<D>& g = m->domain.grid;
    for (std::size_t a = 0; a < D; ++a) {
      if (c[a] >= 0 && c[a] < g.n[a]) continue;
      Cell<D> edge = c, inner;
      edge[a] = c[a] < 0 ? 0 : g.n[a] - 1;
      inner = edge;
      inner[a] += g.n[a] == 1 ? 0 : (c[a] < 0 ? 1 : -1);
      const double k = std::abs(c[a] - edge[a]);
      return (1 + k) * value(edge) - k * value(inner);
    }
    return before->levelSet[std::size_t(g.cell(c))];
  }

  double spline(const Point<D>& x) const {
    const MacGrid<D>& g = m->domain.grid;
    Cell<D> base;
    std::array<std::array<double, 4>, D> w;
    for (std::size_t a = 0; a < D; ++a) {
      const double index = (x[a] - g.origin[a]) / g.dx - 0.5;
      base[a] = Index(std::floor(index));
      w[a] = splineWeights(index - base[a]);
    }
    double sum = 0;
    for (std::size_t k = 0; k < (D == 2 ? 16 : 64); ++k) {
      Cell<D> c = base;
      double weight = 1;
      for (std::size_t a = 0; a < D; ++a) {
        const std::size_t j = k >> (2 * a) & 3;
        c[a] += Index(j) - 1;
        weight *= w[a][j];
      }
      sum += weight * value(c);
    }
    return sum;
  }
};

// Cells that no air came to but that have no particle yet, as the shell went off them, are water where only water is beside them.
template <int D>
void fillGaps(const WaterMotion<D>& m, std::vector<char>& unknown, Buffer<double>& levelSet) {
  const MacGrid<D>& g = m.domain.grid;
  std::vector<Offset> gap;
  for (Offset first = 0; first < g.cells(); ++first) {
    if (!unknown[std::size_t(first)]) continue;
    bool air = false, water = false;
    gap.assign(1, first);
    unknown[std::size_t(first)] = 0;
    for (std::size_t k = 0; k < gap.size(); ++k)
      forOpenNeighbours<D>(g, m.given, m.faces1, g.cellAt(gap[k]), [&](int, int, Offset, Offset n) {
        water = water || levelSet[std::size_t(n)] < 0;
        if (unknown[std::size_t(n)]) gap.push_back(n);
        unknown[std::size_t(n)] = 0;
        if (levelSet[std::size_t(n)] >= 0 && std::find(gap.begin(), gap.end(), n) == gap.end()) air = true;
      });
    if (water && !air)
      for (const Offset i : gap) levelSet[std::size_t(i)] = -0.5 * g.dx;
  }
}

constexpr Index kGrain = 64;

}  // namespace

template <int D>
void advectLevelSet(Exec& exec, const WaterMotion<D>& m, const WaterMatter<D>& before, const Buffer<double>* velocity,
                    WaterMatter<D>& after) {
  after.levelSet.resizeUninitialized(before.levelSet.size());
  const PathTracer<D> tracer{m.before(), velocity, m.dt};
  std::vector<char> unknown(before.levelSet.size());
  parallelFor(exec, "water: level set", Index(before.levelSet.size()),
              AdvectDistance<D>{&m, &before, tracer, &after, after.levelSet.data(), unknown.data()}, kGrain);
  fillGaps(m, unknown, after.levelSet);
}

template void advectLevelSet<2>(Exec&, const WaterMotion<2>&, const WaterMatter<2>&, const Buffer<double>*, WaterMatter<2>&);
template void advectLevelSet<3>(Exec&, const WaterMotion<3>&, const WaterMatter<3>&, const Buffer<double>*, WaterMatter<3>&);

}  // namespace meniscus
