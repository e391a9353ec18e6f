#include "engine/solid/implicit/contact_search.h"

#include <algorithm>
#include <utility>

#include "engine/base/stop.h"

namespace meniscus::implicit {

ContactSearch::ContactSearch(ContactScene scene, const Vector& start)
    : mesh_(std::move(scene), start), nodes_(mesh_), edges_(mesh_) {
  checkPositive("contact: thickness", mesh_.scene.thickness);
  checkPositive("contact: reach", mesh_.scene.reach);
}

void ContactSearch::begin(const Vector& start) {
  mesh_.begin(start);
  edges_.begin();
}

void ContactSearch::addWalls(int node, const Vector& end, std::vector<ContactPoint>& out) const {
  const ContactScene& scene = mesh_.scene;
  const ContactSurface& solid = mesh_.surfaceOf(node);
  for (std::size_t w = 0; w < scene.walls.size(); ++w) {
    const ContactWall& wall = scene.walls[w];
    ContactPoint c;
    c.add(node, 1);
    c.wall = int(w);
    c.normal[wall.axis] = wall.side;
    c.gap = (start()[Eigen::Index(node) * scene.dimension + wall.axis] - wall.at) * wall.side - scene.thickness;
    c.friction = std::max(solid.friction, scene.wallFriction);
    c.restitution = solid.restitution;
    if (c.gapAt(scene.dimension, start(), end) < scene.reach) out.push_back(c);
  }
}

std::vector<ContactPoint> ContactSearch::find(const Vector& end) {
  std::vector<double> moved;
  double most = 0;
  for (int i = 0; i < int(mesh_.nodeSolid.size()); ++i) {
    moved.push_back(norm(mesh_.point(end, i) - mesh_.at(i)));
    most = std::max(most, moved.back());
  }
  std::vector<ContactPoint> out;
  for (int i = 0; i < int(mesh_.nodeSolid.size()); ++i) {
    if (mesh_.nodeSolid[std::size_t(i)] < 0) continue;  // inside of its solid
    stopIfAsked();                                      // what has moved far in a step that diverges is near to everything
    if (!mesh_.given(i)) addWalls(i, end, out);
    nodes_.find(i, end, scene().thickness + scene().reach + moved[std::size_t(i)] + most, out);
  }
  if (scene().dimension == 3) edges_.find(end, moved, most, out);
  return out;
}

}  // namespace meniscus::implicit
