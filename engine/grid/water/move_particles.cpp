#include "engine/grid/smoke/shell_frame.h"
#include "engine/grid/water/water_cells.h"
#include "engine/grid/water/water_motion.h"
#include "engine/grid/water/water_transfer.h"

namespace meniscus {
namespace {

// Particles are kept this far from the sides of the grid [cells].
constexpr double kWallGap = 0.02;

template <int D>
struct MoveParticle {
  const WaterMotion<D>* m;
  const WaterMatter<D>* before;
  const Buffer<double>* velocity;
  WaterParticles<D>* after;
  char* keep;

  void operator()(Index i) const {
    const std::size_t p = std::size_t(i);
    const OneSided<D> field = m->before();
    const Point<D>& x = before->particles.x[p];
    after->radius[p] = before->particles.radius[p];
    Point<D> way;
    const LatticePoint<D> on = field.rays.lattice().point(x);
    double distance = 0;
    const bool sees = deepInside<D>(field, before->levelSet, x, on) || field.visibleMean(before->levelSet, x, on, distance);
    if (sees && distance <= kSprayDistance * field.grid.dx) {
      const AffineVelocity<D> at = affineVelocity<D>(field, velocity, x);
      after->v[p] = at.v;
      after->gradient[p] = at.gradient;
      way = wayOf(field, x, at.v);
    } else {
      after->gradient[p] = before->particles.gradient[p];
      for (std::size_t a = 0; a < D; ++a) {
        after->v[p][a] = before->particles.v[p][a] + m->dt * m->domain.gravity[a];
        way[a] = m->dt * after->v[p][a];
      }
    }
    after->x[p] = arrive(x, way, keep[i]);
  }

  // Second order in dt: with the velocity in the middle of the way, where that can be seen.
  Point<D> wayOf(const OneSided<D>& field, const Point<D>& x, Point<D> v) const {
    Point<D> middle;
    for (std::size_t a = 0; a < D; ++a) middle[a] = x[a] + 0.5 * m->dt * v[a];
    middle = inside(middle);
    const LatticePoint<D> p = field.rays.lattice().point(middle);
    if (!field.rays.blocked(field.rays.lattice().point(x), p))
      v = field.clear(p) ? clearVelocity<D>(field.grid, velocity, middle) : field.velocity(velocity, middle);
    for (double& k : v) k *= m->dt;
    return v;
  }

  Point<D> inside(Point<D> x) const {
    const MacGrid<D>& g = m->domain.grid;
    for (std::size_t a = 0; a < D; ++a)
      x[a] = std::clamp(x[a], g.origin[a] + kWallGap * g.dx, g.origin[a] + (g.n[a] - kWallGap) * g.dx);
    return x;
  }

  // The end of a way that the shell does not meet: the whole way, parts of it in the frame of an element that is in the way, or
  // none of it.
  Point<D> arrive(const Point<D>& x, const Point<D>& way, char& kept) const {
    const ShellLattice<D>& lattice = m->rays0.lattice();
    const LatticePoint<D> p = lattice.point(x);
    Point<D> to;
    for (std::size_t a = 0; a < D; ++a) to[a] = x[a] + way[a];
    to = inside(to);
    kept = 1;
    if (!m->swept.blocked(p, lattice.point(to))) return to;
    std::vector<Index> elements = m->swept.passing(p);
    const ShellHit<D> hit = m->rays0.firstHit(p, lattice.point(to));
    if (hit.element >= 0) elements.push_back(hit.element);
    for (const Index e : elements) {
      const Point<D> with = shellDisplacement<D>(m->rays0.mesh().elements[std::size_t(e)], m->x0, m->x0, m->x1, x);
      for (const double part : {0.5, 0.25, 0.0}) {
        for (std::size_t a = 0; a < D; ++a) to[a] = x[a] + with[a] + part * (way[a] - with[a]);
        to = inside(to);
        if (!m->swept.blocked(p, lattice.point(to))) return to;
      }
    }
    if (!m->swept.blocked(p, p)) return x;
    kept = 0;
    return x;
  }
};

constexpr Index kGrain = 128;

}  // namespace

template <int D>
void moveParticles(Exec& exec, const WaterMotion<D>& m, const WaterMatter<D>& before, const Buffer<double>* velocity,
                   WaterParticles<D>& moved, WaterMatter<D>& after) {
  moved.resizeUninitialized(before.particles.x.size());
  std::vector<char> keep(before.particles.x.size());
  parallelFor(exec, "water: move particles", before.particles.size(), MoveParticle<D>{&m, &before, velocity, &moved, keep.data()},
              kGrain);
  after.lost = before.lost + std::count(keep.begin(), keep.end(), 0);
  sortByCell(exec, m.domain.grid, moved, keep, after.particles, after.first);
}

template void moveParticles<2>(Exec&, const WaterMotion<2>&, const WaterMatter<2>&, const Buffer<double>*, WaterParticles<2>&,
                               WaterMatter<2>&);
template void moveParticles<3>(Exec&, const WaterMotion<3>&, const WaterMatter<3>&, const Buffer<double>*, WaterParticles<3>&,
                               WaterMatter<3>&);

}  // namespace meniscus
