#include "engine/offline/scene_smoke.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <unordered_map>

#include "engine/base/error.h"
#include "engine/offline/grid_axes.h"
#include "engine/scene/diagnostic.h"
#include "engine/scene/region.h"
#include "engine/world/memory.h"

namespace meniscus::offline {
namespace {

// Held by smoke, its pressure solve and the boxes of a coupling: measured on 96^3 cells; of water, its particles too [bytes].
constexpr double kBytesPerCell = 500, kBytesPerCellOfWater = 4500;

void checkMemory(const SceneDef& scene, double cells) {
  const double memory = physicalMemory(), each = scene.fluids[0].kind == FluidKind::water ? kBytesPerCellOfWater : kBytesPerCell;
  if (cells * each <= memory) return;
  throwIfAny({{scene.file, scene.solver.where.line, scene.solver.where.column,
               fmt::format("a grid of {:.3g} cells needs {:.3g} GB, but the machine has {:.1f} GB; make the cells larger", cells,
                           cells * each / 1e9, memory / 1e9)}});
}

template <int D>
bool covers(const InflowDef& inflow, const MacGrid<D>& grid, int axis, const Cell<D>& face) {
  if (inflow.whole) return true;
  const Point<D> x = grid.faceCentre(axis, face);
  for (int a = 0; a < D; ++a) {
    const int k = sceneAxis<D>(a);
    if (a != axis && (x[std::size_t(a)] < inflow.boxMin[k] || x[std::size_t(a)] > inflow.boxMax[k])) return false;
  }
  return true;
}

using FaceOwners = std::array<std::unordered_map<Offset, Index>, 3>;  // of each axis, by face: the inflow that it is of

// What flows through a face is one of them's to say.
std::string overlapping(const SceneDef& scene, Index one, Index other) {
  return fmt::format("inflow {} covers faces that inflow {}, in line {}, covers as well; give each part of a side to one of them",
                     one + 1, other + 1, scene.fluids[0].inflows[std::size_t(other)].where.line);
}

template <int D>
void addInflow(const SceneDef& scene, Index number, FaceOwners& owner, SmokeDomain<D>& domain) {
  const InflowDef& def = scene.fluids[0].inflows[std::size_t(number)];
  const int axis = D == 2 && def.side >= 4 ? 1 : def.side / 2;
  const bool upper = def.side % 2 == 1;
  Cell<D> extent = domain.grid.faceExtent(axis), face{};
  const MacGrid<D> faces{extent, domain.grid.dx, domain.grid.origin};
  std::size_t found = 0;
  for (Offset f = 0; f < faces.cells(); ++f) {
    face = faces.cellAt(f);
    if (face[std::size_t(axis)] != (upper ? domain.grid.n[std::size_t(axis)] : 0) || !covers<D>(def, domain.grid, axis, face))
      continue;
    if (const auto [at, mine] = owner[std::size_t(axis)].emplace(f, number); !mine)
      throwIfAny({{scene.file, def.where.line, def.where.column, overlapping(scene, number, at->second)}});
    domain.inflow.push_back({axis, face, upper ? -def.speed : def.speed, def.smoke, 0, number});
    ++found;
  }
  if (found == 0)
    throwIfAny(
        {{scene.file, def.where.line, def.where.column,
          fmt::format("this inflow covers the centre of no face of the grid, whose cells are {:g} m wide; make its box larger",
                      domain.grid.dx)}});
}

}  // namespace

template <int D>
SmokeDomain<D> sceneDomain(const SceneDef& scene) {
  SmokeDomain<D> domain;
  const GridDef& g = scene.solver.grid;
  const FluidDef& fluid = scene.fluids[0];
  const Vec3d size = scene.domain.max - scene.domain.min;
  domain.grid.dx = g.cellSize > 0 ? g.cellSize : size.x / g.cells;
  for (int a = 0; a < D; ++a) {
    const int k = sceneAxis<D>(a);
    domain.grid.n[std::size_t(a)] = Index(std::llround(size[k] / domain.grid.dx));
    domain.grid.origin[std::size_t(a)] = scene.domain.min[k];
    for (int upper = 0; upper < 2; ++upper)
      domain.side[std::size_t(a)][std::size_t(upper)] = scene.domain.walls[2 * k + upper] ? SideKind::wall : SideKind::open;
    domain.smokeAcceleration[std::size_t(a)] = fluid.buoyancy[k];
    if (fluid.kind == FluidKind::water) domain.gravity[std::size_t(a)] = scene.gravity[k];
  }
  checkMemory(scene, double(domain.grid.cells()));
  domain.density = fluid.density;
  FaceOwners owner;
  for (std::size_t k = 0; k < fluid.inflows.size(); ++k) addInflow(scene, Index(k), owner, domain);
  return domain;
}

template <int D>
void setSmoke(const SceneDef& scene, const SmokeDomain<D>& domain, SmokeState<D>& state) {
  const FluidDef& fluid = scene.fluids[0];
  const double y = planeOf(scene.domain);
  for (std::size_t k = 0; k < fluid.shapes.size(); ++k) {
    ShapeDef shape = fluid.shapes[k];
    Transform place = fluid.transforms[k];
    if (!bakeScale(shape, place))
      throwIfAny({{scene.file, shape.where.line, shape.where.column,
                   "a round shape is scaled differently along its axes; give one factor, or a box"}});
    const Region region(shape, place);
    for (Offset i = 0; i < domain.grid.cells(); ++i)
      if (region.inside(toScene<D>(domain.grid.centre(domain.grid.cellAt(i)), y))) state.smoke[std::size_t(i)] = fluid.smoke;
  }
  if (fluid.velocity == Vec3d{}) return;
  const GivenFaces<D> given(domain);
  for (int axis = 0; axis < D; ++axis)
    for (std::size_t f = 0; f < state.velocity[axis].size(); ++f)
      if (!given.given(axis, Offset(f))) state.velocity[axis][f] = fluid.velocity[sceneAxis<D>(axis)];
}

template SmokeDomain<2> sceneDomain<2>(const SceneDef&);
template SmokeDomain<3> sceneDomain<3>(const SceneDef&);
template void setSmoke<2>(const SceneDef&, const SmokeDomain<2>&, SmokeState<2>&);
template void setSmoke<3>(const SceneDef&, const SmokeDomain<3>&, SmokeState<3>&);

}  // namespace meniscus::offline
