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
  bool grown = false;                              // a round one: its nodes are outside of its shape, whose volume they enclose
  std::vector<std::array<Index, D>> mouth;         // what closes the open surface of an inflatable; node -1: the middle of its rim
  std::vector<Vec3d> start;                        // m, world frame: where its nodes begin
  std::vector<std::array<Index, D>> elements;      // of its surface, outward where it is closed
  std::vector<std::array<Index, 4>> tets;          // of a soft one
  std::vector<char> held;                          // of each node: it does not move, or as its pin does
  double mass = 0;                                 // kg that moves, or kg per metre of depth
  Vec3d gravity{};                                 // m/s^2, less the buoyancy of one in place of fluid
  std::shared_ptr<implicit::NodalSolid<D>> nodal;  // one of the two
  std::shared_ptr<implicit::RigidBodies<D>> rigid;

  std::shared_ptr<implicit::ImplicitSolid> solid() const {
    if (nodal) return nodal;
    return rigid;
  }
  // by key frames: of each pin, or the one of a kinematic solid; about the origin. Empty: none moves
  std::vector<std::vector<KeyFrame>> motions;
  std::vector<int> pin;          // of each node: the pin that holds it at the start, or -1
  std::vector<double> pinUntil;  // s, of each pin: when it lets go
  Vec3d origin{};                // m

  bool guided = false;  // something beside the fluid and its weight takes up or gives it momentum

  bool isStatic() const { return kind == SolidKind::fixed; }
  bool isGiven() const { return kind == SolidKind::fixed || kind == SolidKind::kinematic; }  // moves as it is told, if at all
  bool isRigid() const { return rigid != nullptr; }
  bool isBody() const { return kind == SolidKind::rigid || kind == SolidKind::soft; }  // of a density
  bool displacesFluid() const { return closed && (isBody() || isGiven()); }
};

// cell: edge of the grid's cells [m], of which surfaces without a "resolution" have edges. The weight of rigid and soft solids is
// in smoke that beyond the fluid in whose place they are. Throws Error(input) with every mistake and its place. notes (may be
// null): what was mended in meshes, and which round solids have less than their volume as they touch something at the start.
template <int D>
std::vector<SceneSolid<D>> sceneSolids(const SceneDef& scene, double cell, std::vector<std::string>* notes);

}  // namespace meniscus::offline
