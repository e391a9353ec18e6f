// The surface of a rigid body, of whatever kind, for what touches it.
#pragma once

#include <memory>
#include <vector>

#include "engine/solid/solid_state.h"
#include "engine/solid/triangle_tree.h"
#include "kernels/contact/node_contact.h"

namespace meniscus {

// Poses and velocities are those that the body has when asked; its shape is that of when this was made. Closed meshes and
// primitives are solid, or hollow where marked as containers; open meshes push to the side on which a point is.
class BodySurface {
 public:
  BodySurface(const SolidState& s, Index rigid);

  Index rigid() const { return rigid_; }
  bool isMesh() const { return tree_ != nullptr; }
  // Of a primitive, where the body is.
  NodeObstacle placed(const SolidState& s) const;
  // Of a point p in the body's frame [m]: false where the surface is further off than reach.
  bool distance(const Vec3d& p, double reach, double& d, Vec3d& n) const;
  // Takes the point nearest to x where that is nearer than `best`; reach: how far the outside of a container is looked for [m].
  bool look(const SolidState& s, const Vec3d& x, double reach, NearestObstacle& best) const;

 private:
  Index rigid_;
  PrimitiveShape<double> shape_{};
  Quatd turn_{};          // from the shape's frame to the body's (planes: z to the normal)
  bool bounded_ = false;  // a primitive with a bounding sphere
  double side_ = 1;       // of a mesh; -1: container
  double ball_ = 0;       // m, radius about the body's centre
  std::shared_ptr<const TriangleTree> tree_;
};

}  // namespace meniscus
