#include "engine/solid/implicit/sheet_sides.h"

#include <algorithm>
#include <vector>

#include "engine/solid/implicit/closest_feature.h"

namespace meniscus::implicit {
namespace {

constexpr double kNear = 1e-9;  // of an edge's length: what is that near to an edge or a node is on it

// The elements around the part of an element that `corners` names by their bits, and whether it is on the rim.
struct Around {
  std::vector<int> elements;
  bool rim = false;
};

Around aroundEdge(const ContactMesh& m, int i, int j) {
  const std::vector<int>& all = m.elementsOfEdge.at(std::minmax(i, j));
  return {all, all.size() < 2};
}

Around aroundNode(const ContactMesh& m, int node) {
  Around a{m.elementsOfNode[std::size_t(node)], false};
  if (m.scene.dimension == 2) {
    a.rim = a.elements.size() < 2;
    return a;
  }
  for (const int e : a.elements)
    for (const int other : m.element[std::size_t(e)])
      if (other != node && aroundEdge(m, node, other).rim) a.rim = true;
  return a;
}

Around aroundPart(const ContactMesh& m, int element, int corners) {
  std::vector<int> of;
  for (int k = 0; k < m.scene.dimension; ++k)
    if (corners >> k & 1) of.push_back(m.element[std::size_t(element)][std::size_t(k)]);
  if (of.size() == 1) return aroundNode(m, of[0]);
  if (of.size() == 2 && m.scene.dimension == 3) return aroundEdge(m, of[0], of[1]);
  return {{element}, false};
}

}  // namespace

SheetPoint nearestOnSheet(const ContactMesh& m, int solid, const Vec3d& x, double reach) {
  const int d = m.scene.dimension;
  const Vec3d around{reach, reach, reach};
  SheetPoint best;
  int element = -1;
  Vec3d way{};
  std::array<double, 3> weight{};
  m.tree.overlapping({x - around, x + around}, [&](Index t) {
    if (m.elementSolid[std::size_t(t)] != solid) return;
    const std::array<int, 3>& e = m.element[std::size_t(t)];
    const Vec3d v[3] = {m.at(e[0]), m.at(e[1]), m.at(e[2])};
    const std::array<double, 3> w = nearestWeights(v, d, x);
    Vec3d r = x - v[0];
    for (int k = 1; k < d; ++k) r -= (v[k] - v[0]) * w[std::size_t(k)];
    if (norm(r) > best.distance || (norm(r) == best.distance && int(t) > element)) return;
    best.distance = norm(r);
    element = int(t);
    way = r;
    weight = w;
  });
  if (element < 0) return best;
  const std::array<int, 3>& e = m.element[std::size_t(element)];
  const Vec3d v[3] = {m.at(e[0]), m.at(e[1]), m.at(e[2])};
  const int corners = nearParts(v, d, weight, kNear * norm(v[1] - v[0])).corners[0];
  const Around part = aroundPart(m, element, corners);
  best.inside = !part.rim;
  for (int k = 0; k < d; ++k)
    if (corners >> k & 1 && m.given(e[std::size_t(k)])) best.inside = false;
  Vec3d normal{};
  for (const int f : part.elements) normal += m.normalOf(f);
  best.height = dot(normalized(normal), way);
  return best;
}

}  // namespace meniscus::implicit
