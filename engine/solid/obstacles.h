// The obstacles of a scene as solid nodes see them: domain walls, fixed and kinematic primitives and meshes.
#pragma once

#include <vector>

#include "engine/solid/solid.h"
#include "engine/solid/triangle_tree.h"
#include "kernels/contact/primitives.h"

namespace meniscus {

// Keeps a reference to the state: poses and velocities are read at every query, shapes once. Build it anew after adding bodies.
// Closed meshes and primitives are solid, or hollow where marked as containers; open meshes push to the side on which a point is.
class SceneObstacles final : public Obstacles {
 public:
  SceneObstacles(const DomainDef& domain, const SolidState& state);
  bool nearest(const Vec3d& x, double reach, double& distance, Vec3d& n, Vec3d& v, double& friction) const override;
  // Index into SolidState::rigid of the nearest obstacle within reach of x [m], or -1: none, or a wall of the domain.
  Index nearestRigid(const Vec3d& x, double reach) const;

 private:
  struct Primitive {
    std::size_t rigid;
    PrimitiveShape<double> shape;
    Quatd turn;    // from the shape's frame to the body's (planes: z to the normal)
    bool bounded;  // has a bounding sphere
  };
  struct Mesh {
    std::size_t rigid;
    TriangleTree tree;
    double side;  // -1: container
  };
  // As nearest, with the obstacle's index into SolidState::rigid, or -1: a wall.
  struct Found {
    double distance;
    Vec3d n, v;
    double friction;
    Index rigid;
  };
  bool search(const Vec3d& x, double reach, Found& found) const;
  void addPrimitive(std::size_t rigid);
  void addMesh(std::size_t rigid);

  DomainDef domain_;
  const SolidState& state_;
  std::vector<Primitive> primitives_;
  std::vector<Mesh> meshes_;
};

}  // namespace meniscus
