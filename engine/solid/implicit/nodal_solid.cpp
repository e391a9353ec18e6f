#include "engine/solid/implicit/nodal_solid.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "engine/base/stop.h"

namespace meniscus::implicit {
namespace {

constexpr double kArmijo = 1e-4;  // of the slope that a step must gain
constexpr int kMaxHalvings = 40;
constexpr double kRoundOff = 1e-9;  // of the function's terms: a slope below it is judged by the gradient, which has more digits

}  // namespace

template <int D>
struct NodalSolid<D>::Minimum {
  const NodalSolid& solid;
  const SparseMatrix& damping;
  Vector y;
  double dt;

  // Its terms are all above 0 or nearly so; `terms` gets the sum of their sizes, which the round-off is relative to.
  double value(const Vector& x, double& terms) const {
    const Vector e = x - y, moved = x - solid.now_.x;
    const double inertia = 0.5 * e.dot(solid.mass_.cwiseProduct(e)), elastic = dt * dt * solid.model_->energy(x),
                 damped = 0.5 * dt * moved.dot(damping * moved);
    terms = std::fabs(inertia) + std::fabs(elastic) + std::fabs(damped);
    return inertia + elastic + damped;
  }

  Vector gradient(const Vector& x) const {
    Vector f = Vector::Zero(x.size());
    solid.model_->addGradient(x, f);
    Vector g = solid.mass_.cwiseProduct(x - y) + dt * dt * f + dt * (damping * (x - solid.now_.x));
    for (Eigen::Index i = 0; i < g.size(); ++i)
      if (solid.now_.given[std::size_t(i)]) g[i] = 0;
    return g;
  }

