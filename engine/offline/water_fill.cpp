#include "engine/offline/water_fill.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/base/error.h"
#include "engine/grid/smoke/filled_cells.h"
#include "engine/offline/grid_axes.h"
#include "engine/scene/diagnostic.h"
#include "engine/scene/region.h"
#include "kernels/solid/rotation.h"

namespace meniscus::offline {
namespace {

// Sides on those of the domain go on behind them; in two dimensions the plane has no sides along y.
template <int D>
void openAtWalls(const DomainDef& d, double dx, ShapeDef& shape, Transform& place) {
  if (shape.kind != ShapeKind::box || norm(rotationToVector(place.rotate)) > 0) return;
  for (int k = 0; k < 3; ++k) {
    double lo = place.translate[k] - 0.5 * shape.size[k], hi = lo + shape.size[k];
    const double far = 10 * (d.max[k] - d.min[k]);
    if (lo <= d.min[k] + 1e-6 * dx || (D == 2 && k == 1)) lo -= far;
    if (hi >= d.max[k] - 1e-6 * dx || (D == 2 && k == 1)) hi += far;
    shape.size[k] = hi - lo;
    place.translate[k] = 0.5 * (lo + hi);
  }
}

constexpr double kPi = 3.14159265358979323846;
constexpr double kFarAway = 6;  // cells: no surface near

// 1 for the cells within the solids that `is` names.
template <int D, class Is>
std::vector<char> cellsWithin(const MacGrid<D>& grid, const ShellFaces<D>& faces, const std::vector<SceneSolid<D>>& solids,
                              const Is& is) {
  std::vector<char> marks;
  for (const SceneSolid<D>& s : solids) marks.insert(marks.end(), s.elements.size(), char(s.closed && is(s)));
  if (std::count(marks.begin(), marks.end(), 1) == 0) return std::vector<char>(std::size_t(grid.cells()), 0);
  return findFilledCells(grid, faces, marks);
}

// How often the surface goes around the point: of the plane by angles, of space by solid angles (Van Oosterom and Strackee, 1983).
double turnsAround(const std::vector<std::array<Index, 2>>& elements, const std::vector<Vec3d>& x, const Vec3d& at) {
  double angle = 0;
  for (const auto& e : elements) {
    const Vec3d a = x[std::size_t(e[0])] - at, b = x[std::size_t(e[1])] - at;
    angle += std::atan2(a.x * b.z - a.z * b.x, a.x * b.x + a.z * b.z);
  }
  return angle / (2 * kPi);
}
double turnsAround(const std::vector<std::array<Index, 3>>& elements, const std::vector<Vec3d>& x, const Vec3d& at) {
  double angle = 0;
  for (const auto& e : elements) {
    Vec3d p[3];
    double r[3];
    for (std::size_t k = 0; k < 3; ++k) p[k] = x[std::size_t(e[k])] - at, r[k] = norm(p[k]);
    const double below = r[0] * r[1] * r[2] + dot(p[0], p[1]) * r[2] + dot(p[1], p[2]) * r[0] + dot(p[2], p[0]) * r[1];
    angle += 2 * std::atan2(dot(p[0], cross(p[1], p[2])), below);
  }
  return angle / (4 * kPi);
}

// 1 for the cells within solids that displace water. Faces tell only which cells are on different sides; that solids cover less
// than half of the domain is not known of static ones, so that the first cell, whose centre is `first`, is looked at by itself.
template <int D>
std::vector<char> dryCells(const MacGrid<D>& g, const ShellFaces<D>& faces, const std::vector<SceneSolid<D>>& solids,
                           const Vec3d& first) {
  std::vector<char> dry = cellsWithin(g, faces, solids, [](const SceneSolid<D>& s) { return s.displacesWater(); });
  char within = 0;
  for (const SceneSolid<D>& s : solids)
    if (s.displacesWater() && std::abs(turnsAround(s.elements, s.start, first)) > 0.5) within ^= 1;
  if (dry[0] != within)
    for (char& d : dry) d ^= 1;
  return dry;
}

// A solid that all cells are within has no face of the grid, by which cells are found to be in it.
template <int D>
void refuseCovering(const SceneDef& scene, const ShellFaces<D>& faces, const std::vector<SceneSolid<D>>& solids) {
  std::vector<char> crosses(solids.size(), 0);
  std::vector<std::size_t> solidOf;
  for (std::size_t b = 0; b < solids.size(); ++b) solidOf.insert(solidOf.end(), solids[b].elements.size(), b);
  for (const ShellCrossing<D>& c : faces.crossing) crosses[solidOf[std::size_t(c.element)]] = 1;
  for (std::size_t b = 0; b < solids.size(); ++b) {
    const SceneSolid<D>& s = solids[b];
    if (crosses[b] || !s.displacesWater()) continue;
    Vec3d centre = (scene.domain.min + scene.domain.max) * 0.5;
    if (std::abs(turnsAround(s.elements, s.start, centre)) < 0.5) continue;
    throwIfAny(
        {{scene.file, s.where.line, s.where.column,
          fmt::format("solid \"{}\" covers the whole domain, so that there is no room for water; make it smaller, or move it",
                      s.name)}});
  }
}

}  // namespace

template <int D>
std::vector<double> waterAtStart(const SceneDef& scene, const SmokeDomain<D>& domain, const ShellFaces<D>& faces,
                                 const std::vector<SceneSolid<D>>& solids) {
  const FluidDef& fluid = scene.fluids[0];
  const MacGrid<D>& g = domain.grid;
  const double y = planeOf(scene.domain);
  refuseCovering<D>(scene, faces, solids);
  const std::vector<char> dry = dryCells<D>(g, faces, solids, toScene<D>(g.centre(g.cellAt(0)), y));
  std::vector<double> distance(std::size_t(g.cells()), kFarAway * g.dx);
  for (std::size_t k = 0; k < fluid.shapes.size(); ++k) {
    ShapeDef shape = fluid.shapes[k];
    Transform place = fluid.transforms[k];
    std::vector<char> inside;
    std::unique_ptr<Region> region;
    if (!shape.inside.empty()) {
      inside = cellsWithin(g, faces, solids, [&](const SceneSolid<D>& s) { return s.name == shape.inside; });
    } else {
      if (!bakeScale(shape, place))
        throwIfAny({{scene.file, shape.where.line, shape.where.column,
                     "a round shape is scaled differently along its axes; give one factor, or a box"}});
      openAtWalls<D>(scene.domain, g.dx, shape, place);
      region = std::make_unique<Region>(shape, place);
    }
    bool wet = false;
    for (Offset i = 0; i < g.cells(); ++i) {
      if (dry[std::size_t(i)]) continue;
      const double d = region ? region->distance(toScene<D>(g.centre(g.cellAt(i)), y), 0, nullptr)
                              : (inside[std::size_t(i)] ? -kFarAway * g.dx : kFarAway * g.dx);
      distance[std::size_t(i)] = std::min(distance[std::size_t(i)], d);
      wet = wet || d < 0;
    }
    if (!wet)
      throwIfAny({{scene.file, shape.where.line, shape.where.column,
                   fmt::format("no cell of the grid, whose edges are {:g} m, has its centre in this shape beside solids; make it "
                               "larger or move it",
                               g.dx)}});
  }
  return distance;
}

template std::vector<double> waterAtStart<2>(const SceneDef&, const SmokeDomain<2>&, const ShellFaces<2>&,
                                             const std::vector<SceneSolid<2>>&);
template std::vector<double> waterAtStart<3>(const SceneDef&, const SmokeDomain<3>&, const ShellFaces<3>&,
                                             const std::vector<SceneSolid<3>>&);

}  // namespace meniscus::offline
