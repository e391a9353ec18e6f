#include "engine/world/change_solids.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/base/error.h"
#include "engine/scene/surface_tree.h"
#include "engine/solid/remove_body.h"
#include "engine/solid/rigid.h"
#include "engine/world/solid_parts.h"

namespace meniscus {

namespace {

// Nodes of a body, and its triangles numbered from its first node.
SurfaceMesh surfaceOf(const SolidState& s, const Body& b) {
  SurfaceMesh m;
  m.x.assign(s.x.begin() + b.nodeBegin, s.x.begin() + b.nodeEnd);
  for (Index t = 3 * b.triBegin; t < 3 * b.triEnd; ++t) m.tri.push_back(s.tri[std::size_t(t)] - b.nodeBegin);
  return m;
}

// A solid that moves as a whole, at a pose.
struct Placed {
  std::unique_ptr<Region> region;
  std::vector<Vec3d> points;  // on its surface
};
Placed placedAt(const SolidState& s, const RigidBody& r, const Pose& pose) {
  Placed p;
  if (r.body < 0) {
    Transform at;
    at.translate = pose.x;
    at.rotate = pose.q;
    p.region = std::make_unique<Region>(r.shape, at);
    if (r.shape.kind != ShapeKind::plane) p.points = pointsOn(r.shape, at);
    return p;
  }
  const Body& b = s.bodies[std::size_t(r.body)];
  SurfaceMesh m = surfaceOf(s, b);
  for (std::size_t i = 0; i < m.x.size(); ++i) m.x[i] = pose.x + pose.q.rotate(s.xRest[std::size_t(b.nodeBegin) + i]);
  p.points = m.x;
  p.region = std::make_unique<Region>(std::make_shared<SurfaceTree>(std::move(m)), b.closed);
  return p;
}
Placed placedNow(const SolidState& s, const RigidBody& r) { return placedAt(s, r, {r.x, r.q}); }

// Points of a solid that moves by itself, where it is now.
std::vector<Vec3d> pointsNow(const SolidState& s, const std::string& name) {
  if (const Index rigid = rigidOfName(s, name); rigid >= 0) return placedNow(s, s.rigid[std::size_t(rigid)]).points;
  std::vector<Vec3d> x;
  const Body& b = s.bodies[std::size_t(bodyOfName(s, name))];
  for (Index i = b.nodeBegin; i < b.nodeEnd; ++i)
    if (s.w[std::size_t(i)] > 0) x.push_back(s.x[std::size_t(i)]);
  return x;
}

// Solid number `index` at these points against those that keep it out.
void checkAgainst(Builder& b, std::size_t index, const std::vector<Vec3d>& points, const Region& own) {
  const std::vector<SolidDef>& all = b.world.scene.solids;
  const SolidState& s = b.world.solid;
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (k == index || !keepsOut(all[k], all[index])) continue;
    const Index rigid = rigidOfName(s, all[k].name);
    if (rigid >= 0) {
      const Placed other = placedNow(s, s.rigid[std::size_t(rigid)]);
      if (other.region->closed()) checkApart(b, all[index], points, &own, all[k], *other.region);
      continue;
    }
    const Body& body = s.bodies[std::size_t(bodyOfName(s, all[k].name))];
    const Region region(std::make_shared<SurfaceTree>(surfaceOf(s, body)), body.closed);
    if (region.closed()) checkApart(b, all[index], points, &own, all[k], region);
  }
}

// The other solids against one that keeps them out, number `index`.
void checkOthers(Builder& b, std::size_t index, const Region& region) {
  const std::vector<SolidDef>& all = b.world.scene.solids;
  if (!region.closed()) return;
  for (std::size_t k = 0; k < all.size(); ++k)
    if (k != index && !isStill(all[k]) && keepsOut(all[index], all[k]))
      checkApart(b, all[k], pointsNow(b.world.solid, all[k].name), nullptr, all[index], region);
}

// A massive solid must hold no particle; a sheet must not be so near to one that it would have to tell its sides.
void checkFree(Builder& b, const FillObstacle& o) {
  const World& w = b.world;
  const double least = o.shell ? w.scene.solver.contactDistance * w.dx : 0;
  std::size_t count = 0;
  for (Index i = 0; i < w.fluid.n; ++i) {
    const Vec4f& x = w.fluid.x[std::size_t(i)];
    const Vec3d p = w.scene.domain.min + Vec3d{double(x.x), double(x.y), double(x.z)};
    count += o.clearance(p, 4 * w.dx, nullptr) < least;
  }
  if (count == 0) return;
  b.mistake(o.where, fmt::format("solid \"{}\" would be in fluid: {} particles are {}; put it elsewhere, or remove them first",
                                 o.name, count,
                                 o.shell       ? fmt::format("nearer to it than {:g} m", least)
                                 : o.container ? "outside the container"
                                               : "inside it"));
}

void makeAndCheck(Builder& b, const SolidDef& def) {
  World& w = b.world;
  const std::size_t index = w.scene.solids.size() - 1;
  BuiltSolid s;
  s.def = def;
  std::unique_ptr<Region> region;
  try {
    shapeSolid(b, s);
    region = regionOf(s);
    addToState(b, s);
  } catch (const Error& e) {
    if (e.kind != ErrorKind::input) throw;
    noteMistake(b, s.def, e.what());
    return;
  }
  checkMass(b, s);
  checkInside(b, s.def, region->bounds());
  if (!isStill(s.def)) checkAgainst(b, index, freePoints(w.solid, s), *region);
  checkOthers(b, index, *region);
  b.surroundings.obstacles.push_back(obstacleOf(s.def, *region));
  checkFree(b, b.surroundings.obstacles.back());
  checkOpenings(b);
}

}  // namespace

