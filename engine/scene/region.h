// A closed shape in the world frame, asked for signed distances: what fluids fill and what they must stay out of.
#pragma once

#include <memory>

#include "engine/scene/scene.h"
#include "engine/scene/surface_tree.h"

namespace meniscus {

class Region {
 public:
  // A primitive (box, sphere, cylinder, capsule, plane); the place's scale is 1.
  Region(const ShapeDef& shape, const Transform& place);
  // A closed mesh, or an open one (then only distances have a meaning), in world coordinates.
  Region(std::shared_ptr<const SurfaceTree> tree, bool closed);

  // Signed distance [m], negative inside; n: unit gradient, the direction out. Of meshes, points farther than `reach` from the
  // surface may be given the distance +reach or -reach and n = 0.
  double distance(const Vec3d& x, double reach, Vec3d* n) const;
  bool inside(const Vec3d& x) const;
  bool closed() const { return closed_; }
  double volume() const { return volume_; }  // m^3; infinite for a plane, 0 for open meshes
  const Box3& bounds() const { return bounds_; }
  bool isBox() const { return !tree_ && shape_.kind == ShapeKind::box; }
  const ShapeDef& shape() const { return shape_; }
  const Transform& place() const { return place_; }

 private:
  ShapeDef shape_;
  Transform place_;
  std::shared_ptr<const SurfaceTree> tree_;
  bool closed_ = true;
  double volume_ = 0;
  Box3 bounds_;
};

// The scale of a placed shape put into its sizes, so that the place is rigid. Returns false where the shape would no longer be of
// its kind (a sphere stretched along one axis). Meshes keep their scale.
bool bakeScale(ShapeDef& shape, Transform& place);

}  // namespace meniscus
