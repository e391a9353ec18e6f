// The energy of thin shells: chains of nodes in the plane, triangle meshes in space.
//
//   stretch   each edge is a spring: tension = stretching * strain; shear is resisted by the edges of the triangles
//   bending   quadratic in the positions, with a constant positive semi-definite matrix: zero in all positions of a flat sheet, and
//             where it is rolled up without stretching, 1/2 bending * curvature^2 a length or area (of equilateral triangles;
//             others are stiffer along some directions and softer along others)
//   damping   along each edge: damping * rate of strain
//
// Based on: Akbay et al. 2018, section 7 (point masses and springs); Bergou et al., A quadratic bending model for inextensible
// surfaces, 2006, equations 4 and 5, with a weight for cylinders in place of spheres.
#pragma once

#include <array>
#include <vector>

#include "engine/solid/implicit/nodal_solid.h"

namespace meniscus::implicit {

// In the plane per metre of depth. Of a triangle mesh, stretching is the Young's modulus times the thickness where the triangles
// are equilateral; the ratio of contraction is then 1/3, which is that of all springs.
struct ShellParameters {
  double stretching = 0;  // tension per strain: [N/m] in the plane and in space; 0 is none
  double bending = 0;     // [N m]: moment per length over curvature; in the plane E I per metre of depth
  double damping = 0;     // tension per rate of strain [N s/m]
};

template <int D>
class ShellModel : public ElasticModel<D> {
 public:
  struct Edge {
    int a, b;
    double rest;   // length at rest [m]
    double width;  // of the shell that the edge carries: 1 in the plane
  };
  // 1/2 bending weight |sum c_i x_i|^2
  struct Bend {
    std::vector<int> node;
    std::vector<double> c;
    double weight;
  };

  ShellModel(int nodes, std::vector<Edge> edges, std::vector<Bend> bends, const ShellParameters& parameters);

  int nodes() const override { return nodes_; }
  std::vector<std::vector<int>> groups() const override;
  double length() const override { return length_; }
  double energy(const Vector& x) const override;
  void addGradient(const Vector& x, Vector& g) const override;
  void addHessian(const Vector& x, bool semidefinite, double scale, NodeMatrix<D>& h) const override;
  void addDamping(const Vector& x, double scale, NodeMatrix<D>& c) const override;

  const std::vector<Edge>& edges() const { return edges_; }

 private:
  int nodes_;
  std::vector<Edge> edges_;
  std::vector<Bend> bends_;
  ShellParameters parameters_;
  double length_ = 0;
};

extern template class ShellModel<2>;
extern template class ShellModel<3>;

// A chain through the nodes in order, at rest where each edge has its length in `rest` times restScale; closed: the last node is
// joined to the first. Throws Error(input) for fewer than two nodes, edges without length and parameters out of range.
std::shared_ptr<const ShellModel<2>> chainModel(const Vector& rest, bool closed, const ShellParameters& parameters,
                                                double restScale = 1);
// A triangle mesh at rest in `rest`, flat or not; its bending is zero where it is flat. Throws Error(input) besides for triangles
// without area, of missing nodes, and for edges of more than two triangles.
std::shared_ptr<const ShellModel<3>> sheetModel(const Vector& rest, const std::vector<std::array<int, 3>>& triangles,
                                                const ShellParameters& parameters);

// Masses of the nodes [kg, or kg per metre of depth]: half of each edge's and a third of each triangle's. density: kg/m^2.
Vector chainMass(const ShellModel<2>& model, double density);
Vector sheetMass(const Vector& rest, const std::vector<std::array<int, 3>>& triangles, double density);

}  // namespace meniscus::implicit
