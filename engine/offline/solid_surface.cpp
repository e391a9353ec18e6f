#include "engine/offline/solid_surface.h"

#include <fmt/format.h>

#include <map>

#include "engine/base/error.h"
#include "engine/offline/grid_axes.h"
#include "engine/offline/plane_shape.h"
#include "engine/offline/round_shape.h"
#include "engine/world/solid_parts.h"

namespace meniscus::offline {
namespace {

SolidSurface<2> inPlane(const SceneDef& scene, const SolidDef& def, double edge) {
  const PlaneShape shape = planeShape(def, planeOf(scene.domain), edge);
  SolidSurface<2> s;
  s.x = shape.x;
  s.closed = shape.closed;
  const Index n = Index(s.x.size());
  // outward: the chain runs counter-clockwise with its inside on the left
  for (Index i = 0; i < (s.closed ? n : n - 1); ++i) s.elements.push_back({i, (i + 1) % n});
  return s;
}

// Meshes as worlds of particles have them: mended where that is safe, refused where it is not. Their lengths are two spacings.
SolidSurface<3> inSpace(const SceneDef& scene, const SolidDef& def, double edge, std::vector<std::string>* notes) {
  World world;
  world.scene.file = scene.file;
  world.scene.domain = scene.domain;
  world.dx = 0.5 * edge;
  Builder b{world, notes, {}, {}, {}};
  BuiltSolid built;
  built.def = def;
  if (def.shape.kind != ShapeKind::mesh && def.shape.resolution == 0) built.def.shape.resolution = edge;
  shapeSolid(b, built);
  SolidSurface<3> s;
  const bool soft = def.kind == SolidKind::soft;
  s.x = soft ? built.tets.x : built.mesh.x;
  s.tet = built.tets.tet;
  s.closed = built.closed;
  const std::vector<Index>& tri = soft ? built.tets.tri : built.mesh.tri;
  for (std::size_t t = 0; t + 2 < tri.size(); t += 3) s.elements.push_back({tri[t], tri[t + 1], tri[t + 2]});
  return s;
}

// On an end of a chain, or on an edge of one triangle.
template <int D>
std::vector<char> rimOf(const SolidSurface<D>& s) {
  std::vector<char> rim(s.x.size(), 0);
  if constexpr (D == 2) {
    if (!s.closed && !rim.empty()) rim.front() = rim.back() = 1;
  } else {
    std::map<std::pair<Index, Index>, int> count;
    for (const auto& e : s.elements)
      for (std::size_t k = 0; k < 3; ++k) ++count[std::minmax(e[k], e[(k + 1) % 3])];
    for (const auto& [edge, n] : count)
      if (n == 1) rim[std::size_t(edge.first)] = rim[std::size_t(edge.second)] = 1;
  }
  return rim;
}

bool selects(const PinDef& pin, const Vec3d& x) {
  if (pin.select == PinDef::Select::sphere) return norm(x - pin.center) <= pin.radius;
  for (int k = 0; k < 3; ++k)
    if (x[k] < pin.boxMin[k] || x[k] > pin.boxMax[k]) return false;
  return true;
}

}  // namespace

template <int D>
SolidSurface<D> solidSurface(const SceneDef& scene, const SolidDef& def, double cell, RoundSize round,
                             std::vector<std::string>* notes) {
  const double given = def.shape.resolution, edge = given > 0 ? given : edgeOfRound(def, D == 2 ? 0.5 * cell : cell);
  SolidSurface<D> s;
  if constexpr (D == 2) {
    (void)notes;
    s = inPlane(scene, def, edge);
  } else {
    s = inSpace(scene, def, edge, notes);
  }
  giveVolume<D>(def, planeOf(scene.domain), round, s);
  return s;
}

template <int D>
std::vector<int> pinOfNodes(const SolidDef& def, const SolidSurface<D>& s) {
  std::vector<int> pinOf(s.x.size(), -1);
  for (std::size_t k = 0; k < def.pins.size(); ++k) {
    const PinDef& pin = def.pins[k];
    std::size_t found = 0;
    const auto hold = [&](std::size_t i) { pinOf[i] = int(k), ++found; };
    const std::vector<char> rim = pin.select == PinDef::Select::rim ? rimOf(s) : std::vector<char>();
    for (const Index i : pin.indices) {
      if (i < 0 || std::size_t(i) >= pinOf.size())
        throw Error(ErrorKind::input, fmt::format("a pin names node {}, but there are {}", i, pinOf.size()));
      hold(std::size_t(i));
    }
    for (std::size_t i = 0; i < pinOf.size() && pin.select != PinDef::Select::indices; ++i)
      if (rim.empty() ? selects(pin, s.x[i]) : rim[i] != 0) hold(i);
    if (found == 0) throw Error(ErrorKind::input, "a pin holds no node; make its box or sphere larger");
  }
  return pinOf;
}

template SolidSurface<2> solidSurface<2>(const SceneDef&, const SolidDef&, double, RoundSize, std::vector<std::string>*);
template SolidSurface<3> solidSurface<3>(const SceneDef&, const SolidDef&, double, RoundSize, std::vector<std::string>*);
template std::vector<int> pinOfNodes<2>(const SolidDef&, const SolidSurface<2>&);
template std::vector<int> pinOfNodes<3>(const SolidDef&, const SolidSurface<3>&);

}  // namespace meniscus::offline
