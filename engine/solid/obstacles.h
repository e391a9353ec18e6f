// The obstacles of a scene as solid nodes see them: domain walls, fixed and kinematic primitives and meshes.
#pragma once

#include <vector>

#include "engine/solid/body_surface.h"
#include "engine/solid/rigid_pairs.h"
#include "engine/solid/solid.h"

namespace meniscus {

// Keeps a reference to the state: poses and velocities are read at every query, shapes once. Build it anew after adding bodies.
class SceneObstacles final : public Obstacles {
 public:
  SceneObstacles(const DomainDef& domain, const SolidState& state);
  bool nearest(const Vec3d& x, double reach, double& distance, Vec3d& n, Vec3d& v, double& friction) const override;
  const RigidPairs* pairs() const override { return &pairs_; }
  // Index into SolidState::rigid of the nearest obstacle within reach of x [m], or -1: none, or a wall of the domain.
  Index nearestRigid(const Vec3d& x, double reach) const;
  // Nodes of deformable bodies that start nearer than the margin [m] to a wall or a fixed solid keep the gap they start with
  // (SolidWork::clearance), or none, and so do rigid bodies with the least gap that they start with (rigidClearance): to be put off
  // to the margin in the first step would throw them, with the water around them that nothing takes the place of, and squeeze
  // what stands between two walls.
  void keepStartingGaps(SolidState& s, double margin) const;
  // All of them as they are now; false where some are meshes.
  bool analytic(ObstacleWalls& walls, std::vector<NodeObstacle>& solids) const;

 private:
  bool search(const Vec3d& x, double reach, NearestObstacle& found, bool fixedOnly = false) const;
  ObstacleWalls walls() const;

  DomainDef domain_;
  const SolidState& state_;
  std::vector<BodySurface> surfaces_;  // primitives first
  RigidPairs pairs_;
};

}  // namespace meniscus
