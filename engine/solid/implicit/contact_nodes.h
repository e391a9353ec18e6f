// Nodes before elements of other surfaces, or of their own where that bends.
//
// A contact is a local minimum of the distance from a node to a surface at the beginning of the step. Its normal and the point that
// is nearest are those of the beginning, and move along with the surface's nodes: in the step the condition is linear in their
// positions, and which side a node is on is known. What is left out is of the order of the way along the surface times the change
// of its normal. A node over an edge or a node of the surface, to round-off, is before that and not before the elements around it.
//
// A rigid solid's nodes also have normals of their own, and the contact takes one that parts both surfaces: see contactAxis.
#pragma once

#include "engine/solid/implicit/closest_feature.h"
#include "engine/solid/implicit/contact_mesh.h"

namespace meniscus::implicit {

class NodeContacts {
 public:
  explicit NodeContacts(const ContactMesh& mesh) : m_(mesh) {}

  // Adds those of the node whose gap at `end` is below the reach. half: how far away its nearest points can be [m].
  void find(int node, const Vector& end, double half, std::vector<ContactPoint>& out);

 private:
  // The nearest point of an element, and the part of it that it lies on.
  struct Hit {
    int element = -1;
    NearParts parts;
    int part = 0;  // the one of them that is tried
    std::array<double, 3> nearest{0, 0, 0}, weight{0, 0, 0};
    std::array<int, 3> feature{-1, -1, -1};  // the element; two nodes, the lower first; one node
    Vec3d r{};                               // from its point to the node
    int corners() const { return parts.corners[std::size_t(part)]; }
    bool isFace() const { return feature[0] >= 0; }
    bool isNode() const { return feature[0] < 0 && feature[1] < 0; }
  };
  // The hits of all elements around one feature, and the contact that they make.
  struct Found {
    std::size_t first, last;
    ContactPoint contact;
  };
  bool mayTouch(int node, int element) const;
  Hit hitOf(int node, int element) const;
  void setFeature(int node, Hit& hit) const;
  int incident(const Hit& hit) const;
  void group(int node);
  double angleAt(int node, int element) const;
  Vec3d outwardOf(int node) const;  // of a filled solid's surface, unit
  ContactPoint contactOf(int node, const Hit* first, const Hit* last) const;
  void turn(int node, const Hit* first, const Hit* last, const Vector& end, ContactPoint& contact) const;
  bool meets(int node, const Hit* first, const Hit* last, const Vector& end, const ContactPoint& contact) const;
  void keepWayOut(int node);

  const ContactMesh& m_;
  std::vector<Hit> hits_;
  std::vector<Found> found_;
};

}  // namespace meniscus::implicit
