#include "engine/grid/water/water_projection.h"

#include <cmath>

namespace meniscus {
namespace {

template <int D>
struct DivergenceOfCell {
  const MacGrid<D>* g;
  const Buffer<double>* velocity;
  double* divergence;
  void operator()(Index i) const {
    const Cell<D> c = g->cellAt(i);
    double flow = 0;
    for (int axis = 0; axis < D; ++axis) {
      const Offset f = g->face(axis, c);
      flow += velocity[axis][std::size_t(f + g->faceStride(axis, axis))] - velocity[axis][std::size_t(f)];
    }
    divergence[i] = flow / g->dx;
  }
};

// u = u* - (p_R - p_L) / (rho theta dx); theta is 1 between cells of water
template <int D>
struct SubtractAtFace {
  const PressureProblem<D>* problem;
  const double* pressure;
  int axis;
  MacGrid<D> faces;
  double* velocity;
  void operator()(Index f) const {
    if (problem->openFraction[axis][std::size_t(f)] == 0) return;
    const Offset upper = problem->grid.cell(faces.cellAt(f)), lower = upper - problem->grid.cellStride(axis);
    const bool wetUpper = problem->kind[std::size_t(upper)] == CellKind::fluid;
    const bool wetLower = problem->kind[std::size_t(lower)] == CellKind::fluid;
    if (!wetUpper && !wetLower) return;
    double theta = 1;
    if (!wetUpper) theta = surfaceFraction(*problem, lower, upper);
    if (!wetLower) theta = surfaceFraction(*problem, upper, lower);
    const Buffer<double>& beta = problem->beta[axis];
    velocity[f] -= (beta.empty() ? problem->constantBeta : beta[std::size_t(f)]) * (pressure[upper] - pressure[lower]) /
                   (theta * problem->grid.dx);
  }
};

}  // namespace

template <int D>
WaterProjection<D>::WaterProjection(Exec& exec, const SmokeDomain<D>& domain, const GivenFaces<D>& given)
    : exec_(exec), domain_(domain), given_(given), solver_(exec) {
  problem_.grid = domain.grid;
  problem_.constantBeta = 1 / domain.density;
}

template <int D>
void WaterProjection<D>::place(const Buffer<double>& levelSet, const ShellFaces<D>& shell, const std::vector<AirGap<D>>& gaps) {
  shell_ = &shell;
  problem_.levelSet = levelSet;
  problem_.kind.resizeUninitialized(levelSet.size());
  for (std::size_t i = 0; i < levelSet.size(); ++i) problem_.kind[i] = levelSet[i] < 0 ? CellKind::fluid : CellKind::air;
  for (int axis = 0; axis < D; ++axis) {
    Buffer<double>& open = problem_.openFraction[axis];
    open.resizeUninitialized(std::size_t(domain_.grid.faces(axis)));
    for (std::size_t f = 0; f < open.size(); ++f) open[f] = !given_.given(axis, Offset(f)) && !shell.closed(axis, Offset(f));
  }
  placeSurfaces(gaps);
  solver_.build(problem_);
}

// The distance to a surface that the level set does not have goes into the coefficient of its face, which it divides.
template <int D>
void WaterProjection<D>::placeSurfaces(const std::vector<AirGap<D>>& gaps) {
  for (int axis = 0; axis < D; ++axis) problem_.beta[axis].resizeUninitialized(0);
  for (const AirGap<D>& gap : gaps) {
    if (shell_->closed(gap.axis, gap.face)) continue;
    Buffer<double>& beta = problem_.beta[gap.axis];
    if (beta.empty()) beta.assign(std::size_t(domain_.grid.faces(gap.axis)), problem_.constantBeta);
    beta[std::size_t(gap.face)] *= surfaceFraction(problem_, gap.water, gap.other) / gap.surface;
  }
}

template <int D>
const Buffer<double>& WaterProjection<D>::divergenceOf(const Buffer<double>* velocity) {
  const MacGrid<D>& g = domain_.grid;
  divergence_.resizeUninitialized(std::size_t(g.cells()));
  parallelFor(exec_, "water: divergence", Index(g.cells()), DivergenceOfCell<D>{&g, velocity, divergence_.data()});
  return divergence_;
}

template <int D>
PressureReport WaterProjection<D>::project(const std::vector<double>& faceVelocity, const FusedControl& control,
                                           Buffer<double>* velocity, Buffer<double>& pressure) {
  for (std::size_t r = 0; r < faceVelocity.size(); ++r)
    velocity[shell_->face[r].axis][std::size_t(shell_->face[r].face)] = faceVelocity[r];
  const MacGrid<D>& g = domain_.grid;
  const PressureReport report = solver_.solve(divergenceOf(velocity), pressure, control);
  leftOver_ = 0;
  for (const double b : solver_.rightSide()) leftOver_ += b * b;
  leftOver_ = report.residual * std::sqrt(leftOver_);
  for (int axis = 0; axis < D; ++axis) {
    const MacGrid<D> faces{g.faceExtent(axis), g.dx, g.origin};
    parallelFor(exec_, "water: pressure gradient", Index(faces.cells()),
                SubtractAtFace<D>{&problem_, pressure.data(), axis, faces, velocity[axis].data()});
  }
  return report;
}

template <int D>
bool WaterProjection<D>::anyClosed() const {
  for (const PressureRegion<D>& region : solver_.regions())
    if (region.closed) return true;
  return false;
}

template <int D>
double WaterProjection<D>::faceMass(int axis, Offset f) const {
  const MacGrid<D>& g = domain_.grid;
  const Cell<D> upper = MacGrid<D>{g.faceExtent(axis), g.dx, g.origin}.cellAt(f);
  Cell<D> lower = upper;
  --lower[std::size_t(axis)];
  const bool in[2] = {g.contains(lower) && wet(g.cell(lower)), g.contains(upper) && wet(g.cell(upper))};
  double part = 0.5 * (in[0] + in[1]);
  if (part == 0.5 && problem_.openFraction[axis][std::size_t(f)] > 0)
    part =
        in[0] ? surfaceFraction(problem_, g.cell(lower), g.cell(upper)) : surfaceFraction(problem_, g.cell(upper), g.cell(lower));
  const Buffer<double>& beta = problem_.beta[axis];
  if (!beta.empty()) part *= problem_.constantBeta / beta[std::size_t(f)];
  return part * domain_.density * std::pow(g.dx, D);
}

template class WaterProjection<2>;
template class WaterProjection<3>;

}  // namespace meniscus
