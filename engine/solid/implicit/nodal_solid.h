// Elastic solids of point masses, advanced by backward Euler: each step is the minimum of
//   1/2 (x - y)^T M (x - y) + dt^2 E(x) + dt/2 (x - x^n)^T C (x - x^n),   y = x^n + dt (v^n + M^-1 J) + dt^2 g
// found by Newton's method with a line search. C is taken at x^n, so that the step stays the minimum of one function.
//
// Based on: Martin et al., Example-based elastic materials, 2011, section 4 (implicit Euler as a minimum).
#pragma once

#include <memory>
#include <vector>

#include "engine/solid/implicit/implicit_solid.h"
#include "engine/solid/implicit/newton_system.h"
#include "engine/solid/implicit/node_matrix.h"

namespace meniscus::implicit {

// The elastic energy of a mesh. All functions are pure.
template <int D>
class ElasticModel {
 public:
  virtual ~ElasticModel() = default;
  virtual int nodes() const = 0;

  // The nodes of each element, for the pattern of the matrices.
  virtual std::vector<std::vector<int>> groups() const = 0;

  // A length of its elements [m], which the tolerance of Newton's method is relative to.
  virtual double length() const = 0;

  // E [J]; not finite where x is out of the model's range.
  virtual double energy(const Vector& x) const = 0;

  // Adds dE/dx [N] to g.
  virtual void addGradient(const Vector& x, Vector& g) const = 0;

  // Adds scale times the second derivative of E [N/m], without its negative part where `semidefinite`.
  virtual void addHessian(const Vector& x, bool semidefinite, double scale, NodeMatrix<D>& h) const = 0;

  // Adds scale times C [N s/m] at x: symmetric, positive semi-definite, without force in a motion that keeps all lengths.
  virtual void addDamping(const Vector& x, double scale, NodeMatrix<D>& c) const = 0;
};

struct NewtonOptions {
  double tolerance = 1e-9;   // of the model's length that the largest coordinate of a last step may have
  int maxIterations = 1000;  // few are needed but where a stiff shell buckles or swings by many of its edges in one step
};

struct NewtonReport {
  bool converged = true;
  int iterations = 0;       // linear solves
  int semidefinite = 0;     // of them with the negative part left out
  int lineSearchSteps = 0;  // halvings
};

template <int D>
class NodalSolid : public ImplicitSolid {
 public:
  using Coordinates = Eigen::Matrix<double, D, 1>;

  // x: positions (D a node) [m]; mass of each node [kg]. Throws Error(input) for sizes that do not fit and masses that are not
  // above 0. Starts at rest.
  NodalSolid(std::shared_ptr<const ElasticModel<D>> model, const Vector& x, const Vector& mass, const NewtonOptions& options = {});

  void setGravity(const Coordinates& g);

  // The node moves at this velocity [m/s] whatever acts on it, from now on: zero pins it.
  void prescribe(int node, const Coordinates& velocity);
  void release(int node);
  void setMotion(const Vector& position, const Vector& velocity);

  Eigen::Index size() const override { return now_.x.size(); }
  Vector position() const override { return now_.x; }
  Vector velocity() const override { return now_.v; }
  bool step(const Vector& impulse, double dt) override;
  void save() override { saved_ = now_; }
  void restore() override { now_ = saved_; }
  LinearisedStep linearised(double dt) const override;
  SparseMatrix endSystem(double dt) const override;

  const NewtonReport& report() const { return report_; }
  const ElasticModel<D>& model() const { return *model_; }
  const Vector& mass() const { return mass_; }

 private:
  struct State {
    Vector x, v;
    std::vector<char> given;  // one a coordinate
    Vector givenVelocity;
  };
  struct Minimum;     // the function of one step
  struct Beginning {  // of a step
    Vector x;
    std::vector<char> given;
    double dt = 0;
  };
  bool prepare(const Minimum& f);
  bool newton(const Minimum& f, Vector& x);
  bool direction(const Minimum& f, const Vector& x, const Vector& g, Vector& d);
  void checkNode(int node) const;

  std::shared_ptr<const ElasticModel<D>> model_;
  Vector mass_;  // one a coordinate
  Vector gravity_;
  NewtonOptions options_;
  State now_, saved_;
  NodeMatrix<D> hessian_, damping_;
  NewtonSystem system_;
  Beginning prepared_;  // what the system is prepared for
  NewtonReport report_;
};

extern template class NodalSolid<2>;
extern template class NodalSolid<3>;

}  // namespace meniscus::implicit