  void hessian(const Vector& x, bool semidefinite, NodeMatrix<D>& h) const {
    h.setZero();
    solid.model_->addHessian(x, semidefinite, dt * dt, h);
    h.matrix() += dt * damping;
    h.matrix().diagonal() += solid.mass_;
    replaceByIdentity(h.matrix(), solid.now_.given);
  }
};

template <int D>
NodalSolid<D>::NodalSolid(std::shared_ptr<const ElasticModel<D>> model, const Vector& x, const Vector& mass,
                          const NewtonOptions& options)
    : model_(std::move(model)), options_(options) {
  if (x.size() != model_->nodes() * D || mass.size() != model_->nodes())
    refuse("solid", fmt::format("{} coordinates and {} masses do not fit the {} nodes of its elements", x.size(), mass.size(),
                                model_->nodes()));
  checkFinite("solid: positions", x);
  checkPositive("solid: Newton tolerance", options.tolerance);
  if (options.maxIterations < 1) refuse("solid: Newton iterations", "give at least 1");
  mass_.resize(x.size());
  for (Eigen::Index i = 0; i < mass.size(); ++i) {
    checkPositive(fmt::format("solid: mass of node {}", i), mass[i]);
    mass_.segment<D>(i * D).setConstant(mass[i]);
  }
  now_ = {x, Vector::Zero(x.size()), std::vector<char>(std::size_t(x.size()), 0), Vector::Zero(x.size())};
  saved_ = now_;
  gravity_ = Vector::Zero(x.size());
  hessian_ = NodeMatrix<D>(model_->nodes(), model_->groups());
  damping_ = hessian_;
  system_.setPattern(hessian_.matrix());
}

template <int D>
void NodalSolid<D>::checkNode(int node) const {
  if (node < 0 || node >= model_->nodes()) refuse("solid", fmt::format("node {} of {} does not exist", node, model_->nodes()));
}

template <int D>
void NodalSolid<D>::setGravity(const Coordinates& g) {
  checkFinite("solid: gravity", g);
  gravity_ = g.replicate(model_->nodes(), 1);
}

template <int D>
void NodalSolid<D>::prescribe(int node, const Coordinates& velocity) {
  checkNode(node);
  checkFinite("solid: prescribed velocity", velocity);
  for (int d = 0; d < D; ++d) now_.given[std::size_t(node * D + d)] = 1;
  now_.givenVelocity.template segment<D>(node * D) = velocity;
}

template <int D>
void NodalSolid<D>::release(int node) {
  checkNode(node);
  for (int d = 0; d < D; ++d) now_.given[std::size_t(node * D + d)] = 0;
}

template <int D>
void NodalSolid<D>::setMotion(const Vector& position, const Vector& velocity) {
  if (position.size() != size() || velocity.size() != size())
    refuse("solid", "positions and velocities must be those of all nodes");
  checkFinite("solid: positions", position);
  checkFinite("solid: velocities", velocity);
  now_.x = position;
  now_.v = velocity;
}

template <int D>
bool NodalSolid<D>::step(const Vector& impulse, double dt) {
  if (impulse.size() != size()) refuse("solid", fmt::format("{} impulses where {} are expected", impulse.size(), size()));
  checkPositive("solid: time step", dt);
  report_ = {};
  report_.converged = false;
  if (!impulse.allFinite()) return false;
  damping_.setZero();
  model_->addDamping(now_.x, 1, damping_);
  Minimum f{*this, damping_.matrix(), now_.x + dt * (now_.v + impulse.cwiseQuotient(mass_)) + dt * dt * gravity_, dt};
  Vector x = now_.x;
  for (Eigen::Index i = 0; i < x.size(); ++i)
    if (now_.given[std::size_t(i)]) x[i] = f.y[i] = now_.x[i] + dt * now_.givenVelocity[i];
  if (!prepare(f) || !newton(f, x)) return false;
  now_.v = (x - now_.x) / dt;
  now_.x = x;
  report_.converged = true;
  return true;
}

// Hangs on the state and the time step alone, so that a step does not remember those before.
template <int D>
bool NodalSolid<D>::prepare(const Minimum& f) {
  system_.begin();
  if (!system_.isLarge() || (prepared_.dt == f.dt && prepared_.given == now_.given && prepared_.x == now_.x)) return true;
  prepared_.dt = 0;
  f.hessian(now_.x, true, hessian_);
  if (!system_.prepare(hessian_.matrix())) return false;
  prepared_ = {now_.x, now_.given, f.dt};
  return true;
}

// The exact second derivative where it is positive definite, which makes the last steps quadratic; the one without its negative
// part elsewhere, whose direction always leads downhill.
template <int D>
bool NodalSolid<D>::direction(const Minimum& f, const Vector& x, const Vector& g, Vector& d) {
  ++report_.iterations;
  stopIfAsked();
  f.hessian(x, false, hessian_);
  if (system_.solve(hessian_.matrix(), g, d)) return true;
  ++report_.semidefinite;
  f.hessian(x, true, hessian_);
  return system_.solve(hessian_.matrix(), g, d) || system_.solveByFactor(hessian_.matrix(), g, d);
}

template <int D>
bool NodalSolid<D>::newton(const Minimum& f, Vector& x) {
  double terms = 0, unused = 0, value = f.value(x, terms);
  Vector d;
  while (report_.iterations < options_.maxIterations) {
    const Vector g = f.gradient(x);
    if (!std::isfinite(value) || !g.allFinite() || !direction(f, x, g, d)) return false;
    const bool last = d.template lpNorm<Eigen::Infinity>() <= options_.tolerance * model_->length();
    const double slope = g.dot(d);
    double size = 1;
    for (int halvings = 0; !last; size *= 0.5, ++report_.lineSearchSteps) {
      const double next = f.value(x + size * d, unused);
      if (next <= value + kArmijo * size * slope) break;
      if (-slope <= kRoundOff * terms && std::fabs(f.gradient(x + size * d).dot(d)) <= -0.5 * slope) break;
      if (++halvings > kMaxHalvings) return false;
    }
    x += size * d;
    if (last) return x.allFinite();
    value = f.value(x, terms);
  }
  return false;
}

template <int D>
LinearisedStep NodalSolid<D>::linearised(double dt) const {
  LinearisedStep s;
  NodeMatrix<D> k = hessian_;
  k.setZero();
  model_->addDamping(now_.x, 1, k);
  s.damping = k.matrix();
  k.setZero();
  model_->addHessian(now_.x, true, 1, k);
  s.stiffness = k.matrix();
  s.mass.resize(size(), size());
  s.mass.setIdentity();
  s.nodes = s.mass;
  s.mass.diagonal() = mass_;
  Vector g = Vector::Zero(size());
  model_->addGradient(now_.x, g);
  s.predicted = now_.v + dt * (gravity_ - g.cwiseQuotient(mass_));
  s.given = now_.given;
  for (Eigen::Index i = 0; i < size(); ++i)
    if (s.given[std::size_t(i)]) s.predicted[i] = now_.givenVelocity[i];
  return s;
}

// Exact where that is positive definite: it is at a minimum, but for round-off and where the step ended on a saddle.
template <int D>
SparseMatrix NodalSolid<D>::endSystem(double dt) const {
  NodeMatrix<D> damping = hessian_, h = hessian_;
  damping.setZero();
  model_->addDamping(saved_.x, 1, damping);
  const Minimum f{*this, damping.matrix(), {}, dt};
  f.hessian(now_.x, false, h);
  const SparseFactor factor(h.matrix());
  if (factor.info() != Eigen::Success || !(factor.vectorD().minCoeff() > 0)) f.hessian(now_.x, true, h);
  return h.matrix();
}

template class NodalSolid<2>;
template class NodalSolid<3>;

}  // namespace meniscus::implicit
