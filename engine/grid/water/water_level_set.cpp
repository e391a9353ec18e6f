#include "engine/grid/water/water_level_set.h"

#include <queue>

namespace meniscus {
namespace {

// 1 for the cells that the surface passes beside: between their centre and that of a neighbour.
template <int D>
struct FindSurface {
  const MacGrid<D>* g;
  const GivenFaces<D>* given;
  const ShellFaces<D>* shell;
  const double* levelSet;
  char* beside;
  void operator()(Index i) const {
    beside[i] = 0;
    forOpenNeighbours<D>(*g, *given, *shell, g->cellAt(i), [&](int, int, Offset, Offset n) {
      if ((levelSet[i] < 0) != (levelSet[n] < 0)) beside[i] = 1;
    });
  }
};

template <int D>
struct March {
  Exec& exec;
  const MacGrid<D>& g;
  const GivenFaces<D>& given;
  const ShellFaces<D>& shell;
  Buffer<double>& levelSet;
  const std::vector<char>* beside;
  Buffer<char> done;
  std::priority_queue<std::pair<double, Offset>, std::vector<std::pair<double, Offset>>, std::greater<>> next;

  double& at(Offset i) { return levelSet[std::size_t(i)]; }

  void run() {
    done.resizeUninitialized(levelSet.size());
    parallelFor(exec, "water: cells at the surface", Index(levelSet.size()),
                FindSurface<D>{&g, &given, &shell, levelSet.data(), done.data()});
    for (std::size_t i = 0; beside && i < beside->size(); ++i) done[i] |= (*beside)[i];
    std::vector<Offset> surface;
    for (Offset i = 0; i < g.cells(); ++i) {
      if (done[std::size_t(i)]) surface.push_back(i);
      at(i) = done[std::size_t(i)] ? std::clamp(at(i), -g.dx, g.dx) : (at(i) < 0 ? -kBand * g.dx : kBand * g.dx);
    }
    for (const Offset i : surface) updateBeside(i);
    while (!next.empty()) {
      const auto [distance, i] = next.top();
      next.pop();
      if (done[std::size_t(i)]) continue;
      done[std::size_t(i)] = 1;
      at(i) = at(i) < 0 ? -distance : distance;
      updateBeside(i);
    }
  }

  void updateBeside(Offset i) {
    forOpenNeighbours<D>(g, given, shell, g.cellAt(i), [&](int, int, Offset, Offset n) {
      if (!done[std::size_t(n)]) update(n);
    });
  }

