#include "engine/grid/smoke/smoke_projection.h"

#include <cmath>

namespace meniscus {
template <int D>
SmokeProjection<D>::SmokeProjection(Exec& exec, const SmokeDomain<D>& domain, const GivenFaces<D>& given)
    : domain_(domain), given_(given), solver_(exec) {
  const MacGrid<D>& g = domain.grid;
  problem_.grid = g;
  problem_.constantBeta = 1 / domain.density;
  for (std::size_t a = 0; a < D; ++a) {
    pad_[a] = domain.side[a][0] == SideKind::open;
    problem_.grid.n[a] += pad_[a] + Index(domain.side[a][1] == SideKind::open);
  }
  const std::size_t cells = std::size_t(problem_.grid.cells());
  problem_.kind.resize(cells);
  for (CellKind& k : problem_.kind) k = CellKind::air;
  divergence_.assign(cells, 0);
  pressure_.assign(cells, 0);
  for (Offset i = 0; i < g.cells(); ++i) {
    cell_.push_back(problem_.grid.cell(padded(g.cellAt(i))));
    problem_.kind[std::size_t(cell_.back())] = CellKind::fluid;
  }
}

template <int D>
Cell<D> SmokeProjection<D>::padded(const Cell<D>& c) const {
  Cell<D> p = c;
  for (std::size_t a = 0; a < D; ++a) p[a] += pad_[a];
  return p;
}

template <int D>
const PressureProblem<D>& SmokeProjection<D>::problemBeside(const ShellFaces<D>& faces, const std::vector<char>& filled) {
  built_ = false;
  for (std::size_t i = 0; i < cell_.size(); ++i)
    problem_.kind[std::size_t(cell_[i])] = !filled.empty() && filled[i] ? CellKind::solid : CellKind::fluid;
  for (int axis = 0; axis < D; ++axis) {
    problem_.openFraction[axis].assign(std::size_t(problem_.grid.faces(axis)), 1);
    const MacGrid<D> own{domain_.grid.faceExtent(axis), domain_.grid.dx, domain_.grid.origin};
    for (Offset f = 0; f < own.cells(); ++f)
      if (given_.given(axis, f) || faces.closed(axis, f))
        problem_.openFraction[axis][std::size_t(problem_.grid.face(axis, padded(own.cellAt(f))))] = 0;
  }
  return problem_;
}

template <int D>
const Buffer<double>& SmokeProjection<D>::divergenceOf(const Buffer<double>* velocity) {
  const MacGrid<D>& g = domain_.grid;
  for (Offset i = 0; i < g.cells(); ++i) {
    const Cell<D> c = g.cellAt(i);
    double flow = 0;
    for (int axis = 0; axis < D; ++axis) {
      const Offset f = g.face(axis, c);
      flow += velocity[axis][std::size_t(f + g.faceStride(axis, axis))] - velocity[axis][std::size_t(f)];
    }
    divergence_[std::size_t(cell_[std::size_t(i)])] = flow / g.dx;
  }
  return divergence_;
}

// u = u* - (p_R - p_L) / (rho dx); outside an open side p is 0
template <int D>
void SmokeProjection<D>::subtractGradient(const ShellFaces<D>& faces, Buffer<double>* velocity) const {
  const MacGrid<D>& g = domain_.grid;
  const double scale = 1 / (domain_.density * g.dx);
  for (int axis = 0; axis < D; ++axis) {
    const MacGrid<D> own{g.faceExtent(axis), g.dx, g.origin};
    for (Offset f = 0; f < own.cells(); ++f) {
      if (given_.given(axis, f) || faces.closed(axis, f)) continue;
      Cell<D> c = padded(own.cellAt(f));
      const double right = pressure_[std::size_t(problem_.grid.cell(c))];
      --c[std::size_t(axis)];
      velocity[axis][std::size_t(f)] -= scale * (right - pressure_[std::size_t(problem_.grid.cell(c))]);
    }
  }
}

template <int D>
PressureReport SmokeProjection<D>::project(const ShellFaces<D>& faces, const std::vector<char>& filled,
                                           const std::vector<double>& faceVelocity, const FusedControl& control,
                                           Buffer<double>* velocity, Buffer<double>& pressure) {
  const auto same = [](const ShellFace<D>& a, const ShellFace<D>& b) { return a.axis == b.axis && a.face == b.face; };
  if (!built_ || filled_ != filled || !std::equal(closed_.begin(), closed_.end(), faces.face.begin(), faces.face.end(), same)) {
    solver_.build(problemBeside(faces, filled));
    closed_ = faces.face;
    filled_ = filled;
    built_ = true;
  }
  for (std::size_t r = 0; r < faces.face.size(); ++r)
    velocity[faces.face[r].axis][std::size_t(faces.face[r].face)] = faceVelocity[r];
  divergenceOf(velocity);
  for (std::size_t i = 0; i < cell_.size(); ++i) pressure_[std::size_t(cell_[i])] = pressure[i];
  const PressureReport report = solver_.solve(divergence_, pressure_, control);
  leftOver_ = 0;
  for (const double b : solver_.rightSide()) leftOver_ += b * b;
  leftOver_ = report.residual * std::sqrt(leftOver_);
  for (std::size_t i = 0; i < cell_.size(); ++i) pressure[i] = pressure_[std::size_t(cell_[i])];
  subtractGradient(faces, velocity);
  return report;
}

template <int D>
std::vector<double> pressureJumps(const MacGrid<D>& grid, const ShellFaces<D>& faces, const Buffer<double>& pressure) {
  std::vector<double> jump;
  for (const ShellFace<D>& f : faces.face) {
    const Offset right = grid.cell(f.cell);
    jump.push_back(pressure[std::size_t(right - grid.cellStride(f.axis))] - pressure[std::size_t(right)]);
  }
  return jump;
}

template <int D>
std::vector<double> shellImpulses(const MacGrid<D>& grid, const ShellFaces<D>& faces, const std::vector<double>& mass,
                                  const Buffer<double>* predicted, const std::vector<double>& faceVelocity,
                                  const Buffer<double>& pressure) {
  std::vector<double> impulse = pressureJumps(grid, faces, pressure);
  const double area = std::pow(grid.dx, D - 1);
  for (std::size_t r = 0; r < impulse.size(); ++r) {
    const ShellFace<D>& f = faces.face[r];
    impulse[r] = area * impulse[r] - mass[r] * (faceVelocity[r] - predicted[f.axis][std::size_t(f.face)]);
  }
  return impulse;
}

#define MNS_INSTANTIATE(D)                                                                                           \
  template class SmokeProjection<D>;                                                                                 \
  template std::vector<double> pressureJumps<D>(const MacGrid<D>&, const ShellFaces<D>&, const Buffer<double>&);     \
  template std::vector<double> shellImpulses<D>(const MacGrid<D>&, const ShellFaces<D>&, const std::vector<double>&, \
                                                const Buffer<double>*, const std::vector<double>&, const Buffer<double>&);
MNS_INSTANTIATE(2)
MNS_INSTANTIATE(3)
#undef MNS_INSTANTIATE

}  // namespace meniscus
