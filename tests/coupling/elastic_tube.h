// Flow in an elastic tube in one dimension, the usual small benchmark of strong coupling: an inflow that pulses, a wall that
// answers the pressure at once, and an added mass that Gauss-Seidel cannot bear.
//
// Equations: Degroote, Bruggeman, Haelterman & Vierendeels, Stability of a coupling technique for partitioned solvers in FSI
// applications, 2008, as the preCICE tutorial elastic-tube-1d states them: on N cells of length dx, with face values a_i+1/2 =
// (a_i + a_i+1) / 2 and implicit Euler,
//   dx/dt (a - a^n) + [a v] = 0
//   dx/dt (a v - a^n v^n) + [v_upwind a v] + ([a_i+1/2 (p_i+1 - p_i)] + [a_i-1/2 (p_i - p_i-1)]) / (2 rho) = 0
// where [.] is the difference of the two faces. v is given at the inlet and extrapolated at the outlet, p is extrapolated at the
// inlet and does not reflect at the outlet. Wall: a = a0 ((2 c^2) / (2 c^2 - p))^2 with c^2 = E / (2 rho r0). x of the coupling is
// the cross section a [m^2] of each node, the load its pressure [Pa].
#pragma once

#include <Eigen/SparseLU>
#include <cmath>

#include "tests/coupling/boxes.h"

namespace meniscus::testing {

constexpr int kTubeCells = 100;
constexpr double kTubeLength = 10, kTubeArea = 1, kTubeDt = 0.01;

inline double tubeWaveSpeedSquared(double youngsModulus) { return youngsModulus * std::sqrt(M_PI) / 2; }

class TubeFluid : public FluidBox {
 public:
  explicit TubeFluid(double youngsModulus)
      : c2_(tubeWaveSpeedSquared(youngsModulus)),
        a_(VectorXd::Constant(kTubeCells + 1, kTubeArea)),
        v_(VectorXd::Constant(kTubeCells + 1, 10)),
        p_(VectorXd::Zero(kTubeCells + 1)) {
    save();
  }
  void save() override { saved_ = {a_, v_, p_, time_}; }
  void restore() override {
    a_ = saved_.a;
    v_ = saved_.v;
    p_ = saved_.p;
    time_ = saved_.time;
  }
  void setBoundary(const Motion& now) override { a_ = vectorOf(now.position); }
  LoadKind loadKind() const override { return LoadKind::pressure; }
  Load solve(const Motion& end, double dt) override {
    const VectorXd aOld = a_, vOld = v_, pOld = p_;
    a_ = vectorOf(end.position);
    time_ += dt;
    const double inlet = 10 + 3 * std::sin(10 * M_PI * time_);
    for (int newton = 0; newton < 50; ++newton) {
      const VectorXd r = residual(aOld, vOld, pOld, inlet, dt);
      if (!r.allFinite() || (newton > 0 && r.norm() <= 1e-10 * std::sqrt(v_.squaredNorm() + p_.squaredNorm()))) break;
      Eigen::SparseLU<Eigen::SparseMatrix<double>> lu(jacobian(vOld, pOld, dt));
      if (lu.info() != Eigen::Success) {
        p_.setConstant(std::nan(""));
        break;
      }
      const VectorXd change = lu.solve(r);
      for (int i = 0; i <= kTubeCells; ++i) {
        v_[i] -= change[2 * i];
        p_[i] -= change[2 * i + 1];
      }
    }
    return {LoadKind::pressure, doubles(p_)};
  }

 private:
  struct State {
    VectorXd a, v, p;
    double time = 0;
  };

  double face(int i) const { return 0.5 * (a_[i] + a_[i + 1]); }  // between nodes i and i + 1
  double speed(int i) const { return 0.5 * (v_[i] + v_[i + 1]); }
  double outletRoot(const VectorXd& vOld, const VectorXd& pOld) const {
    return std::sqrt(c2_ - pOld[kTubeCells] / 2) - (v_[kTubeCells] - vOld[kTubeCells]) / 4;
  }

