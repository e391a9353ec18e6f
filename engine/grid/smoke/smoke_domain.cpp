#include "engine/grid/smoke/smoke_domain.h"

#include <fmt/format.h>

#include <cmath>

#include "engine/base/error.h"
#include "engine/grid/smoke/shell_faces.h"

namespace meniscus {
namespace {

[[noreturn]] void refuse(const std::string& text) { throw Error(ErrorKind::input, "smoke: " + text); }

template <int D>
bool onBorder(const MacGrid<D>& g, const Inflow<D>& f) {
  if (f.axis < 0 || f.axis >= D) return false;
  const Cell<D> extent = g.faceExtent(f.axis);
  for (std::size_t a = 0; a < D; ++a)
    if (f.face[a] < 0 || f.face[a] >= extent[a]) return false;
  const Index i = f.face[std::size_t(f.axis)];
  return i == 0 || i == g.n[std::size_t(f.axis)];
}

}  // namespace

template <int D>
void SmokeDomain<D>::check() const {
  for (const Index k : grid.n)
    if (k < 1) refuse(fmt::format("the grid has {} cells along an axis; it needs at least one", k));
  if (!(grid.dx > 0) || !std::isfinite(grid.dx)) refuse(fmt::format("dx is {}; it must be positive", grid.dx));
  if (!(density > 0) || !std::isfinite(density)) refuse(fmt::format("the density is {}; it must be positive", density));
  for (const Point<D>* p : {&gravity, &smokeAcceleration, &heatAcceleration})
    for (const double v : *p)
      if (!std::isfinite(v)) refuse("gravity and buoyancy must be finite");
  for (std::size_t k = 0; k < inflow.size(); ++k) {
    if (!onBorder(grid, inflow[k])) refuse(fmt::format("inflow {} is not at a face on the border of the grid", k));
    if (!std::isfinite(inflow[k].velocity + inflow[k].smoke + inflow[k].temperature))
      refuse(fmt::format("inflow {} has a velocity, smoke or temperature that is not finite", k));
  }
  for (std::size_t k = 0; k < source.size(); ++k)
    if (!grid.contains(source[k].cell) || !std::isfinite(source[k].smoke + source[k].temperature))
      refuse(fmt::format("source {} is outside the grid or not finite", k));
  checkObstacle();
}

template <int D>
void SmokeDomain<D>::checkObstacle() const {
  if (obstacleNodes.size() != std::size_t(obstacle.nodes) * D)
    refuse(fmt::format("the obstacle has {} nodes and {} coordinates", obstacle.nodes, obstacleNodes.size()));
  for (const double x : obstacleNodes)
    if (!std::isfinite(x)) refuse("the obstacle has a coordinate that is not finite");
  for (const std::array<Index, D>& e : obstacle.elements)
    for (const Index i : e)
      if (i < 0 || i >= obstacle.nodes) refuse(fmt::format("the obstacle has an element of node {} of {}", i, obstacle.nodes));
}

template <int D>
GivenFaces<D>::GivenFaces(const SmokeDomain<D>& domain) {
  const MacGrid<D>& g = domain.grid;
  for (int axis = 0; axis < D; ++axis) {
    inflow[axis].assign(std::size_t(g.faces(axis)), kFree);
    const std::size_t a = std::size_t(axis);
    const MacGrid<D> faces{g.faceExtent(axis), g.dx, g.origin};
    for (Offset f = 0; f < faces.cells(); ++f) {
      const Index i = faces.cellAt(f)[a];
      if ((i == 0 && domain.side[a][0] == SideKind::wall) || (i == g.n[a] && domain.side[a][1] == SideKind::wall))
        inflow[axis][std::size_t(f)] = kWall;
    }
  }
  ShellFaces<D> obstacle;
  findShellFaces<D>({g}, domain.obstacle, domain.obstacleNodes, nullptr, obstacle);
  for (const ShellFace<D>& f : obstacle.face) inflow[f.axis][std::size_t(f.face)] = kWall;
  for (std::size_t k = 0; k < domain.inflow.size(); ++k)
    inflow[domain.inflow[k].axis][std::size_t(g.face(domain.inflow[k].axis, domain.inflow[k].face))] = Index(k);
}

template <int D>
SmokeState<D> smokeAtRest(const SmokeDomain<D>& domain) {
  SmokeState<D> s;
  const std::size_t cells = std::size_t(domain.grid.cells());
  for (int axis = 0; axis < D; ++axis) s.velocity[axis].assign(std::size_t(domain.grid.faces(axis)), 0);
  for (const Inflow<D>& f : domain.inflow) s.velocity[f.axis][std::size_t(domain.grid.face(f.axis, f.face))] = f.velocity;
  for (Buffer<double>* b : {&s.smoke, &s.temperature, &s.pressure}) b->assign(cells, 0);
  for (const SmokeSource<D>& source : domain.source) {
    s.smoke[std::size_t(domain.grid.cell(source.cell))] = source.smoke;
    s.temperature[std::size_t(domain.grid.cell(source.cell))] = source.temperature;
  }
  return s;
}

template struct SmokeDomain<2>;
template struct SmokeDomain<3>;
template struct GivenFaces<2>;
template struct GivenFaces<3>;
template SmokeState<2> smokeAtRest<2>(const SmokeDomain<2>&);
template SmokeState<3> smokeAtRest<3>(const SmokeDomain<3>&);

}  // namespace meniscus
