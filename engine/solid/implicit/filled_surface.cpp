#include "engine/solid/implicit/filled_surface.h"

#include <algorithm>

#include "kernels/contact/segment.h"

namespace meniscus::implicit {

double crossingOf(const Vec3d (&corner)[3], int dimension, const Vec3d& p, const Vec3d& q) {
  const Vec3d a = corner[0], e = corner[1] - a, f = corner[2] - a;
  Vec3d n{-e.y, e.x, 0};
  if (dimension == 3) {
    const PackedTriangle t = PackedTriangle::make(Vec3f{}, Vec3f(e), Vec3f(f), 0.f);
    if (!segmentMeetsTriangle(t, Vec3f(p - a), Vec3f(q - a))) return -1;
    n = cross(e, f);
  }
  const double from = dot(n, p - a), to = dot(n, q - a);
  if (from * to > 0 || from == to) return -1;
  const double at = from / (from - to);
  if (dimension == 3) return at;
  const double along = dot(e, p + (q - p) * at - a);
  return along >= 0 && along <= norm2(e) ? at : -1;
}

FilledSurface::FilledSurface(const ContactMesh& mesh, int solid) : dimension_(mesh.scene.dimension) {
  SurfaceMesh own{mesh.tree.mesh().x, {}};
  for (const std::array<int, 3>& e : mesh.scene.surfaces[std::size_t(solid)].elements)
    own.tri.insert(own.tri.end(), e.begin(), e.end());
  tree_ = SurfaceTree(std::move(own));
}

double FilledSurface::depthOf(const Vec3d& x) const {
  if (!tree_.bounds().overlaps({x, x}) || !holds(x)) return 0;
  return tree_.nearest(x, 1e300).distance;
}

std::vector<double> FilledSurface::crossings(const Vec3d& p, const Vec3d& q) const {
  std::vector<double> all;
  Box3 box;
  box.add(p);
  box.add(q);
  tree_.overlapping(box, [&](Index t) {
    if (const double at = crossingOf({corner(t, 0), corner(t, 1), corner(t, 2)}, dimension_, p, q); at >= 0) all.push_back(at);
  });
  std::sort(all.begin(), all.end());
  return all;
}

bool FilledSurface::holds(const Vec3d& x) const {
  if (dimension_ == 3) return tree_.winding(x) != 0;
  bool within = false;
  for (Index k = 0; k < Index(tree_.mesh().tri.size()) / 3; ++k) {
    const Vec3d a = corner(k, 0), b = corner(k, 1);
    if ((a.y <= x.y) != (b.y <= x.y)) within ^= a.x + (x.y - a.y) / (b.y - a.y) * (b.x - a.x) > x.x;
  }
  return within;
}

}  // namespace meniscus::implicit