  // Rows 2i: momentum or a condition on v; rows 2i + 1: continuity or a condition on p.
  VectorXd residual(const VectorXd& aOld, const VectorXd& vOld, const VectorXd& pOld, double inlet, double dt) const {
    const int n = kTubeCells;
    const double rate = kTubeLength / n / dt;
    VectorXd r(2 * n + 2);
    for (int i = 1; i < n; ++i) {
      const double out = face(i) * speed(i), in = face(i - 1) * speed(i - 1);
      r[2 * i] = rate * (a_[i] * v_[i] - aOld[i] * vOld[i]) + out * v_[i] - in * v_[i - 1] +
                 0.5 * (face(i) * (p_[i + 1] - p_[i]) + face(i - 1) * (p_[i] - p_[i - 1]));
      r[2 * i + 1] = rate * (a_[i] - aOld[i]) + out - in;
    }
    r[0] = v_[0] - inlet;
    r[1] = p_[0] - 2 * p_[1] + p_[2];
    r[2 * n] = v_[n] - 2 * v_[n - 1] + v_[n - 2];
    const double root = outletRoot(vOld, pOld);
    r[2 * n + 1] = p_[n] - 2 * (c2_ - root * root);
    return r;
  }

  Eigen::SparseMatrix<double> jacobian(const VectorXd& vOld, const VectorXd& pOld, double dt) const {
    const int n = kTubeCells;
    const double rate = kTubeLength / n / dt;
    std::vector<Eigen::Triplet<double>> t;
    const auto v = [&](int row, int node, double value) { t.emplace_back(row, 2 * node, value); };
    const auto p = [&](int row, int node, double value) { t.emplace_back(row, 2 * node + 1, value); };
    for (int i = 1; i < n; ++i) {
      const double out = face(i), in = face(i - 1);
      v(2 * i, i - 1, -in * (0.5 * v_[i - 1] + speed(i - 1)));
      v(2 * i, i, rate * a_[i] + out * (0.5 * v_[i] + speed(i)) - 0.5 * in * v_[i - 1]);
      v(2 * i, i + 1, 0.5 * out * v_[i]);
      p(2 * i, i - 1, -0.5 * in);
      p(2 * i, i, 0.5 * (in - out));
      p(2 * i, i + 1, 0.5 * out);
      v(2 * i + 1, i - 1, -0.5 * in);
      v(2 * i + 1, i, 0.5 * (out - in));
      v(2 * i + 1, i + 1, 0.5 * out);
    }
    v(0, 0, 1);
    for (const auto& [node, weight] : {std::pair{0, 1.0}, {1, -2.0}, {2, 1.0}}) {
      p(1, node, weight);
      v(2 * n, n - node, weight);
    }
    p(2 * n + 1, n, 1);
    v(2 * n + 1, n, -outletRoot(vOld, pOld));
    Eigen::SparseMatrix<double> m(2 * n + 2, 2 * n + 2);
    m.setFromTriplets(t.begin(), t.end());
    return m;
  }

  double c2_;
  VectorXd a_, v_, p_;
  double time_ = 0;
  State saved_;
};

class TubeSolid : public SolidBox {
 public:
  explicit TubeSolid(double youngsModulus)
      : c2_(tubeWaveSpeedSquared(youngsModulus)),
        a_(VectorXd::Constant(kTubeCells + 1, kTubeArea)),
        v_(VectorXd::Zero(kTubeCells + 1)) {
    save();
  }
  void save() override {
    savedA_ = a_;
    savedV_ = v_;
  }
  void restore() override {
    a_ = savedA_;
    v_ = savedV_;
  }
  LoadKind loadKind() const override { return LoadKind::pressure; }
  Motion motion() const override { return {doubles(a_), doubles(v_)}; }
  Motion solve(const Load& load, double dt) override {
    const VectorXd before = a_;
    a_ = (kTubeArea * (2 * c2_ / (2 * c2_ - vectorOf(load.value).array())).square()).matrix();
    v_ = (a_ - before) / dt;
    return motion();
  }

 private:
  double c2_;
  VectorXd a_, v_, savedA_, savedV_;
};

}  // namespace meniscus::testing
