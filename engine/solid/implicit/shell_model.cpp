#include "engine/solid/implicit/shell_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace meniscus::implicit {

template <int D>
ShellModel<D>::ShellModel(int nodes, std::vector<Edge> edges, std::vector<Bend> bends, const ShellParameters& parameters)
    : nodes_(nodes), edges_(std::move(edges)), bends_(std::move(bends)), parameters_(parameters) {
  checkPositive("shell: stretching", parameters.stretching, true);
  checkPositive("shell: bending", parameters.bending, true);
  checkPositive("shell: damping", parameters.damping, true);
  for (const Edge& e : edges_) {
    checkPositive(fmt::format("shell: length of the edge from node {} to {}", e.a, e.b), e.rest);
    length_ = length_ == 0 ? e.rest : std::min(length_, e.rest);
  }
}

template <int D>
std::vector<std::vector<int>> ShellModel<D>::groups() const {
  std::vector<std::vector<int>> g;
  for (const Edge& e : edges_) g.push_back({e.a, e.b});
  for (const Bend& b : bends_) g.push_back(b.node);
  return g;
}

template <int D>
double ShellModel<D>::energy(const Vector& x) const {
  double e = 0;
  for (const Edge& k : edges_) {
    const double l = (x.segment<D>(k.b * D) - x.segment<D>(k.a * D)).norm();
    e += 0.5 * parameters_.stretching * k.width / k.rest * (l - k.rest) * (l - k.rest);
  }
  for (const Bend& b : bends_) {
    Eigen::Matrix<double, D, 1> s = Eigen::Matrix<double, D, 1>::Zero();
    for (std::size_t i = 0; i < b.node.size(); ++i) s += b.c[i] * x.segment<D>(b.node[i] * D);
    e += 0.5 * parameters_.bending * b.weight * s.squaredNorm();
  }
  return e;
}

template <int D>
void ShellModel<D>::addGradient(const Vector& x, Vector& g) const {
  for (const Edge& k : edges_) {
    const Eigen::Matrix<double, D, 1> r = x.segment<D>(k.b * D) - x.segment<D>(k.a * D);
    const double l = r.norm();
    if (l == 0) continue;  // the force has no direction; half way between the two sides it is 0
    const Eigen::Matrix<double, D, 1> f = r * (parameters_.stretching * k.width * (l - k.rest) / (k.rest * l));
    g.segment<D>(k.b * D) += f;
    g.segment<D>(k.a * D) -= f;
  }
  for (const Bend& b : bends_) {
    Eigen::Matrix<double, D, 1> s = Eigen::Matrix<double, D, 1>::Zero();
    for (std::size_t i = 0; i < b.node.size(); ++i) s += b.c[i] * x.segment<D>(b.node[i] * D);
    for (std::size_t i = 0; i < b.node.size(); ++i) g.segment<D>(b.node[i] * D) += (parameters_.bending * b.weight * b.c[i]) * s;
  }
}

// Along the edge the stiffness is constant; across it is tension / length, which is negative where the edge is pressed.
template <int D>
void ShellModel<D>::addHessian(const Vector& x, bool semidefinite, double scale, NodeMatrix<D>& h) const {
  using Block = Eigen::Matrix<double, D, D>;
  for (const Edge& k : edges_) {
    const Eigen::Matrix<double, D, 1> r = x.segment<D>(k.b * D) - x.segment<D>(k.a * D);
    const double l = r.norm();
    Block m = Block::Identity();
    if (l > 0) {
      double across = 1 - k.rest / l;
      if (semidefinite) across = std::max(0.0, across);
      const Block along = r * r.transpose() / (l * l);
      m = along + across * (Block::Identity() - along);
    }
    m *= scale * parameters_.stretching * k.width / k.rest;
    h.add(k.a, k.a, m);
    h.add(k.b, k.b, m);
    h.add(k.a, k.b, -m);
    h.add(k.b, k.a, -m);
  }
  for (const Bend& b : bends_)
    for (std::size_t i = 0; i < b.node.size(); ++i)
      for (std::size_t j = 0; j < b.node.size(); ++j)
        h.add(b.node[i], b.node[j], (scale * parameters_.bending * b.weight * b.c[i] * b.c[j]) * Block::Identity());
}

template <int D>
void ShellModel<D>::addDamping(const Vector& x, double scale, NodeMatrix<D>& c) const {
  if (parameters_.damping == 0) return;
  for (const Edge& k : edges_) {
    const Eigen::Matrix<double, D, 1> r = x.segment<D>(k.b * D) - x.segment<D>(k.a * D);
    const double l2 = r.squaredNorm();
    if (l2 == 0) continue;
    const Eigen::Matrix<double, D, D> m = r * r.transpose() * (scale * parameters_.damping * k.width / (k.rest * l2));
    c.add(k.a, k.a, m);
    c.add(k.b, k.b, m);
    c.add(k.a, k.b, -m);
    c.add(k.b, k.a, -m);
  }
}

template class ShellModel<2>;
template class ShellModel<3>;

}  // namespace meniscus::implicit
