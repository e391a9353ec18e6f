#include "engine/solid/implicit/corotational_tets.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace meniscus::implicit {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// F = U diag(s) V^T with rotations U V^T, s falling, and s[2] < 0 where F is inverted.
struct Stretch {
  Matrix3d u, v;
  Vector3d s;
};

Stretch stretchOf(const Matrix3d& f) {
  const Eigen::JacobiSVD<Matrix3d> svd(f, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Stretch a{svd.matrixU(), svd.matrixV(), svd.singularValues()};
  if ((a.u * a.v.transpose()).determinant() < 0) {
    a.u.col(2) *= -1;
    a.s[2] *= -1;
  }
  return a;
}

// The nearest rotation.
Matrix3d rotationOf(const Matrix3d& f) {
  const Stretch a = stretchOf(f);
  return a.u * a.v.transpose();
}

constexpr double kLeastSum = 1e-3;  // of two singular values: below, the rotation is that of no one direction

// A direction of F, of length 1, that turns R in one plane: dR/dF is the sum of 2 / (s_i + s_j) t t^T.
struct Twist {
  Matrix3d t;
  double factor;  // of t t^T in the second derivative
};

// Those of all three planes. coefficient: lambda (tr S - 3) - 2 mu, that d^2(energy)/dF^2 has dR/dF with.
std::array<Twist, 3> twistsOf(const Stretch& a, double coefficient) {
  std::array<Twist, 3> all;
  for (int k = 0; k < 3; ++k) {
    const int i = k == 2 ? 0 : k, j = k == 0 ? 1 : 2;
    all[std::size_t(k)] = {(a.u.col(i) * a.v.col(j).transpose() - a.u.col(j) * a.v.col(i).transpose()) / std::sqrt(2.0),
                           2 * coefficient / std::max(kLeastSum, a.s[i] + a.s[j])};
  }
  return all;
}

}  // namespace

CorotationalTets::CorotationalTets(const Vector& rest, const std::vector<std::array<int, 4>>& tets, const TetParameters& parameters)
    : nodes_(int(rest.size() / 3)), damping_(parameters.damping) {
  checkPositive("tetrahedra: Young's modulus", parameters.young);
  checkPositive("tetrahedra: damping", parameters.damping, true);
  if (!(parameters.poisson > -1 && parameters.poisson < 0.5))
    refuse("tetrahedra: Poisson's ratio", fmt::format("is {}; give one between -1 and 0.5", parameters.poisson));
  if (rest.size() % 3 != 0 || tets.empty()) refuse("tetrahedra", "give three coordinates a node, and tetrahedra");
  checkFinite("tetrahedra: positions", rest);
  mu_ = parameters.young / (2 * (1 + parameters.poisson));
  lambda_ = parameters.young * parameters.poisson / ((1 + parameters.poisson) * (1 - 2 * parameters.poisson));
  for (std::size_t k = 0; k < tets.size(); ++k) {
    Tet t{tets[k], {}, 0};
    for (const int i : t.node)
      if (i < 0 || i >= nodes_) refuse(fmt::format("tetrahedron {}", k), fmt::format("has the node {} of {}", i, nodes_));
    Matrix3d d;
    for (int i = 0; i < 3; ++i) d.col(i) = rest.segment<3>(3 * t.node[std::size_t(i + 1)]) - rest.segment<3>(3 * t.node[0]);
    t.volume = d.determinant() / 6;
    checkPositive(fmt::format("tetrahedron {}: volume", k), t.volume);
    const Matrix3d inverse = d.inverse();
    t.slope[0] = -inverse.colwise().sum().transpose();
    for (int i = 0; i < 3; ++i) t.slope[std::size_t(i + 1)] = inverse.row(i).transpose();
    const double size = std::cbrt(6 * t.volume);
    length_ = k == 0 ? size : std::min(length_, size);
    tets_.push_back(t);
  }
}

std::vector<std::vector<int>> CorotationalTets::groups() const {
  std::vector<std::vector<int>> g;
  for (const Tet& t : tets_) g.emplace_back(t.node.begin(), t.node.end());
  return g;
}

