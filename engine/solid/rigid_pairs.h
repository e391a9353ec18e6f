// Rigid bodies that touch each other: points of the one before the surface of the other, and edges that cross.
#pragma once

#include <vector>

#include "engine/solid/body_surface.h"
#include "engine/solid/point_cells.h"

namespace meniscus {

class RigidPairs {
 public:
  // Of a box, a cylinder or a mesh, where two faces meet at an angle that sticks out: in the body's frame.
  struct Edge {
    Vec3d a, b, opposite[2];  // third points of its faces
  };

  // Of the bodies that move by themselves. Shapes are those of now.
  explicit RigidPairs(const SolidState& s);

  // Appends the contacts of each two that may come nearer than the margin [m] in the sub-step dt, at most kMostOfPair of either's
  // points and of their edges, to s.work.rigidContacts, where the bodies are now.
  void collect(SolidState& s, double margin, double dt) const;
  // Appends to out the contacts with bodies that deform, at the start of the sub-step (xPrev), as searchBodyContacts: their nodes
  // and triangles before the rigid body, and its corners before their triangles.
  void searchDeformables(const SolidState& s, double margin, std::vector<BodyContact>& out) const;

 private:
  struct Moving {
    BodySurface surface;
    std::vector<Edge> edges;
    double longest;                             // m, of them
    std::vector<Vec3d> corners, cornerNormals;  // m and unit, out of it, in the body's frame: of a box or a mesh
    PointCells cornerCells;
  };
  void addEdges(const SolidState& s, Moving& m) const;
  void collectPair(SolidState& s, const Moving& a, const Moving& b, double margin, double slack, double dt) const;
  void collectEdges(SolidState& s, const Moving& a, const Moving& b, double margin, double slack, double dt) const;
  void addCrossing(SolidState& s, const Moving& a, const Moving& b, Index edgeOfA, Index edgeOfB, double margin, double slack,
                   double dt) const;

  std::vector<Moving> moving_;
};

}  // namespace meniscus
