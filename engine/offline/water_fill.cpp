#include "engine/offline/water_fill.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/base/error.h"
#include "engine/grid/smoke/filled_cells.h"
#include "engine/offline/grid_axes.h"
#include "engine/offline/thin_layers.h"
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

// 1 for the cells within solids that displace water: each by itself, as where two of them overlap there is no water either.
template <int D>
std::vector<char> dryCells(const MacGrid<D>& g, const ShellFaces<D>& faces, const std::vector<SceneSolid<D>>& solids) {
  std::vector<char> dry(std::size_t(g.cells()), 0);
  for (const SceneSolid<D>& one : solids) {
    if (!one.displacesFluid()) continue;
    const std::vector<char> within = cellsWithin(g, faces, solids, [&](const SceneSolid<D>& s) { return &s == &one; });
    for (std::size_t i = 0; i < dry.size(); ++i) dry[i] |= within[i];
  }
  return dry;
}

// A solid that all cells are within has no face of the grid to close.
template <int D>
void refuseCovering(const SceneDef& scene, const MacGrid<D>& g, const ShellFaces<D>& faces,
                    const std::vector<SceneSolid<D>>& solids) {
  for (const SceneSolid<D>& one : solids) {
    if (!one.displacesFluid()) continue;
    const std::vector<char> within = cellsWithin(g, faces, solids, [&](const SceneSolid<D>& s) { return &s == &one; });
    if (std::count(within.begin(), within.end(), 0) > 0) continue;
    throwIfAny(
        {{scene.file, one.where.line, one.where.column,
          fmt::format("solid \"{}\" covers the whole domain, so that there is no room for water; make it smaller, or move it",
                      one.name)}});
  }
}

// Nothing is inside of a surface with a rim.
template <int D>
void refuseOpen(const SceneDef& scene, const ShapeDef& shape, const std::vector<SceneSolid<D>>& solids) {
  for (const SceneSolid<D>& s : solids)
    if (s.name == shape.inside && !s.closed)
      throwIfAny(
          {{scene.file, shape.where.line, shape.where.column,
            fmt::format("solid \"{}\" is open and has no inside; close it, or fill a box, sphere, cylinder or capsule", s.name)}});
}

template <int D>
void refuseShutLayers(const SceneDef& scene, const MacGrid<D>& g, const ShellFaces<D>& faces,
                      const std::vector<SceneSolid<D>>& solids, const std::vector<char>& dry,
                      const std::function<bool(const Vec3d&)>& isWater) {
  Diagnostics mistakes;
  for (const SceneSolid<D>& one : solids) {
    if (!one.displacesFluid() || one.isGiven()) continue;
    const std::vector<char> within = cellsWithin(g, faces, solids, [&](const SceneSolid<D>& s) { return &s == &one; });
    const double thick = shutLayer<D>(scene, g, one, within, dry, isWater);
    if (thick > 0)
      mistakes.push_back(
          {scene.file, one.where.line, one.where.column,
           fmt::format("solid \"{}\" fills the room from wall to wall and shuts in water {:g} m thick, which no cell "
                       "of the grid has and nothing would bear it by; make that layer thicker than half a cell, "
                       "{:g} m, or the cells smaller, or lay the solid on the wall",
                       one.name, thick, 0.5 * g.dx)});
  }
  throwIfAny(mistakes);
}

}  // namespace

template <int D>
std::vector<double> waterAtStart(const SceneDef& scene, const SmokeDomain<D>& domain, const ShellFaces<D>& faces,
                                 const std::vector<SceneSolid<D>>& solids) {
  const FluidDef& fluid = scene.fluids[0];
  const MacGrid<D>& g = domain.grid;
  const double y = planeOf(scene.domain);
  refuseCovering<D>(scene, g, faces, solids);
  const std::vector<char> dry = dryCells<D>(g, faces, solids);
  std::vector<double> distance(std::size_t(g.cells()), kFarAway * g.dx);
  std::vector<std::unique_ptr<Region>> regions;  // of each shape; null: what is inside of a solid
  for (std::size_t k = 0; k < fluid.shapes.size(); ++k) {
    ShapeDef shape = fluid.shapes[k];
    Transform place = fluid.transforms[k];
    std::vector<char> inside;
    std::unique_ptr<Region> region;
    if (!shape.inside.empty()) {
      refuseOpen<D>(scene, shape, solids);
      inside = cellsWithin(g, faces, solids, [&](const SceneSolid<D>& s) { return s.name == shape.inside; });
    } else {
      if (!bakeScale(shape, place))
        throwIfAny({{scene.file, shape.where.line, shape.where.column,
                     "a round shape is scaled differently along its axes; give one factor, or a box"}});
      openAtWalls<D>(scene.domain, g.dx, shape, place);
      region = std::make_unique<Region>(shape, place);
    }
    regions.push_back(std::move(region));
    const Region* const shaped = regions.back().get();
    bool wet = false;
    for (Offset i = 0; i < g.cells(); ++i) {
      if (dry[std::size_t(i)]) continue;
      const double d = shaped ? shaped->distance(toScene<D>(g.centre(g.cellAt(i)), y), 0, nullptr)
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
  refuseShutLayers<D>(scene, g, faces, solids, dry, [&](const Vec3d& at) {
    return std::any_of(regions.begin(), regions.end(), [&](const auto& r) { return r && r->distance(at, 0, nullptr) < 0; });
  });
  return distance;
}

template std::vector<double> waterAtStart<2>(const SceneDef&, const SmokeDomain<2>&, const ShellFaces<2>&,
                                             const std::vector<SceneSolid<2>>&);
template std::vector<double> waterAtStart<3>(const SceneDef&, const SmokeDomain<3>&, const ShellFaces<3>&,
                                             const std::vector<SceneSolid<3>>&);

}  // namespace meniscus::offline
