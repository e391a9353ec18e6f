// Solids of the scene, handed to the solid code.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/base/error.h"
#include "engine/scene/generate.h"
#include "engine/scene/solid_kinds.h"
#include "engine/world/check_stiffness.h"
#include "engine/world/solid_parts.h"

namespace meniscus {

void checkInside(Builder& b, const SolidDef& def, const Box3& box) {
  const DomainDef& d = b.world.scene.domain;
  const double slack = 1e-9 * norm(d.max - d.min);
  for (int k = 0; k < 3; ++k) {
    const bool apart = box.hi[k] < d.min[k] - slack || box.lo[k] > d.max[k] + slack;
    const bool sticksOut = box.lo[k] < d.min[k] - slack || box.hi[k] > d.max[k] + slack;
    const bool wrong = isStill(def) ? apart && def.motion.empty() : sticksOut;
    if (!wrong) continue;
    b.mistake(def.where,
              fmt::format("solid \"{}\" {} the domain: along {} it goes from {:g} to {:g} m, the domain from {:g} to {:g} m; move "
                          "it or enlarge the domain",
                          def.name, apart ? "is outside" : "sticks out of", "xyz"[k], box.lo[k], box.hi[k], d.min[k], d.max[k]));
    return;
  }
}

std::unique_ptr<Region> regionOf(const BuiltSolid& s) {
  const Pose pose = s.def.kind == SolidKind::kinematic ? poseAt(s.def.motion, 0) : Pose{};
  const Vec3d origin = s.def.transform.translate;
  if (s.def.kind == SolidKind::soft)
    return std::make_unique<Region>(std::make_shared<SurfaceTree>(SurfaceMesh{s.tets.x, s.tets.tri}), true);
  if (s.hasMesh) {
    SurfaceMesh surface{s.mesh.x, s.mesh.tri};
    for (Vec3d& p : surface.x) p = origin + pose.x + pose.q.rotate(p - origin);
    return std::make_unique<Region>(std::make_shared<SurfaceTree>(std::move(surface)), s.closed);
  }
  Transform place = s.def.transform;
  place.translate += pose.x;
  place.rotate = pose.q * place.rotate;
  return std::make_unique<Region>(s.def.shape, place);
}

FillObstacle obstacleOf(const SolidDef& def, const Region& region) {
  FillObstacle o;
  o.name = def.name;
  o.region = &region;
  o.container = def.shape.container;
  o.shell = def.kind == SolidKind::inflatable || def.kind == SolidKind::cloth || !region.closed();
  o.where = def.where;
  return o;
}

void addToState(Builder& b, BuiltSolid& s) {
  SolidState& state = b.world.solid;
  SolidDef& def = s.def;
  const SurfaceMesh surface{s.mesh.x, s.mesh.tri};
  if (def.kind == SolidKind::soft) {
    checkStiffness(b, def, std::size_t(addSoft(state, def, s.tets)));
  } else if (deforms(def)) {
    addShell(state, def, surface);
  } else {
    if (def.shape.kind == ShapeKind::sheet) def.shape.openMesh = true;
    if (s.hasMesh) def.shape.kind = ShapeKind::mesh;
    addRigid(state, def, s.hasMesh ? &surface : nullptr);
  }
}

// A needle's area says nothing of how long it is.
std::vector<Vec3d> pointsOn(const ShapeDef& primitive, const Transform& at) {
  const Vec3d& size = primitive.size;
  const double longest = std::max({size.x, size.y, size.z, 2 * primitive.radius, primitive.height});
  std::vector<Vec3d> x = makeSurface(primitive, std::max(std::sqrt(surfaceArea(primitive)) / 10, longest / 100)).x;
  place(x, at);
  return x;
}

std::vector<Vec3d> freePoints(const SolidState& state, const BuiltSolid& s) {
  if (s.def.kind == SolidKind::rigid) {
    if (s.hasMesh) return s.mesh.x;
    return pointsOn(s.def.shape, s.def.transform);
  }
  std::vector<Vec3d> x;
  const Body& body = state.bodies.back();
  for (Index i = body.nodeBegin; i < body.nodeEnd; ++i)
    if (state.w[std::size_t(i)] > 0) x.push_back(state.x[std::size_t(i)]);
  return x;
}

// Contacts are looked for near surfaces, so that one deep within a soft one would stay there.
bool keepsOut(const SolidDef& a, const SolidDef& b) {
  return isStill(a) || (!isStill(b) && (a.kind == SolidKind::rigid || a.kind == SolidKind::soft));
}

// Half a spacing is what facets may do at a contact.
void checkApart(Builder& b, const SolidDef& def, const std::vector<Vec3d>& points, const Region* own, const SolidDef& still,
                const Region& region) {
  const double side = still.shape.container ? -1 : 1, reach = 4 * b.world.dx, deep = 0.5 * b.world.dx;
  double deepest = 0;
  for (const Vec3d& x : points) {
    deepest = std::min(deepest, side * region.distance(x, reach, nullptr));
    if (!own || !own->closed()) continue;
    Vec3d n;
    own->distance(x, reach, &n);
    const Vec3d within = x - n * (1.5 * deep);
    if (own->distance(within, reach, nullptr) < -deep) deepest = std::min(deepest, side * region.distance(within, reach, nullptr));
  }
  if (deepest >= -0.5 * b.world.dx) return;
  b.mistake(def.where, fmt::format("solid \"{}\" starts up to {:.3g} m or more {} solid \"{}\"; move one of them", def.name,
                                   -deepest, still.shape.container ? "outside the container" : "inside", still.name));
}

void noteMistake(Builder& b, const SolidDef& def, const std::string& text) {
  const std::string name = def.name + ": ";
  b.mistake(def.where,
            fmt::format("solid \"{}\": {}", def.name, text.compare(0, name.size(), name) == 0 ? text.substr(name.size()) : text));
}

void buildSolids(Builder& b) {
  const SceneDef& scene = b.world.scene;
  const std::size_t n = scene.solids.size();
  b.solidRegions.resize(n);
  std::vector<std::vector<Vec3d>> points(n);
  for (std::size_t k = 0; k < n; ++k) {
    BuiltSolid s;
    s.def = scene.solids[k];
    try {
      shapeSolid(b, s);
      b.solidRegions[k] = regionOf(s);
      addToState(b, s);
      checkMass(b, s);
      checkInside(b, s.def, b.solidRegions[k]->bounds());
      b.surroundings.obstacles.push_back(obstacleOf(s.def, *b.solidRegions[k]));
      if (!isStill(s.def)) points[k] = freePoints(b.world.solid, s);
    } catch (const Error& e) {
      if (e.kind != ErrorKind::input) throw;
      noteMistake(b, s.def, e.what());
    }
  }
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t j = 0; j < n; ++j)
      if (const Region* region = b.solidRegions[j].get();
          j != k && keepsOut(scene.solids[j], scene.solids[k]) && region && region->closed())
        checkApart(b, scene.solids[k], points[k], scene.solids[k].kind == SolidKind::rigid ? b.solidRegions[k].get() : nullptr,
                   scene.solids[j], *region);
  if (b.mistakes.empty()) colourConstraints(b.world.solid, scene.solver.serialConstraints);
}

}  // namespace meniscus
