#include "engine/world/standing.h"

#include "engine/solid/rigid.h"

namespace meniscus {
namespace {

void add(StandingSolids& to, std::unique_ptr<Region> region, const std::string& name, bool container) {
  FillObstacle o;
  o.name = name;
  o.region = region.get();
  o.container = container;
  to.obstacles.push_back(o);
  to.regions.push_back(std::move(region));
}

void addMesh(StandingSolids& to, const SolidState& s, const Body& b, bool container, const Box3& near) {
  if (!b.closed) return;
  SurfaceMesh mesh;
  mesh.x.assign(s.x.data() + b.nodeBegin, s.x.data() + b.nodeEnd);
  if (!container && !boundsOf(mesh.x).overlaps(near)) return;
  for (Index k = 3 * b.triBegin; k < 3 * b.triEnd; ++k) mesh.tri.push_back(s.tri[std::size_t(k)] - b.nodeBegin);
  add(to, std::make_unique<Region>(std::make_shared<SurfaceTree>(std::move(mesh)), true), b.name, container);
}

}  // namespace

StandingSolids standingSolids(const World& w, const Box3& near) {
  StandingSolids standing;
  const SolidState& s = w.solid;
  for (const RigidBody& r : s.rigid) {
    if (r.body >= 0) {
      addMesh(standing, s, s.bodies[std::size_t(r.body)], r.shape.container, near);
      continue;
    }
    auto region = std::make_unique<Region>(scaledShape(r.shape, r.scale, r.name), Transform{r.x, r.q, {1, 1, 1}});
    if (r.shape.container || region->bounds().overlaps(near)) add(standing, std::move(region), r.name, r.shape.container);
  }
  for (const Body& b : s.bodies)
    if (b.kind == SolidKind::soft) addMesh(standing, s, b, false, near);
  return standing;
}

}  // namespace meniscus