Index bodyOfName(const SolidState& s, const std::string& name) {
  for (std::size_t k = 0; k < s.bodies.size(); ++k)
    if (s.bodies[k].name == name) return Index(k);
  return -1;
}

Index rigidOfName(const SolidState& s, const std::string& name) {
  for (std::size_t k = 0; k < s.rigid.size(); ++k)
    if (s.rigid[k].name == name) return Index(k);
  return -1;
}

void checkSolid(const SceneDef& scene, const SolidDef& def, double dx) {
  World w;
  w.scene.file = scene.file;
  w.scene.domain = scene.domain;
  w.scene.solver.dt = scene.solver.dt;
  w.dx = dx > 0 ? dx : spacingOf(scene);
  if (!(w.dx > 0)) return;  // the domain has no volume: starting says so
  Builder b{w, nullptr, {}, {}, {}};
  BuiltSolid s;
  s.def = def;
  const bool surfaceOnly = def.kind == SolidKind::soft && (def.shape.kind != ShapeKind::mesh || meshOf(def.shape).tet.empty());
  if (surfaceOnly) s.def.kind = SolidKind::inflatable;  // it must enclose a volume, too
  try {
    shapeSolid(b, s);
    if (!surfaceOnly) addToState(b, s);
  } catch (const Error& e) {
    if (e.kind != ErrorKind::input) throw;
    noteMistake(b, def, e.what());
  }
  throwIfAny(b.mistakes);
}

void appendSolid(World& w, const SolidDef& def, std::vector<std::string>* notes) {
  SolidState before = w.solid;
  w.scene.solids.push_back(def);
  try {
    Builder b{w, notes, {}, {}, {}};
    makeAndCheck(b, def);
    throwIfAny(b.mistakes);
    colourConstraints(w.solid, w.scene.solver.serialConstraints);
  } catch (...) {
    w.solid = std::move(before);
    w.scene.solids.pop_back();
    throw;
  }
}

void removeSolid(World& w, std::size_t index) {
  const std::string& name = w.scene.solids[index].name;
  SolidState without = w.solid;
  removeBody(without, bodyOfName(without, name), rigidOfName(without, name));
  colourConstraints(without, w.scene.solver.serialConstraints);
  w.solid = std::move(without);
  w.scene.solids.erase(w.scene.solids.begin() + std::ptrdiff_t(index));
}

void placeRigidSolid(World& w, std::size_t index, const Pose& to) {
  const SolidDef& def = w.scene.solids[index];
  RigidBody& r = w.solid.rigid[std::size_t(rigidOfName(w.solid, def.name))];
  const Placed placed = placedAt(w.solid, r, to);
  Builder b{w, nullptr, {}, {}, {}};
  checkInside(b, def, placed.region->bounds());
  checkAgainst(b, index, placed.points, *placed.region);
  checkOthers(b, index, *placed.region);
  checkFree(b, obstacleOf(def, *placed.region));
  throwIfAny(b.mistakes);
  r.x = r.xPrev = to.x;
  r.q = r.qPrev = to.q;
  placeRigidNodes(w.solid, r);
  rigidNodeVelocities(w.solid, r);
  if (r.body < 0) return;
  const Body& body = w.solid.bodies[std::size_t(r.body)];
  for (Index i = body.nodeBegin; i < body.nodeEnd; ++i) w.solid.xPrev[std::size_t(i)] = w.solid.x[std::size_t(i)];
}

}  // namespace meniscus
