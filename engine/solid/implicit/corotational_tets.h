// Linear tetrahedra of a corotational material. With F the deformation gradient and R its rotation, an element of volume V at rest
// has the energy V (mu |F - R|^2 + lambda / 2 tr(R^T F - I)^2).
//
// R is the nearest rotation, also where the element is inverted: the smallest singular value of F is then negative, the energy goes
// on smoothly and pushes the element back.
//
// The second derivative is exact: of R by its twists, as R changes with F by them alone. Without its negative part where that is
// asked for, element by element. Damping takes R K R^T with the element's constant stiffness K: a rotation has no damping.
//
// Based on: Mueller and Gross, Interactive virtual materials, 2004; Sifakis and Barbic, FEM simulation of 3D deformable solids,
// 2012, section 3.4; Irving et al., Invertible finite elements, 2004; Smith et al., Analytic eigensystems for isotropic distortion
// energies, 2019.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "engine/solid/implicit/nodal_solid.h"

namespace meniscus::implicit {

struct TetParameters {
  double young = 0;    // [Pa]
  double poisson = 0;  // in (-1, 0.5)
  double damping = 0;  // [s]: C = damping K, at the rotations of the step's beginning
};

class CorotationalTets : public ElasticModel<3> {
 public:
  // rest: three coordinates a node [m]; tets of positive volume: det(x1 - x0, x2 - x0, x3 - x0) > 0. Throws Error(input) for
  // inverted and flat tetrahedra, nodes that do not exist and parameters out of their range.
  CorotationalTets(const Vector& rest, const std::vector<std::array<int, 4>>& tets, const TetParameters& parameters);

  int nodes() const override { return nodes_; }
  std::vector<std::vector<int>> groups() const override;
  double length() const override { return length_; }

  double energy(const Vector& x) const override;
  void addGradient(const Vector& x, Vector& g) const override;
  void addHessian(const Vector& x, bool semidefinite, double scale, NodeMatrix<3>& h) const override;
  void addDamping(const Vector& x, double scale, NodeMatrix<3>& c) const override;

  // Masses of the nodes [kg]: a quarter of each tetrahedron's. density: kg/m^3.
  Vector mass(double density) const;

 private:
  struct Tet {
    std::array<int, 4> node;
    std::array<Eigen::Vector3d, 4> slope;  // gradients of the shape functions at rest [1/m]
    double volume;                         // at rest [m^3]
  };
  Eigen::Matrix3d gradientOf(const Tet& t, const Vector& x) const;

  int nodes_;
  std::vector<Tet> tets_;
  double mu_, lambda_, damping_, length_ = 0;
};

}  // namespace meniscus::implicit
