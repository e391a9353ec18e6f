#include "engine/grid/smoke/smoke_advection.h"

#include "engine/grid/smoke/shell_frame.h"
#include "engine/grid/smoke/smoke_path.h"

namespace meniscus {
namespace {

// The mean of the two cells beside a face, of the one where there is no other.
template <int D>
double atFace(const MacGrid<D>& g, const Buffer<double>& values, int axis, Cell<D> c) {
  double sum = 0;
  int count = 0;
  for (int k = 0; k < 2; ++k, --c[std::size_t(axis)])
    if (g.contains(c)) sum += values[std::size_t(g.cell(c))], ++count;
  return sum / count;
}

template <int D>
struct PredictFace {
  const SmokeDomain<D>* domain;
  const GivenFaces<D>* given;
  const SmokeState<D>* state;
  PathTracer<D> tracer;
  int axis;
  MacGrid<D> faces;
  double* predicted;

  void operator()(Index f) const {
    const std::size_t a = std::size_t(axis);
    predicted[f] = state->velocity[axis][std::size_t(f)];
    if (given->given(axis, f)) return;
    const Cell<D> c = faces.cellAt(f);
    const LatticePoint<D> p = tracer.field.rays.lattice().faceCentre(axis, c);
    const Point<D> x = domain->grid.faceCentre(axis, c);
    const Path<D> path = tracer.back(x, x, p);
    double u = tracer.field.component(axis, state->velocity[axis], path.x, path.p, tracer.field.clear(path.p));
    double acceleration = domain->gravity[a];
    if (domain->smokeAcceleration[a] != 0)
      acceleration += domain->smokeAcceleration[a] * atFace<D>(domain->grid, state->smoke, axis, c);
    if (domain->heatAcceleration[a] != 0)
      acceleration += domain->heatAcceleration[a] * atFace<D>(domain->grid, state->temperature, axis, c);
    predicted[f] = u + tracer.dt * acceleration;
  }
};

template <int D>
struct AdvectCell {
  const SmokeDomain<D>* domain;
  const GivenFaces<D>* given;
  PathTracer<D> tracer;
  const SweptShell<D>* swept;
  const std::vector<double>*x0, *x1;
  const Buffer<double>*smoke, *temperature;  // at the beginning
  double *newSmoke, *newTemperature;
  char* known;

  void operator()(Index i) const {
    const Cell<D> c = domain->grid.cellAt(i);
    const Point<D> x = domain->grid.centre(c);
    Point<D> seenX = x;
    LatticePoint<D> seen = tracer.field.rays.lattice().centre(c);
    known[i] = 0;
    newSmoke[i] = newTemperature[i] = 0;
    if (!pointBeforeShell<D>(tracer.field.rays, *swept, *x0, *x1, x, seenX, seen)) return;
    const Path<D> path = tracer.back(x, seenX, seen);
    const Index inflow = path.axis < 0 ? GivenFaces<D>::kWall : given->inflow[path.axis][std::size_t(face(path))];
    if (inflow == GivenFaces<D>::kWall) {
      known[i] = tracer.field.visibleMean(*smoke, path.x, path.p, newSmoke[i]) &&
                 tracer.field.visibleMean(*temperature, path.x, path.p, newTemperature[i]);
      if (known[i]) nearInflow(path, newSmoke[i], newTemperature[i]);
      return;
    }
    known[i] = 1;
    if (inflow == GivenFaces<D>::kFree) return;  // fresh fluid
    newSmoke[i] = domain->inflow[std::size_t(inflow)].smoke;
    newTemperature[i] = domain->inflow[std::size_t(inflow)].temperature;
  }

  // Within half a cell of an inflow the values go over into its own, linearly: what flows in more slowly than half a cell a step
  // would else never be seen by a cell.
  void nearInflow(const Path<D>& path, double& smokeHere, double& temperatureHere) const {
    const MacGrid<D>& g = domain->grid;
    for (int axis = 0; axis < D; ++axis)
      for (int upper = 0; upper < 2; ++upper) {
        const std::size_t a = std::size_t(axis);
        const double border = g.origin[a] + (upper ? g.n[a] * g.dx : 0), share = 1 - 2 * std::abs(path.x[a] - border) / g.dx;
        if (!(share > 0)) continue;
        Cell<D> c;
        for (std::size_t k = 0; k < D; ++k)
          c[k] = std::clamp(Index(std::floor((path.x[k] - g.origin[k]) / g.dx)), Index(0), g.n[k] - 1);
        c[a] = upper ? g.n[a] : 0;
        const Index k = given->inflow[axis][std::size_t(g.face(axis, c))];
        if (k < 0 || (upper ? -1 : 1) * domain->inflow[std::size_t(k)].velocity <= 0) continue;
        if (tracer.field.rays.blocked(path.p, tracer.field.rays.lattice().faceCentre(axis, c))) continue;
        smokeHere += share * (domain->inflow[std::size_t(k)].smoke - smokeHere);
        temperatureHere += share * (domain->inflow[std::size_t(k)].temperature - temperatureHere);
      }
  }

