#include "engine/solid/implicit/contact_mesh.h"

#include <algorithm>

namespace meniscus::implicit {

double ContactPoint::gapAt(int dimension, const Vector& start, const Vector& end) const {
  double g = gap;
  for (int k = 0; k < nodes; ++k)
    for (int a = 0; a < dimension; ++a) {
      const Eigen::Index i = Eigen::Index(node[std::size_t(k)]) * dimension + a;
      g += normal[a] * weight[std::size_t(k)] * (end[i] - start[i]);
    }
  return g;
}

Vec3d ContactMesh::point(const Vector& x, int node, int dimension) {
  const Eigen::Index i = Eigen::Index(node) * dimension;
  return {x[i], x[i + 1], dimension == 3 ? x[i + 2] : 0};
}

ContactMesh::ContactMesh(ContactScene s, const Vector& x) : scene(std::move(s)) {
  const int nodes = int(x.size()) / scene.dimension;
  nodeSolid.assign(std::size_t(nodes), -1);
  elementsOfNode.resize(std::size_t(nodes));
  for (std::size_t b = 0; b < scene.surfaces.size(); ++b) {
    double area = 0;
    for (const std::array<int, 3>& e : scene.surfaces[b].elements) {
      const int number = int(element.size());
      element.push_back(e);
      elementSolid.push_back(int(b));
      for (int k = 0; k < scene.dimension; ++k) {
        const int i = e[std::size_t(k)], j = e[std::size_t((k + 1) % 3)];
        nodeSolid[std::size_t(i)] = int(b);
        elementsOfNode[std::size_t(i)].push_back(number);
        if (scene.dimension == 3) elementsOfEdge[std::minmax(i, j)].push_back(number);
      }
      const Vec3d p = point(x, e[0]), q = point(x, e[1]);
      area += p.x * q.y - p.y * q.x;
    }
    outward.push_back(area < 0 ? -1 : 1);
  }
  begin(x);
}

void ContactMesh::begin(const Vector& x) {
  start = x;
  SurfaceMesh mesh;
  for (int i = 0; i < int(nodeSolid.size()); ++i) mesh.x.push_back(at(i));
  for (const std::array<int, 3>& e : element) mesh.tri.insert(mesh.tri.end(), e.begin(), e.end());
  tree = SurfaceTree(std::move(mesh));
}

Vec3d ContactMesh::normalOf(int number) const {
  const std::array<int, 3>& e = element[std::size_t(number)];
  const Vec3d a = at(e[0]), b = at(e[1]);
  if (scene.dimension == 3) return normalized(cross(b - a, at(e[2]) - a));
  return normalized(Vec3d{b.y - a.y, a.x - b.x, 0}) * outward[std::size_t(elementSolid[std::size_t(number)])];
}

}  // namespace meniscus::implicit
