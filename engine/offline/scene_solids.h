// The solids of a scene as implicit solids beside a grid.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/grid/smoke/shell_lattice.h"
#include "engine/scene/scene.h"
#include "engine/solid/implicit/nodal_solid.h"
#include "engine/solid/implicit/rigid_bodies.h"

namespace meniscus::offline {

template <int D>
struct SceneSolid {
  std::string name;
  SolidKind kind = SolidKind::fixed;
  SourceRef where;
  bool closed = false;                             // its surface encloses a volume
  std::vector<Vec3d> start;                        // m, world frame: where its nodes begin
  std::vector<std::array<Index, D>> elements;      // of its surface, outward where it is closed
  std::vector<char> held;                          // of each node: it does not move
  double mass = 0;                                 // kg that moves, or kg per metre of depth
  Vec3d gravity{};                                 // m/s^2, less the buoyancy of one in place of fluid
  std::shared_ptr<implicit::NodalSolid<D>> nodal;  // one of the two
  std::shared_ptr<implicit::RigidBodies<D>> rigid;

  std::shared_ptr<implicit::ImplicitSolid> solid() const {
    if (nodal) return nodal;
    return rigid;
  }
  bool isStatic() const { return kind == SolidKind::fixed; }
  bool isRigid() const { return rigid != nullptr; }
  bool isFilled() const { return kind == SolidKind::rigid || kind == SolidKind::soft; }  // in place of fluid
};

// cell: edge of the grid's cells [m], of which surfaces without a "resolution" have edges. The weight of rigid and soft solids is
// that beyond the fluid in whose place they are. Throws Error(input) with every mistake and its place. notes (may be null): what
// was mended in meshes.
template <int D>
std::vector<SceneSolid<D>> sceneSolids(const SceneDef& scene, double cell, std::vector<std::string>* notes);

}  // namespace meniscus::offline