  // The distance that the cell's neighbours give, if it is one within the band: sum over axes of (d - d_a)^2 = dx^2, over those
  // axes whose neighbours are nearer.
  void update(Offset i) {
    std::array<double, D> near;
    near.fill(1e300);
    forOpenNeighbours<D>(g, given, shell, g.cellAt(i), [&](int axis, int, Offset, Offset n) {
      if (done[std::size_t(n)]) near[std::size_t(axis)] = std::min(near[std::size_t(axis)], std::abs(at(n)));
    });
    std::sort(near.begin(), near.end());
    double distance = near[0] + g.dx, sum = 0, squares = 0;
    for (std::size_t k = 0; k < D && near[k] < distance; ++k) {
      sum += near[k];
      squares += near[k] * near[k];
      const double m = double(k) + 1, root = sum * sum - m * (squares - g.dx * g.dx);
      if (root >= 0) distance = (sum + std::sqrt(root)) / m;
    }
    if (distance < kBand * g.dx) next.emplace(distance, i);
  }
};

double fraction(double distance, double dx) { return std::clamp(0.5 - distance / dx, 0.0, 1.0); }

template <int D>
struct FindEscaped {
  const OneSided<D>* field;
  const WaterParticles<D>* particles;
  const Buffer<double>* levelSet;
  char* escaped;
  void operator()(Index i) const {
    const Point<D>& x = particles->x[std::size_t(i)];
    double distance;
    escaped[i] =
        field->visibleMean(*levelSet, x, field->rays.lattice().point(x), distance) && distance > particles->radius[std::size_t(i)];
  }
};

template <int D>
struct MeasureParticle {
  const OneSided<D>* field;
  const Buffer<double>* levelSet;
  const Point<D>* x;
  double* radius;
  char* spray;
  void operator()(Index i) const {
    const LatticePoint<D> p = field->rays.lattice().point(x[i]);
    double distance = -field->grid.dx;
    const bool known = deepInside<D>(*field, *levelSet, x[i], p) || field->visibleMean(*levelSet, x[i], p, distance);
    spray[i] = !known || distance > kSprayDistance * field->grid.dx;
    if (known && distance < radius[i]) radius[i] = std::clamp(-distance, 0.1 * field->grid.dx, 0.5 * field->grid.dx);
  }
};

}  // namespace

template <int D>
void redistance(Exec& exec, const MacGrid<D>& grid, const GivenFaces<D>& given, const ShellFaces<D>& shell,
                Buffer<double>& levelSet, const std::vector<char>* near) {
  March<D>{exec, grid, given, shell, levelSet, near, {}, {}}.run();
}

template <int D>
double wetVolume(const MacGrid<D>& grid, const Buffer<double>& levelSet) {
  double sum = 0;
  for (const double d : levelSet) sum += fraction(d, grid.dx);
  return sum * std::pow(grid.dx, D);
}

template <int D>
double holdVolume(const MacGrid<D>& grid, double volume, Buffer<double>& levelSet) {
  double sum = 0;
  Offset surface = 0;
  for (const double d : levelSet) {
    sum += fraction(d, grid.dx);
    surface += std::abs(d) < 0.5 * grid.dx;
  }
  if (surface == 0) return 0;
  const double missing = volume / std::pow(grid.dx, D) - sum;
  const double way = grid.dx * std::clamp(missing / double(surface), -0.1, 0.1);
  for (double& d : levelSet)
    if (std::abs(d) < 0.5 * kBand * grid.dx) d -= way;
  return way;
}

namespace {

// Balls of `part` of the particles' radii.
template <int D>
void addBalls(const OneSided<D>& field, const WaterParticles<D>& particles, const std::vector<Index>& escaped, double part,
              Buffer<double>& levelSet) {
  const MacGrid<D>& g = field.grid;
  for (const Index i : escaped) {
    const Point<D>& x = particles.x[std::size_t(i)];
    const LatticePoint<D> p = field.rays.lattice().point(x);
    const bool clear = field.clear(p);
    Point<D> index;
    for (std::size_t a = 0; a < D; ++a) index[a] = (x[a] - g.origin[a]) / g.dx - 0.5;
    const Corners<D> c(g.n, index);
    for (const Cell<D>& corner : c.at) {
      if (!clear && field.rays.blocked(p, field.rays.lattice().centre(corner))) continue;
      const Point<D> centre = g.centre(corner);
      double square = 0;
      for (std::size_t a = 0; a < D; ++a) square += (x[a] - centre[a]) * (x[a] - centre[a]);
      double& d = levelSet[std::size_t(g.cell(corner))];
      d = std::min(d, std::sqrt(square) - part * particles.radius[std::size_t(i)]);
    }
  }
}

}  // namespace

template <int D>
void repairByParticles(Exec& exec, const OneSided<D>& field, const WaterParticles<D>& particles, double most,
                       Buffer<double>& levelSet) {
  constexpr int kParts = 4;
  std::vector<char> mark(particles.x.size());
  parallelFor(exec, "water: escaped particles", particles.size(), FindEscaped<D>{&field, &particles, &levelSet, mark.data()});
  std::vector<Index> escaped;
  for (std::size_t i = 0; i < mark.size(); ++i)
    if (mark[i]) escaped.push_back(Index(i));
  if (escaped.empty() || !(wetVolume(field.grid, levelSet) < most)) return;
  for (int part = kParts; part > 0; --part) {
    Buffer<double> repaired = levelSet;
    addBalls(field, particles, escaped, double(part) / kParts, repaired);
    if (!(wetVolume(field.grid, repaired) <= most)) continue;
    levelSet = std::move(repaired);
    return;
  }
}

template <int D>
Offset measureParticles(Exec& exec, const OneSided<D>& field, const Buffer<double>& levelSet, WaterParticles<D>& particles) {
  std::vector<char> spray(particles.x.size());
  parallelFor(exec, "water: measure particles", particles.size(),
              MeasureParticle<D>{&field, &levelSet, particles.x.data(), particles.radius.data(), spray.data()});
  return std::count(spray.begin(), spray.end(), 1);
}

#define MNS_INSTANTIATE(D)                                                                                           \
  template void redistance<D>(Exec&, const MacGrid<D>&, const GivenFaces<D>&, const ShellFaces<D>&, Buffer<double>&, \
                              const std::vector<char>*);                                                             \
  template double wetVolume<D>(const MacGrid<D>&, const Buffer<double>&);                                            \
  template double holdVolume<D>(const MacGrid<D>&, double, Buffer<double>&);                                         \
  template void repairByParticles<D>(Exec&, const OneSided<D>&, const WaterParticles<D>&, double, Buffer<double>&);  \
  template Offset measureParticles<D>(Exec&, const OneSided<D>&, const Buffer<double>&, WaterParticles<D>&);
MNS_INSTANTIATE(2)
MNS_INSTANTIATE(3)
#undef MNS_INSTANTIATE

}  // namespace meniscus