Matrix3d CorotationalTets::gradientOf(const Tet& t, const Vector& x) const {
  Matrix3d f = Matrix3d::Zero();
  for (std::size_t i = 0; i < 4; ++i) {
    const Vector3d p = x.segment<3>(3 * t.node[i]);
    for (int c = 0; c < 3; ++c) f.col(c) += t.slope[i][c] * p;
  }
  return f;
}

double CorotationalTets::energy(const Vector& x) const {
  double e = 0;
  for (const Tet& t : tets_) {
    const Matrix3d f = gradientOf(t, x);
    const Matrix3d r = rotationOf(f);
    const double stretch = (r.transpose() * f).trace() - 3;
    e += t.volume * (mu_ * (f - r).squaredNorm() + 0.5 * lambda_ * stretch * stretch);
  }
  return e;
}

void CorotationalTets::addGradient(const Vector& x, Vector& g) const {
  for (const Tet& t : tets_) {
    const Matrix3d f = gradientOf(t, x), r = rotationOf(f);
    const Matrix3d stress = t.volume * (2 * mu_ * (f - r) + lambda_ * ((r.transpose() * f).trace() - 3) * r);
    for (std::size_t i = 0; i < 4; ++i) g.segment<3>(3 * t.node[i]) += stress * t.slope[i];
  }
}

// V (2 mu I + lambda R R^T + sum of the twists) over F: a node i moves F by x_i b_i^T, so that blocks are of R b and t b.
void CorotationalTets::addHessian(const Vector& x, bool semidefinite, double scale, NodeMatrix<3>& h) const {
  for (const Tet& tet : tets_) {
    const Stretch a = stretchOf(gradientOf(tet, x));
    const Matrix3d r = a.u * a.v.transpose();
    const std::array<Twist, 3> twists = twistsOf(a, lambda_ * (a.s.sum() - 3) - 2 * mu_);
    Eigen::Matrix<double, 3, 4> w[4];  // of each node: R b and the t b
    for (std::size_t i = 0; i < 4; ++i) {
      w[i].col(0) = r * tet.slope[i];
      for (int k = 0; k < 3; ++k) w[i].col(k + 1) = twists[std::size_t(k)].t * tet.slope[i];
    }
    Eigen::Vector4d factor;
    factor[0] = lambda_;
    for (int k = 0; k < 3; ++k) {
      const double q = twists[std::size_t(k)].factor;
      factor[k + 1] = semidefinite ? std::max(q, -2 * mu_) : q;
    }
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < 4; ++j) {
        Matrix3d k = w[i] * factor.asDiagonal() * w[j].transpose();
        k.diagonal().array() += 2 * mu_ * tet.slope[i].dot(tet.slope[j]);
        h.add(tet.node[i], tet.node[j], scale * tet.volume * k);
      }
  }
}

// The constant element matrix of linear elasticity, turned: V (mu ((a . b) I + b a^T) + lambda a b^T) for the slopes a and b in the
// turned frame.
void CorotationalTets::addDamping(const Vector& x, double scale, NodeMatrix<3>& c) const {
  if (damping_ == 0) return;
  for (const Tet& t : tets_) {
    const Matrix3d r = rotationOf(gradientOf(t, x));
    std::array<Vector3d, 4> s;
    for (std::size_t i = 0; i < 4; ++i) s[i] = r * t.slope[i];
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < 4; ++j) {
        Matrix3d k = mu_ * s[j] * s[i].transpose() + lambda_ * s[i] * s[j].transpose();
        k.diagonal().array() += mu_ * s[i].dot(s[j]);
        c.add(t.node[i], t.node[j], scale * damping_ * t.volume * k);
      }
  }
}

Vector CorotationalTets::mass(double density) const {
  checkPositive("tetrahedra: density", density);
  Vector m = Vector::Zero(nodes_);
  for (const Tet& t : tets_)
    for (const int i : t.node) m[i] += 0.25 * density * t.volume;
  return m;
}

}  // namespace meniscus::implicit
