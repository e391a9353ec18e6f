// The surfaces that contacts are looked for on, at the beginning of a step, and what a contact is.
#pragma once

#include <array>
#include <map>
#include <utility>
#include <vector>

#include "engine/scene/surface_tree.h"
#include "engine/solid/implicit/implicit_solid.h"

namespace meniscus::implicit {

// The surface of one solid. Numbers of nodes are those of all solids together.
struct ContactSurface {
  int begin = 0, end = 0;                    // its nodes
  std::vector<std::array<int, 3>> elements;  // triangles; in the plane edges, whose third node is the second one
  bool filled = false;                       // closed, outward in space, with its material inside: others are outside
  bool rigid = false;                        // does not touch itself
  double friction = 0, restitution = 0;      // of a pair the larger counts
};

struct ContactWall {
  int axis = 0;
  double at = 0;    // [m]
  double side = 1;  // +1: solids are where the coordinate is larger; -1: smaller
};

struct ContactScene {
  int dimension = 3;
  double thickness = 0;  // [m] that nodes and edges keep from surfaces and walls
  double reach = 0;      // [m] beyond it that what is near is listed too
  std::vector<ContactSurface> surfaces;
  std::vector<ContactWall> walls;
  double wallFriction = 0;
  std::vector<char> given;  // of each node: it moves as it is told
};

// A point of one surface before a point of another, by the weights of nodes that add up to zero: first the surface that `normal`
// points to. A node before an element, or an edge before an edge. Before a wall, a node alone.
struct ContactPoint {
  int nodes = 0;
  std::array<int, 4> node{-1, -1, -1, -1};
  std::array<double, 4> weight{0, 0, 0, 0};
  bool edges = false;
  int wall = -1;
  Eigen::Vector3d normal{0, 0, 0};  // unit
  double gap = 0;                   // [m] at the beginning of the step: distance less the thickness
  double friction = 0, restitution = 0;

  void add(int n, double w) {
    node[std::size_t(nodes)] = n;
    weight[std::size_t(nodes++)] = w;
  }
  // Contacts of one step have different keys.
  std::array<int, 6> key() const { return {node[0], node[1], node[2], node[3], edges, wall}; }
  // The gap at the positions `end`, from those of the beginning.
  double gapAt(int dimension, const Vector& start, const Vector& end) const;
};

struct ContactMesh {
  ContactScene scene;
  std::vector<std::array<int, 3>> element;   // of all surfaces
  std::vector<int> elementSolid, nodeSolid;  // numbers of surfaces; -1: a node inside of its solid
  std::vector<std::vector<int>> elementsOfNode;
  std::map<std::pair<int, int>, std::vector<int>> elementsOfEdge;  // in space; of two nodes, the lower one first
  std::vector<double> outward;                                     // in the plane, of each surface: the sign of its winding
  Vector start;                                                    // positions at the beginning of the step
  SurfaceTree tree;

  ContactMesh(ContactScene scene, const Vector& start);
  void begin(const Vector& start);

  static Vec3d point(const Vector& x, int node, int dimension);
  Vec3d point(const Vector& x, int node) const { return point(x, node, scene.dimension); }
  Vec3d at(int node) const { return point(start, node); }
  Vec3d normalOf(int element) const;  // unit
  bool given(int node) const { return scene.given[std::size_t(node)] != 0; }
  const ContactSurface& surfaceOf(int node) const { return scene.surfaces[std::size_t(nodeSolid[std::size_t(node)])]; }
};

}  // namespace meniscus::implicit
