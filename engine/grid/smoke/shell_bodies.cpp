#include "engine/grid/smoke/shell_bodies.h"

#include <numeric>

namespace meniscus {

template <int D>
ShellBodies filledBodies(const ShellMesh<D>& mesh, const std::vector<char>& filled) {
  ShellBodies bodies;
  if (filled.empty()) return bodies;
  std::vector<Index> parent(std::size_t(mesh.nodes));
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](Index i) {
    while (parent[std::size_t(i)] != i) i = parent[std::size_t(i)] = parent[std::size_t(parent[std::size_t(i)])];
    return i;
  };
  for (const std::array<Index, D>& e : mesh.elements)
    for (const Index i : e) parent[std::size_t(root(i))] = root(e[0]);
  std::vector<Index> number(parent.size(), -1);
  for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
    Index& body = number[std::size_t(root(mesh.elements[e][0]))];
    if (filled[e] && body < 0) body = bodies.count++;
    bodies.of.push_back(filled[e] ? body : -1);
  }
  return bodies;
}

template ShellBodies filledBodies<2>(const ShellMesh<2>&, const std::vector<char>&);
template ShellBodies filledBodies<3>(const ShellMesh<3>&, const std::vector<char>&);

}  // namespace meniscus
