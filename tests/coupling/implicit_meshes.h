// Chains and sheets for the tests of implicit solids.
#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "engine/solid/implicit/shell_model.h"
#include "tests/coupling/boxes.h"

namespace meniscus::testing {

// n nodes on the x axis from 0 to length.
inline VectorXd line(int n, double length) {
  VectorXd x = VectorXd::Zero(2 * n);
  for (int i = 0; i < n; ++i) x[2 * i] = n > 1 ? length * i / (n - 1) : 0;
  return x;
}

inline implicit::NodalSolid<2> chain(int n, double length, const implicit::ShellParameters& p, double density) {
  const auto model = implicit::chainModel(line(n, length), false, p);
  return {model, line(n, length), implicit::chainMass(*model, density)};
}

struct TriangleMesh {
  VectorXd x;
  std::vector<std::array<int, 3>> triangles;
};

// Equilateral triangles of the given edge: rows of nx nodes, every second row shifted by half an edge.
inline TriangleMesh equilateral(int nx, int ny, double edge) {
  TriangleMesh m;
  m.x.resize(3 * nx * ny);
  for (int j = 0; j < ny; ++j)
    for (int i = 0; i < nx; ++i)
      m.x.segment<3>(3 * (j * nx + i)) = Eigen::Vector3d((i + 0.5 * (j % 2)) * edge, j * edge * std::sqrt(0.75), 0);
  for (int j = 0; j + 1 < ny; ++j)
    for (int i = 0; i + 1 < nx; ++i) {
      const int a = j * nx + i, b = a + 1, c = a + nx, d = c + 1;
      if (j % 2 == 0) {
        m.triangles.push_back({a, b, c});
        m.triangles.push_back({b, d, c});
      } else {
        m.triangles.push_back({a, d, c});
        m.triangles.push_back({a, b, d});
      }
    }
  return m;
}

}  // namespace meniscus::testing
