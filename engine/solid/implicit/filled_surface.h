// The closed surface of a solid at the beginning of a step, and how deep points are within it.
#pragma once

#include <vector>

#include "engine/solid/implicit/contact_mesh.h"

namespace meniscus::implicit {

class FilledSurface {
 public:
  FilledSurface(const ContactMesh& mesh, int solid);

  const Box3& bounds() const { return tree_.bounds(); }

  // How far within it a point is [m]; 0: it is not.
  double depthOf(const Vec3d& x) const;

  // Of the way from p to q, the parts where it crosses the surface, in order.
  std::vector<double> crossings(const Vec3d& p, const Vec3d& q) const;

 private:
  Vec3d corner(Index triangle, int k) const { return tree_.mesh().x[std::size_t(tree_.mesh().tri[std::size_t(3 * triangle + k)])]; }
  bool holds(const Vec3d& x) const;

  int dimension_;
  SurfaceTree tree_;
};

// Of the way from p to q, the part at which it crosses an element with these corners, or -1. In the plane the third one is not
// looked at. What lies in the element does not cross it.
double crossingOf(const Vec3d (&corner)[3], int dimension, const Vec3d& p, const Vec3d& q);

}  // namespace meniscus::implicit
