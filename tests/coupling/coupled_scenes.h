// Bodies in smoke for the tests of couplings that need both sides' equations.
#pragma once

#include <Eigen/Geometry>
#include <algorithm>
#include <map>
#include <memory>
#include <numeric>

#include "engine/coupling/implicit_solids_box.h"
#include "engine/solid/implicit/corotational_tets.h"
#include "engine/solid/implicit/rigid_bodies.h"
#include "tests/coupling/smoke_boxes.h"

namespace meniscus::testing {

template <int D>
struct CoupledScene {
  SmokeDomain<D> domain;
  std::unique_ptr<coupling::SmokeFluidBox<D>> fluid;
  std::shared_ptr<implicit::ImplicitSolid> body;
  std::unique_ptr<coupling::ImplicitSolidsBox> solid;

  void join(Exec& exec, const ShellMesh<D>& mesh, coupling::SmokeFluidOptions options, bool filled) {
    if (filled) options.filled.assign(mesh.elements.size(), 1);
    fluid = std::make_unique<coupling::SmokeFluidBox<D>>(exec, domain, mesh, options);
    solid = std::make_unique<coupling::ImplicitSolidsBox>(std::vector<std::shared_ptr<implicit::ImplicitSolid>>{body});
    fluid->setBoundary(solid->motion());
  }
};

// Walls but above; fluid of 0.5 m/s comes through the middle fifth of the ground. Unit width, 1.5 high.
template <int D>
SmokeDomain<D> jet(Index n) {
  SmokeDomain<D> d = box<D>(n, SideKind::wall);
  d.grid.n[D - 1] = n + n / 2;
  d.side[D - 1][1] = SideKind::open;
  const Index first = 2 * n / 5, last = n - first;
  for (Index i = first; i < last; ++i)
    for (Index j = D == 3 ? first : 0; j < (D == 3 ? last : 1); ++j) {
      Cell<D> face{};
      face[0] = i;
      if (D == 3) face[1] = j;
      d.inflow.push_back({D - 1, face, 0.5, 0, 0});
    }
  return d;
}

// A closed surface of points: a polygon in the plane, a sphere of triangles in space.
template <int D>
TestShell<D> ball(const Point<D>& centre, double radius, int detail);
template <>
inline TestShell<2> ball<2>(const Point<2>& c, double radius, int detail) {
  TestShell<2> s;
  s.mesh.nodes = detail;
  for (Index i = 0; i < detail; ++i) {
    const double angle = 2 * M_PI * i / detail;
    s.x.push_back(c[0] + radius * std::cos(angle));
    s.x.push_back(c[1] + radius * std::sin(angle));
    s.mesh.elements.push_back({i, (i + 1) % Index(detail)});
  }
  return s;
}
template <>
inline TestShell<3> ball<3>(const Point<3>& c, double radius, int detail) {
  std::mt19937 random(1);
  TestShell<3> s = randomPolyhedron(random, detail, 0);
  for (std::size_t k = 0; k < s.x.size(); k += 3) {
    const Eigen::Vector3d r = Eigen::Vector3d(s.x[k] - 0.5, s.x[k + 1] - 0.5, s.x[k + 2] - 0.5).normalized();
    for (std::size_t a = 0; a < 3; ++a) s.x[k + a] = c[a] + radius * r[Eigen::Index(a)];
  }
  return s;
}

template <int D>
double ballVolume(double radius) {
  return D == 2 ? M_PI * radius * radius : 4.0 / 3 * M_PI * radius * radius * radius;
}

// A rigid ball of its density over the fluid's.
template <int D>
implicit::RigidBodyDef ballBody(const SmokeDomain<D>& domain, const TestShell<D>& shell, const Point<D>& centre, double radius,
                                double ratio) {
  implicit::RigidBodyDef d;
  d.mass = ratio * domain.density * ballVolume<D>(radius);
  d.inertia = (D == 2 ? 0.5 : 0.4) * d.mass * radius * radius * Eigen::Matrix3d::Identity();
  for (std::size_t a = 0; a < D; ++a) d.center[Eigen::Index(a)] = centre[a];
  d.points = vectorOf(shell.x);
  return d;
}

struct TetBlock {
  VectorXd x;
  std::vector<std::array<int, 4>> tets;
  ShellMesh<3> surface;
};

// n cubes along each axis, each of the six tetrahedra about its diagonal.
inline TetBlock tetBlock(const std::array<int, 3>& n, const Eigen::Vector3d& low, const Eigen::Vector3d& size) {
  TetBlock b;
  const auto node = [&](int i, int j, int k) { return (k * (n[1] + 1) + j) * (n[0] + 1) + i; };
  b.x.resize(3 * node(n[0], n[1], n[2]) + 3);
  for (int k = 0; k <= n[2]; ++k)
    for (int j = 0; j <= n[1]; ++j)
      for (int i = 0; i <= n[0]; ++i)
        b.x.segment<3>(3 * node(i, j, k)) =
            low + size.cwiseProduct(Eigen::Vector3d(double(i) / n[0], double(j) / n[1], double(k) / n[2]));
  for (int k = 0; k < n[2]; ++k)
    for (int j = 0; j < n[1]; ++j)
      for (int i = 0; i < n[0]; ++i) {
        std::array<int, 3> order = {0, 1, 2};
        do {
          std::array<int, 3> c = {i, j, k};
          std::array<int, 4> t{node(i, j, k), 0, 0, 0};
          for (std::size_t a = 0; a < 3; ++a) {
            ++c[std::size_t(order[a])];
            t[a + 1] = node(c[0], c[1], c[2]);
          }
          Eigen::Matrix3d edges;
          for (int a = 0; a < 3; ++a) edges.col(a) = b.x.segment<3>(3 * t[std::size_t(a) + 1]) - b.x.segment<3>(3 * t[0]);
          if (edges.determinant() < 0) std::swap(t[1], t[2]);
          b.tets.push_back(t);
        } while (std::next_permutation(order.begin(), order.end()));
      }
  std::map<std::array<int, 3>, int> count;
  for (const auto& t : b.tets)
    for (std::size_t skip = 0; skip < 4; ++skip) {
      std::array<int, 3> f{};
      for (std::size_t a = 0, to = 0; a < 4; ++a)
        if (a != skip) f[to++] = t[a];
      std::sort(f.begin(), f.end());
      ++count[f];
    }
  b.surface.nodes = Index(b.x.size() / 3);
  for (const auto& [f, times] : count)
    if (times == 1) b.surface.elements.push_back({f[0], f[1], f[2]});
  return b;
}

}  // namespace meniscus::testing
