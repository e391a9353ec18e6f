// Where nodes of solids come near elements of others, of themselves, or walls, in a step from one position to another.
//
// A contact is a local minimum of the distance from a node to a surface at the beginning of the step. Its normal and the point that
// is nearest are those of the beginning, and move along with the surface's nodes: in the step the condition is linear in their
// positions, and which side a node is on is known. What is left out is of the order of the way along the surface times the change
// of its normal. Edges against edges are not looked at: surfaces are known by nodes a cell or so apart.
//
// A rigid solid's nodes also have normals of their own, and the contact takes one that parts both surfaces: see contactAxis.
#pragma once

#include <array>
#include <map>
#include <set>
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
  double thickness = 0;  // [m] that nodes keep from surfaces and walls
  double reach = 0;      // [m] beyond it that what is near is listed too
  std::vector<ContactSurface> surfaces;
  std::vector<ContactWall> walls;
  double wallFriction = 0;
  std::vector<char> given;  // of each node: it moves as it is told
};

// A node before the point sum weight x(other) of a surface, or before a wall where it has no other.
struct ContactPoint {
  int node = -1;
  int others = 0;
  std::array<int, 3> other{-1, -1, -1};
  std::array<double, 3> weight{0, 0, 0};
  int wall = -1;
  Eigen::Vector3d normal{0, 0, 0};  // unit, towards the node
  double gap = 0;                   // [m] at the beginning of the step: distance less the thickness
  double friction = 0, restitution = 0;

  // Contacts of one step have different keys.
  std::array<int, 5> key() const { return {node, other[0], other[1], other[2], wall}; }
  // The gap at the positions `end`, from those of the beginning.
  double gapAt(int dimension, const Vector& start, const Vector& end) const;
};

class ContactSearch {
 public:
  // start: positions at the start of the run. Two solids of which one is within the other there by more than the thickness never
  // touch: they are meant to.
  ContactSearch(ContactScene scene, const Vector& start);

  const ContactScene& scene() const { return scene_; }

  // The positions at the beginning of a step.
  void begin(const Vector& start);
  const Vector& start() const { return start_; }

  // The contacts whose gap at `end` is below the reach, by node.
  std::vector<ContactPoint> find(const Vector& end) const;

 private:
  struct Hit;
  Vec3d point(const Vector& x, int node) const;
  Vec3d normalOf(int element) const;
  bool mayTouch(int node, int element) const;
  Hit hitOf(int node, int element) const;
  int incident(const Hit& hit) const;
  ContactPoint contactOf(int node, const Hit* first, const Hit* last) const;
  void turn(const Hit* first, const Hit* last, const Vector& end, ContactPoint& contact) const;
  void addWalls(int node, const Vector& end, std::vector<ContactPoint>& out) const;
  void excludeOverlaps();
  bool isWithin(const Vec3d& x, const SurfaceTree& tree) const;

  ContactScene scene_;
  std::vector<std::array<int, 3>> element_;
  std::vector<int> elementSolid_, nodeSolid_;  // numbers of surfaces
  std::vector<std::vector<int>> elementsOfNode_;
  std::map<std::pair<int, int>, int> elementsOfEdge_;
  std::vector<double> outward_;          // in the plane, of each surface: the sign of its winding
  std::set<std::pair<int, int>> never_;  // solids that do not touch one another, the lower number first
  Vector start_;
  SurfaceTree tree_;
};

}  // namespace meniscus::implicit
