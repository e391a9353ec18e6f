#include "engine/solid/topology.h"

#include <cstdint>
#include <unordered_map>

namespace meniscus {

std::vector<MeshEdge> uniqueEdges(const std::vector<Index>& tri) {
  std::vector<MeshEdge> edges;
  std::unordered_map<std::uint64_t, std::size_t> find;
  find.reserve(tri.size());
  for (std::size_t t = 0; t + 2 < tri.size(); t += 3) {
    for (std::size_t k = 0; k < 3; ++k) {
      const Index a = tri[t + k], b = tri[t + (k + 1) % 3], c = tri[t + (k + 2) % 3];
      const std::uint64_t lo = std::uint64_t(a < b ? a : b), hi = std::uint64_t(a < b ? b : a);
      const auto [it, fresh] = find.try_emplace(hi << 32 | lo, edges.size());
      if (fresh) {
        MeshEdge e;
        e.a = a;
        e.b = b;
        e.tri0 = Index(t / 3);
        e.opposite0 = c;
        edges.push_back(e);
        continue;
      }
      MeshEdge& e = edges[it->second];
      if (++e.triangles == 2) {
        e.tri1 = Index(t / 3);
        e.opposite1 = c;
      }
    }
  }
  return edges;
}

bool isClosed(const std::vector<Index>& tri, const std::vector<MeshEdge>& edges) {
  for (const MeshEdge& e : edges) {
    if (e.triangles != 2) return false;
    for (std::size_t k = 0; k < 3; ++k)  // the second triangle must run from b to a
      if (tri[std::size_t(e.tri1) * 3 + k] == e.a && tri[std::size_t(e.tri1) * 3 + (k + 1) % 3] == e.b) return false;
  }
  return !tri.empty();
}

}  // namespace meniscus
