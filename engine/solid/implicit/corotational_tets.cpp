#include "engine/solid/implicit/corotational_tets.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace meniscus::implicit {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// The nearest rotation.
Matrix3d rotationOf(const Matrix3d& f) {
  const Eigen::JacobiSVD<Matrix3d> svd(f, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Matrix3d u = svd.matrixU();
  if ((u * svd.matrixV().transpose()).determinant() < 0) u.col(2) *= -1;
  return u * svd.matrixV().transpose();
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
    if (!(f.determinant() > 0)) return std::numeric_limits<double>::infinity();
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

// The constant element matrix of linear elasticity, turned: V (mu ((a . b) I + b a^T) + lambda a b^T) for the slopes a and b in the
// turned frame.
void CorotationalTets::addHessian(const Vector& x, bool, double scale, NodeMatrix<3>& h) const {
  for (const Tet& t : tets_) {
    const Matrix3d r = rotationOf(gradientOf(t, x));
    std::array<Vector3d, 4> s;
    for (std::size_t i = 0; i < 4; ++i) s[i] = r * t.slope[i];
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < 4; ++j) {
        Matrix3d k;
        for (int a = 0; a < 3; ++a)
          for (int b = 0; b < 3; ++b)
            k(a, b) = scale * t.volume * (mu_ * ((a == b ? s[i].dot(s[j]) : 0) + s[j][a] * s[i][b]) + lambda_ * s[i][a] * s[j][b]);
        h.add(t.node[i], t.node[j], k);
      }
  }
}

void CorotationalTets::addDamping(const Vector& x, double scale, NodeMatrix<3>& c) const {
  if (damping_ != 0) addHessian(x, true, scale * damping_, c);
}

Vector CorotationalTets::mass(double density) const {
  checkPositive("tetrahedra: density", density);
  Vector m = Vector::Zero(nodes_);
  for (const Tet& t : tets_)
    for (const int i : t.node) m[i] += 0.25 * density * t.volume;
  return m;
}

}  // namespace meniscus::implicit
