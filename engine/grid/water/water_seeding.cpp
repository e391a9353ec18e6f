#include "engine/grid/water/water_seeding.h"

#include "engine/grid/water/air_gaps.h"
#include "engine/grid/water/shell_gaps.h"
#include "engine/grid/water/water_transfer.h"

namespace meniscus {
namespace {

// The parts of a cell, numbered with x fastest.
template <int D>
Point<D> partCentre(const MacGrid<D>& g, const Cell<D>& c, Index part) {
  Point<D> x;
  for (std::size_t a = 0; a < D; ++a) {
    x[a] = g.origin[a] + (c[a] + (double(part % kParticlesAlong) + 0.5) / kParticlesAlong) * g.dx;
    part /= kParticlesAlong;
  }
  return x;
}
template <int D>
Index partOf(const MacGrid<D>& g, const Cell<D>& c, const Point<D>& x) {
  Index part = 0;
  for (std::size_t a = D; a-- > 0;) {
    const double along = ((x[a] - g.origin[a]) / g.dx - c[a]) * kParticlesAlong;
    part = part * kParticlesAlong + std::clamp(Index(along), Index(0), kParticlesAlong - 1);
  }
  return part;
}

// True where the cell's centre sees x and it is farther inside the water than `depth`.
template <int D>
bool isInside(const OneSided<D>& field, const Buffer<double>& levelSet, const Cell<D>& c, const Point<D>& x, double depth) {
  const ShellLattice<D>& lattice = field.rays.lattice();
  const LatticePoint<D> p = lattice.point(x);
  double distance;
  return !field.rays.blocked(lattice.centre(c), p) && field.visibleMean(levelSet, x, p, distance) && distance < -depth;
}

template <int D>
constexpr Index kMostOfCell = 2 * kParticlesOfCell<D>;

// Bits of the parts that a cell gets a particle in.
template <int D>
struct PlanCell {
  const OneSided<D>* field;
  const WaterMatter<D>* matter;
  std::uint8_t* plan;
  void operator()(Index i) const {
    plan[i] = 0;
    const MacGrid<D>& g = field->grid;
    const Index first = matter->first[std::size_t(i)], last = matter->first[std::size_t(i) + 1];
    if (matter->levelSet[std::size_t(i)] > g.dx || 2 * (last - first) >= kParticlesOfCell<D>) return;
    const Cell<D> c = g.cellAt(i);
    unsigned taken = 0, wanted = 0;
    for (Index p = first; p < last; ++p) taken |= 1U << partOf<D>(g, c, matter->particles.x[std::size_t(p)]);
    for (Index part = 0; part < kParticlesOfCell<D>; ++part)
      if (!(taken >> part & 1) && isInside<D>(*field, matter->levelSet, c, partCentre<D>(g, c, part), 0.25 * g.dx))
        wanted |= 1U << part;
    plan[i] = std::uint8_t(wanted);
  }
};

// Copies what a cell keeps of its particles and adds those of its plan.
template <int D>
struct FillCell {
  const OneSided<D>* field;
  const Buffer<double>* velocity;
  const std::uint8_t* plan;
  const WaterParticles<D>* from;
  const Index *oldFirst, *first;
  WaterParticles<D>* to;
  void operator()(Index i) const {
    std::size_t k = std::size_t(first[i]);
    const Index kept = std::min(oldFirst[i + 1] - oldFirst[i], kMostOfCell<D>);
    for (Index p = 0; p < kept; ++p) to->set(k++, *from, std::size_t(oldFirst[i] + p));
    for (Index part = 0; plan[i] >> part != 0; ++part) {
      if (!(plan[i] >> part & 1)) continue;
      to->x[k] = partCentre<D>(field->grid, field->grid.cellAt(i), part);
      const AffineVelocity<D> u = affineVelocity<D>(*field, velocity, to->x[k]);
      to->v[k] = u.v;
      to->gradient[k] = u.gradient;
      to->radius[k++] = 0.1 * field->grid.dx;
    }
  }
};

}  // namespace

template <int D>
std::shared_ptr<const WaterMatter<D>> fillWater(Exec& exec, const SmokeDomain<D>& domain, const GivenFaces<D>& given,
                                                const ShellFaces<D>& shell, const ShellRays<D>& rays,
                                                const std::vector<double>& nodes, FilledBodies<D>& bodies,
                                                const std::function<double(const Point<D>&)>& levelSet) {
  const MacGrid<D>& g = domain.grid;
  auto matter = std::make_shared<WaterMatter<D>>();
  matter->levelSet.resize(std::size_t(g.cells()));
  for (Offset i = 0; i < g.cells(); ++i) matter->levelSet[std::size_t(i)] = levelSet(g.centre(g.cellAt(i)));
  std::vector<char> touched;
  airAtStart(domain, rays.mesh(), nodes, shell, *matter, touched);
  redistance(exec, g, given, shell, matter->levelSet, &touched);
  const std::vector<double> noVelocity(std::size_t(rays.mesh().nodes) * D, 0);
  const OneSided<D> field{g, rays, noVelocity};
  matter->first.push_back(0);
  for (Offset i = 0; i < g.cells(); ++i) {
    const Cell<D> c = g.cellAt(i);
    for (Index part = 0; part < kParticlesOfCell<D> && matter->levelSet[std::size_t(i)] < g.dx; ++part) {
      const Point<D> x = partCentre<D>(g, c, part);
      if (!isInside<D>(field, matter->levelSet, c, x, 0)) continue;
      matter->particles.x.push_back(x);
      matter->particles.v.push_back({});
      matter->particles.gradient.push_back({});
      matter->particles.radius.push_back(0.5 * g.dx);
    }
    matter->first.push_back(matter->particles.size());
  }
  matter->besideShell = volumeBesideShell<D>({domain, rays.mesh(), nodes, shell, matter->levelSet, matter->air}, bodies);
  const Offset spray = measureParticles(exec, field, matter->levelSet, matter->particles);
  matter->spray = double(spray) * std::pow(g.dx / kParticlesAlong, D);
  matter->volume = wetVolume(g, matter->levelSet) + matter->spray + matter->besideShell;
  return matter;
}

template <int D>
void reseed(Exec& exec, const OneSided<D>& field, const Buffer<double>* velocity, WaterParticles<D>& scratch,
            WaterMatter<D>& matter) {
  const std::size_t cells = matter.levelSet.size();
  Buffer<std::uint8_t> plan;
  plan.resizeUninitialized(cells);
  parallelFor(exec, "water: plan particles", Index(cells), PlanCell<D>{&field, &matter, plan.data()});
  Buffer<Index> first;
  first.resizeUninitialized(cells + 1);
  first[0] = 0;
  bool change = false;
  for (std::size_t i = 0; i < cells; ++i) {
    const Index count = matter.first[i + 1] - matter.first[i];
    Index added = 0;
    for (unsigned bits = plan[i]; bits != 0; bits &= bits - 1) ++added;
    change = change || added > 0 || count > kMostOfCell<D>;
    first[i + 1] = first[i] + std::min(count, kMostOfCell<D>) + added;
  }
  if (!change) return;
  scratch.resizeUninitialized(std::size_t(first.back()));
  parallelFor(exec, "water: reseed", Index(cells),
              FillCell<D>{&field, velocity, plan.data(), &matter.particles, matter.first.data(), first.data(), &scratch});
  std::swap(matter.particles, scratch);
  std::swap(matter.first, first);
}

#define MNS_INSTANTIATE(D)                                                                                                       \
  template std::shared_ptr<const WaterMatter<D>> fillWater<D>(                                                                   \
      Exec&, const SmokeDomain<D>&, const GivenFaces<D>&, const ShellFaces<D>&, const ShellRays<D>&, const std::vector<double>&, \
      FilledBodies<D>&, const std::function<double(const Point<D>&)>&);                                                          \
  template void reseed<D>(Exec&, const OneSided<D>&, const Buffer<double>*, WaterParticles<D>&, WaterMatter<D>&);
MNS_INSTANTIATE(2)
MNS_INSTANTIATE(3)
#undef MNS_INSTANTIATE

}  // namespace meniscus
