// The surface of a scene's solid as nodes and elements of a grid's dimension, and which nodes its pins hold.
#pragma once

#include "engine/offline/scene_solids.h"
#include "engine/scene/mesh.h"

namespace meniscus::offline {

template <int D>
struct SolidSurface {
  std::vector<Vec3d> x;                        // m, world frame
  std::vector<std::array<Index, D>> elements;  // outward where closed
  bool closed = false;
  std::vector<Index> tet;  // 4 a tetrahedron of a soft solid, else none
  // of a round one
  bool grown = false;  // made larger until it has its shape's volume
  double share = 1;    // of that volume
};

// Of a round solid: its shape's volume, or no node outside of its shape.
enum class RoundSize { ofVolume, within };

// Throws Error(input), without the solid's name.
template <int D>
SolidSurface<D> solidSurface(const SceneDef& scene, const SolidDef& def, double cell, RoundSize round,
                             std::vector<std::string>* notes);

// The pin that holds each node, the last of several, or -1. Throws Error(input) for a pin that holds none and a node that is not
// there.
template <int D>
std::vector<int> pinOfNodes(const SolidDef& def, const SolidSurface<D>& surface);

}  // namespace meniscus::offline
