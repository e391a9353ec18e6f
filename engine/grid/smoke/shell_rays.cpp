#include "engine/grid/smoke/shell_rays.h"

namespace meniscus {
namespace {

template <int D>
LatticeBox<D> boxOf(const LatticePoint<D>& p, const LatticePoint<D>& q) {
  LatticeBox<D> box(p);
  box.add(q);
  return box;
}

template <int D>
LatticePoint<D + 1> atTime(const LatticePoint<D>& p, int time) {
  LatticePoint<D + 1> q;
  std::copy(p.begin(), p.end(), q.begin());
  q[D] = time;
  return q;
}

}  // namespace

template <int D>
void ShellRays<D>::build(const ShellLattice<D>& lattice, const ShellMesh<D>& mesh, const std::vector<double>& x) {
  lattice_ = lattice;
  mesh_ = mesh;
  node_ = latticeNodes(lattice, mesh, x);
  bins_.build(lattice.grid, Index(mesh_.elements.size()), [this](Index e) {
    const LatticeSimplex<D> s = simplex(e);
    LatticeBox<D> box(s[0]);
    for (const LatticePoint<D>& p : s) box.add(p);
    return box;
  });
}

template <int D>
LatticeSimplex<D> ShellRays<D>::simplex(Index element) const {
  LatticeSimplex<D> s;
  for (std::size_t i = 0; i < D; ++i) s[i] = node_[std::size_t(mesh_.elements[std::size_t(element)][i])];
  return s;
}

template <int D>
bool ShellRays<D>::blocked(const LatticePoint<D>& p, const LatticePoint<D>& q) const {
  return bins_.near(boxOf<D>(p, q), [&](Index e) { return crosses<D>(simplex(e), p, q); });
}

template <int D>
ShellHit<D> ShellRays<D>::firstHit(const LatticePoint<D>& p, const LatticePoint<D>& q) const {
  ShellHit<D> first;
  bins_.near(boxOf<D>(p, q), [&](Index e) {
    const LatticeSimplex<D> s = simplex(e);
    if (e == first.element || !crosses<D>(s, p, q)) return false;
    ShellHit<D> hit{e, 0, {}};
    // a ray in the element's plane has no single point there: the middle of the element, met at once
    if (!crossingPoint<D>(s, p, q, hit.t, hit.barycentric)) hit.t = 0, hit.barycentric.fill(1.0 / D);
    if (first.element < 0 || hit.t < first.t || (hit.t == first.t && e < first.element)) first = hit;
    return false;
  });
  return first;
}

template <int D>
void SweptShell<D>::build(const ShellLattice<D>& lattice, const ShellMesh<D>& mesh, const std::vector<double>& x0,
                          const std::vector<double>& x1) {
  mesh_ = mesh;
  for (std::array<Index, D>& e : mesh_.elements) std::sort(e.begin(), e.end());
  node_[0] = latticeNodes(lattice, mesh, x0);
  node_[1] = latticeNodes(lattice, mesh, x1);
  bins_.build(lattice.grid, Index(mesh_.elements.size()), [this](Index e) {
    LatticeBox<D> box(node_[0][std::size_t(mesh_.elements[std::size_t(e)][0])]);
    for (const Index i : mesh_.elements[std::size_t(e)])
      for (const auto& node : node_) box.add(node[std::size_t(i)]);
    return box;
  });
}

// The simplices of the prism over nodes v0 < v1 < ..: (v0 .. vk) at the beginning and (vk .. ) at the end, for each k.
template <int D>
bool SweptShell<D>::meets(Index element, const LatticePoint<D>& p, const LatticePoint<D>& q) const {
  const std::array<Index, D>& v = mesh_.elements[std::size_t(element)];
  for (std::size_t k = 0; k < D; ++k) {
    LatticeSimplex<D + 1> s;
    for (std::size_t i = 0; i <= k; ++i) s[i] = atTime<D>(node_[0][std::size_t(v[i])], 0);
    for (std::size_t i = k; i < D; ++i) s[i + 1] = atTime<D>(node_[1][std::size_t(v[i])], 1);
    if (crosses<D + 1>(s, atTime<D>(p, 0), atTime<D>(q, 1))) return true;
  }
  return false;
}

template <int D>
bool SweptShell<D>::blocked(const LatticePoint<D>& p, const LatticePoint<D>& q) const {
  return bins_.near(boxOf<D>(p, q), [&](Index e) { return meets(e, p, q); });
}

template <int D>
std::vector<Index> SweptShell<D>::passing(const LatticePoint<D>& p) const {
  std::vector<Index> found;
  bins_.near(boxOf<D>(p, p), [&](Index e) {
    if (meets(e, p, p)) found.push_back(e);
    return false;
  });
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

template class ShellRays<2>;
template class ShellRays<3>;
template class SweptShell<2>;
template class SweptShell<3>;

}  // namespace meniscus
