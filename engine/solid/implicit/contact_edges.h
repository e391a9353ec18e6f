// Edges of surfaces that cross edges of others, in space: where bodies with few nodes meet, none of which is before a face.
//
// A contact is a local minimum of the distance between two surfaces at the beginning of the step that lies within two edges. Its
// normal is across both of them. Parallel edges have none: the ends of each are before the other one. Edges of a face that is flat
// have none either: its nodes and its rim say all. Like the contacts of nodes it moves along with the nodes in the step.
#pragma once

#include "engine/solid/implicit/contact_mesh.h"
#include "kernels/contact/edge_pair.h"

namespace meniscus::implicit {

class EdgeContacts {
 public:
  explicit EdgeContacts(const ContactMesh& mesh);

  // The beginning of a step, after the mesh's.
  void begin();
  // Adds those whose gap at `end` is below the reach. moved: how far each node has come by then, most: the farthest [m].
  void find(const Vector& end, const std::vector<double>& moved, double most, std::vector<ContactPoint>& out) const;

 private:
  struct Edge {
    int a, b;
    std::array<int, 2> opposite;  // third nodes of its triangles; -1: a rim has one
  };
  EdgeSides sidesOf(const Edge& e) const;
  bool mayTouch(const Edge& a, const Edge& b) const;
  bool cross(const Edge& a, const Edge& b, ContactPoint& out) const;
  bool meets(const Vector& end, const ContactPoint& c) const;

  const ContactMesh& m_;
  std::vector<Edge> all_, edges_;  // edges_: those that are bent at the beginning of the step
  SurfaceTree tree_;               // of edges_
};

}  // namespace meniscus::implicit
