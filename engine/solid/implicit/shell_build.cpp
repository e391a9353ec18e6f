// Shells made of chains and triangle meshes.
#include <fmt/format.h>

#include <cmath>
#include <map>
#include <utility>

#include "engine/solid/implicit/shell_model.h"

namespace meniscus::implicit {
namespace {

Eigen::Vector3d nodeOf(const Vector& x, int i) { return x.segment<3>(i * 3); }

// The two triangles of an edge: their third nodes and areas.
struct Sides {
  int count = 0;
  int across[2] = {-1, -1};
  double area[2] = {0, 0};
};

double areaOf(const Vector& rest, const std::array<int, 3>& t) {
  const int n = int(rest.size() / 3);
  for (const int i : t)
    if (i < 0 || i >= n) refuse("sheet", fmt::format("a triangle has the node {} of {}", i, n));
  const Eigen::Vector3d u = nodeOf(rest, t[1]) - nodeOf(rest, t[0]), v = nodeOf(rest, t[2]) - nodeOf(rest, t[0]);
  const double a = 0.5 * u.cross(v).norm();
  checkPositive(fmt::format("sheet: area of the triangle {} {} {}", t[0], t[1], t[2]), a);
  return a;
}

// A map, so that edges come in the order of their nodes whatever that of the triangles is.
std::map<std::pair<int, int>, Sides> edgesOf(const Vector& rest, const std::vector<std::array<int, 3>>& triangles) {
  std::map<std::pair<int, int>, Sides> edges;
  for (const auto& t : triangles) {
    const double area = areaOf(rest, t);
    for (int k = 0; k < 3; ++k) {
      const int a = t[std::size_t(k)], b = t[std::size_t((k + 1) % 3)];
      Sides& s = edges[{std::min(a, b), std::max(a, b)}];
      if (s.count == 2) refuse("sheet", fmt::format("the edge {} {} has more than two triangles", a, b));
      s.across[s.count] = t[std::size_t((k + 2) % 3)];
      s.area[s.count++] = area;
    }
  }
  return edges;
}

double cotangent(const Eigen::Vector3d& u, const Eigen::Vector3d& v) { return u.dot(v) / u.cross(v).norm(); }

// The Laplacian of the positions at the edge a b, K x over the triangles' area. On equilateral triangles the mean of its square
// over the three directions of edges is 3 k1^2 + 3 k2^2 - 2 k1 k2 for the curvatures k1 and k2; the weight makes that of a cylinder
// k1^2.
ShellModel<3>::Bend hinge(const Vector& rest, int a, int b, const Sides& s) {
  const Eigen::Vector3d e = nodeOf(rest, b) - nodeOf(rest, a);
  double atA = 0, atB = 0, across[2];
  for (int k = 0; k < 2; ++k) {
    const Eigen::Vector3d u = nodeOf(rest, s.across[k]) - nodeOf(rest, a), w = nodeOf(rest, s.across[k]) - nodeOf(rest, b);
    const double cotA = cotangent(e, u), cotB = cotangent(-e, w);
    atA += cotB;
    atB += cotA;
    across[k] = -(cotA + cotB);
  }
  return {{a, b, s.across[0], s.across[1]}, {atA, atB, across[0], across[1]}, 1 / (s.area[0] + s.area[1])};
}

}  // namespace

std::shared_ptr<const ShellModel<2>> chainModel(const Vector& rest, bool closed, const ShellParameters& parameters,
                                                double restScale) {
  const int n = int(rest.size() / 2);
  if (n < 2 || rest.size() % 2 != 0 || (closed && n < 3))
    refuse("chain", "give two coordinates a node, for two nodes or more, or three where it is closed");
  checkFinite("chain: positions", rest);
  checkPositive("chain: scale of the rest lengths", restScale);
  std::vector<ShellModel<2>::Edge> edges;
  for (int i = 0; i < (closed ? n : n - 1); ++i) {
    const int j = (i + 1) % n;
    edges.push_back({i, j, restScale * (rest.segment<2>(2 * j) - rest.segment<2>(2 * i)).norm(), 1});
  }
  std::vector<ShellModel<2>::Bend> bends;
  for (int i = closed ? 0 : 1; i < (closed ? n : n - 1); ++i) {
    const int before = (i + n - 1) % n, after = (i + 1) % n;
    const double h1 = edges[std::size_t(before)].rest, h2 = edges[std::size_t(i)].rest, half = 0.5 * (h1 + h2);
    const double p = 1 / (h1 * half), q = 1 / (h2 * half);
    bends.push_back({{before, i, after}, {p, -p - q, q}, half});
  }
  return std::make_shared<ShellModel<2>>(n, std::move(edges), std::move(bends), parameters);
}

std::shared_ptr<const ShellModel<3>> sheetModel(const Vector& rest, const std::vector<std::array<int, 3>>& triangles,
                                                const ShellParameters& parameters) {
  if (rest.size() % 3 != 0 || triangles.empty()) refuse("sheet", "give three coordinates a node, and triangles");
  checkFinite("sheet: positions", rest);
  std::vector<ShellModel<3>::Edge> edges;
  std::vector<ShellModel<3>::Bend> bends;
  for (const auto& [nodes, sides] : edgesOf(rest, triangles)) {
    const double l = (nodeOf(rest, nodes.second) - nodeOf(rest, nodes.first)).norm();
    edges.push_back({nodes.first, nodes.second, l, (sides.area[0] + sides.area[1]) / l});
    if (sides.count == 2) bends.push_back(hinge(rest, nodes.first, nodes.second, sides));
  }
  return std::make_shared<ShellModel<3>>(int(rest.size() / 3), std::move(edges), std::move(bends), parameters);
}

Vector chainMass(const ShellModel<2>& model, double density) {
  checkPositive("chain: density", density);
  Vector m = Vector::Zero(model.nodes());
  for (const auto& e : model.edges())
    for (const int i : {e.a, e.b}) m[i] += 0.5 * density * e.rest;
  return m;
}

Vector sheetMass(const Vector& rest, const std::vector<std::array<int, 3>>& triangles, double density) {
  checkPositive("sheet: density", density);
  Vector m = Vector::Zero(rest.size() / 3);
  for (const auto& t : triangles) {
    const double share = density * areaOf(rest, t) / 3;
    for (const int i : t) m[i] += share;
  }
  return m;
}

}  // namespace meniscus::implicit