  Offset face(const Path<D>& path) const { return domain->grid.face(path.axis, path.face); }
};

// Cells without a value take the mean of neighbours that have one, through open faces, ring after ring.
template <int D>
void fillUnknown(const MacGrid<D>& g, const GivenFaces<D>& given, const ShellFaces<D>& faces, std::vector<char>& known,
                 SmokeState<D>& state) {
  std::vector<Offset> left, filled;
  for (Offset i = 0; i < g.cells(); ++i)
    if (!known[std::size_t(i)]) left.push_back(i);
  while (!left.empty()) {
    filled.clear();
    for (const Offset i : left) {
      double smoke = 0, temperature = 0;
      int count = 0;
      for (int axis = 0; axis < D; ++axis)
        for (int up = 0; up < 2; ++up) {
          Cell<D> c = g.cellAt(i), neighbour = c;
          if (up) ++c[std::size_t(axis)];
          neighbour[std::size_t(axis)] += up ? 1 : -1;
          const Offset f = g.face(axis, c);
          if (!g.contains(neighbour) || faces.closed(axis, f) || given.given(axis, f)) continue;
          const std::size_t k = std::size_t(g.cell(neighbour));
          if (!known[k]) continue;
          smoke += state.smoke[k];
          temperature += state.temperature[k];
          ++count;
        }
      if (count == 0) continue;
      state.smoke[std::size_t(i)] = smoke / count;
      state.temperature[std::size_t(i)] = temperature / count;
      filled.push_back(i);
    }
    if (filled.empty()) return;
    for (const Offset i : filled) known[std::size_t(i)] = 1;
    left.erase(std::remove_if(left.begin(), left.end(), [&](Offset i) { return known[std::size_t(i)] != 0; }), left.end());
  }
}

// Cells a thread takes at a time: those beside a shell cost many times what others do.
constexpr Index kGrain = 64;

}  // namespace

template <int D>
void predictVelocity(Exec& exec, const SmokeDomain<D>& domain, const GivenFaces<D>& given, const SmokeState<D>& state,
                     const StandingShell<D>& shell, double dt, Buffer<double>* predicted) {
  const PathTracer<D> tracer{{domain.grid, shell.rays, shell.velocity}, state.velocity, dt};
  for (int axis = 0; axis < D; ++axis) {
    const MacGrid<D> faces{domain.grid.faceExtent(axis), domain.grid.dx, domain.grid.origin};
    predicted[axis].resizeUninitialized(std::size_t(faces.cells()));
    parallelFor(exec, "smoke: velocity advection", Index(faces.cells()),
                PredictFace<D>{&domain, &given, &state, tracer, axis, faces, predicted[axis].data()}, kGrain);
  }
}

template <int D>
void advectScalars(Exec& exec, const SmokeDomain<D>& domain, const GivenFaces<D>& given, const StandingShell<D>& shell,
                   const std::vector<double>& x0, const std::vector<double>& x1, const ShellFaces<D>& faces1, double dt,
                   SmokeState<D>& state) {
  SweptShell<D> swept;
  swept.build(shell.rays.lattice(), shell.rays.mesh(), x0, x1);
  std::vector<double> velocity(x0.size());
  for (std::size_t k = 0; k < velocity.size(); ++k) velocity[k] = (x1[k] - x0[k]) / dt;
  const Buffer<double> smoke = state.smoke, temperature = state.temperature;
  std::vector<char> known(smoke.size());
  const PathTracer<D> tracer{{domain.grid, shell.rays, velocity}, state.velocity, dt};
  parallelFor(exec, "smoke: scalar advection", Index(smoke.size()),
              AdvectCell<D>{&domain, &given, tracer, &swept, &x0, &x1, &smoke, &temperature, state.smoke.data(),
                            state.temperature.data(), known.data()},
              kGrain);
  fillUnknown(domain.grid, given, faces1, known, state);
  for (const SmokeSource<D>& s : domain.source) {
    state.smoke[std::size_t(domain.grid.cell(s.cell))] = s.smoke;
    state.temperature[std::size_t(domain.grid.cell(s.cell))] = s.temperature;
  }
}

#define MNS_INSTANTIATE(D)                                                                                             \
  template void predictVelocity<D>(Exec&, const SmokeDomain<D>&, const GivenFaces<D>&, const SmokeState<D>&,           \
                                   const StandingShell<D>&, double, Buffer<double>*);                                  \
  template void advectScalars<D>(Exec&, const SmokeDomain<D>&, const GivenFaces<D>&, const StandingShell<D>&,          \
                                 const std::vector<double>&, const std::vector<double>&, const ShellFaces<D>&, double, \
                                 SmokeState<D>&);
MNS_INSTANTIATE(2)
MNS_INSTANTIATE(3)
#undef MNS_INSTANTIATE

}  // namespace meniscus
