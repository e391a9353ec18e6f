// The closed form of equations 6 and 7 against the equations as printed.
#include <gtest/gtest.h>

#include <unsupported/Eigen/IterativeSolvers>

#include "engine/coupling/xpm/reduced_model.h"
#include "tests/coupling/boxes.h"

namespace meniscus::testing {
namespace {

using coupling::ReducedModel;
using coupling::SecantModel;
using coupling::SecantPairs;

// The paper's Jacobian: newest minus each older pair, QR with full pivoting (section 4.2).
MatrixXd printedJacobian(const std::vector<VectorXd>& in, const std::vector<VectorXd>& out) {
  const int k = static_cast<int>(in.size()) - 1;
  MatrixXd V(in[0].size(), k), P(out[0].size(), k);
  for (int j = 0; j < k; ++j) {
    V.col(j) = in.back() - in[j];
    P.col(j) = out.back() - out[j];
  }
  return P * V.fullPivHouseholderQr().solve(MatrixXd::Identity(V.rows(), V.rows()));
}

struct Calls {
  std::vector<VectorXd> in, out;
  SecantPairs pairs;
  void add(const VectorXd& i, const VectorXd& o) {
    in.push_back(i);
    out.push_back(o);
    pairs.add(i, o);
  }
};

// k fluid and kSolid solid calls of random matrices, each call's change a tenth of the one before, as in a converging step.
struct Case {
  Case(int n, int m, int k, int kSolid) {
    const MatrixXd F = scattered(m, n, 1), S = scattered(n, m, 2), x = scattered(n, k, 3), p = scattered(m, kSolid, 4);
    VectorXd at = VectorXd::Zero(n), load = VectorXd::Zero(m);
    for (int j = 0; j < k; ++j) {
      at += std::pow(0.1, j) * x.col(j);
      fluid.add(at, F * at);
    }
    for (int j = 0; j < kSolid; ++j) {
      load += std::pow(0.1, j) * p.col(j);
      solid.add(load, S * load);
    }
  }
  Calls fluid, solid;
};

VectorXd gmres(const MatrixXd& A, const VectorXd& b) {
  Eigen::GMRES<MatrixXd, Eigen::IdentityPreconditioner> solver(A);
  solver.setTolerance(1e-14);
  solver.set_restart(static_cast<int>(A.rows()));
  solver.setMaxIterations(400);
  const VectorXd x = solver.solve(b);
  EXPECT_EQ(solver.info(), Eigen::Success);
  return x;
}

struct Sizes {
  int n, m, k;
};

class ClosedForm : public ::testing::TestWithParam<Sizes> {};

// Equation 6 with k pairs each, equation 7 with one pair of the solid less, both by GMRES and by a dense solve of the printed
// system.
TEST_P(ClosedForm, IsWhatGmresFinds) {
  const auto [n, m, k] = GetParam();
  const Case c(n, m, k, k);
  const VectorXd &xf = c.fluid.in.back(), &pf = c.fluid.out.back(), &ps = c.solid.in.back(), &xs = c.solid.out.back();
  const MatrixXd F = printedJacobian(c.fluid.in, c.fluid.out), S = printedJacobian(c.solid.in, c.solid.out);
  ReducedModel model{c.fluid.pairs.model(1e-12), c.solid.pairs.model(1e-12)};
  EXPECT_EQ(model.fluid.columns(), k - 1);
  EXPECT_LT((model.fluid.A * model.fluid.Q.transpose() - F).norm(), 1e-7 * F.norm());

  const MatrixXd left6 = MatrixXd::Identity(n, n) - S * F, left7 = MatrixXd::Identity(m, m) - F * S;
  const VectorXd right6 = xs + S * (pf - ps - F * xf), right7 = pf + F * (xs - xf - S * ps);
  const VectorXd x = model.position(xf, pf, xs, ps), p = model.load(xf, pf, xs, ps);
  EXPECT_LT((x - gmres(left6, right6)).norm(), 1e-7 * x.norm());
  EXPECT_LT((p - gmres(left7, right7)).norm(), 1e-7 * p.norm());
  EXPECT_LT((x - left6.fullPivLu().solve(right6)).norm(), 1e-7 * x.norm());
  EXPECT_LT((p - left7.fullPivLu().solve(right7)).norm(), 1e-7 * p.norm());
  // the two eliminations of equation 5 are one solution
  EXPECT_LT((p - (pf + F * (x - xf))).norm(), 1e-7 * p.norm());
  EXPECT_LT((x - (xs + S * (p - ps))).norm(), 1e-7 * x.norm());
}

INSTANTIATE_TEST_SUITE_P(Sizes, ClosedForm,
                         ::testing::Values(Sizes{12, 12, 2}, Sizes{33, 11, 4}, Sizes{11, 33, 4}, Sizes{60, 60, 7}));

// In equation 7 the fluid has one pair more than the solid.
TEST(ClosedFormOf, UnequalNumbersOfPairs) {
  const Case c(20, 15, 5, 4);
  const VectorXd &xf = c.fluid.in.back(), &pf = c.fluid.out.back(), &ps = c.solid.in.back(), &xs = c.solid.out.back();
  const MatrixXd F = printedJacobian(c.fluid.in, c.fluid.out), S = printedJacobian(c.solid.in, c.solid.out);
  ReducedModel model{c.fluid.pairs.model(1e-12), c.solid.pairs.model(1e-12)};
  const VectorXd p = model.load(xf, pf, xs, ps);
  const VectorXd printed = (MatrixXd::Identity(15, 15) - F * S).fullPivLu().solve(pf + F * (xs - xf - S * ps));
  EXPECT_LT((p - printed).norm(), 1e-8 * p.norm());
}

TEST(SecantPairs, NewestStaysAndOlderCopiesOfItAreDropped) {
  SecantPairs pairs;
  VectorXd x = VectorXd::Zero(3), out = VectorXd::Zero(2);
  pairs.add(x, out);
  x[0] = 1, out[0] = 2;
  pairs.add(x, out);  // (1,0,0) -> (2,0)
  x[1] = 1, out[1] = 5;
  pairs.add(x, out);  // (0,1,0) -> (0,5)
  x[0] += 1e-9, out[0] += 3e-9;
  pairs.add(x, out);  // (1e-9,0,0) -> (3e-9,0): the first again, shorter and newer
  const SecantModel m = pairs.model(1e-10);
  EXPECT_EQ(m.columns(), 2);
  EXPECT_EQ(m.dropped, 1);
  EXPECT_NEAR(m.apply(VectorXd::Unit(3, 0))[0], 3, 1e-6);  // the newest counts, not the longest
  EXPECT_NEAR(m.apply(VectorXd::Unit(3, 1))[1], 5, 1e-12);
  EXPECT_EQ(m.apply(VectorXd::Unit(3, 2)).norm(), 0);
}

TEST(SecantPairs, KeepsAsManyStepsAsAsked) {
  const auto columnsAfter = [](int reuse, int steps) {
    SecantPairs pairs(reuse);
    for (int s = 0; s < steps; ++s) {
      pairs.beginStep();
      for (int j = 0; j < 3; ++j) pairs.add(scattered(20, 1, 10 * s + j), scattered(20, 1, 100 + 10 * s + j));
    }
    return pairs.model(1e-10).columns();
  };
  EXPECT_EQ(columnsAfter(0, 1), 2);
  EXPECT_EQ(columnsAfter(0, 4), 2);
  EXPECT_EQ(columnsAfter(2, 2), 4);
  EXPECT_EQ(columnsAfter(2, 5), 6);
}

// The last call stays: the next difference is to it.
TEST(SecantPairs, DropsTheNewestDifferences) {
  SecantPairs pairs;
  VectorXd x = VectorXd::Zero(2), out = VectorXd::Zero(2);
  pairs.add(x, out);
  x[0] = 1, out[0] = 2;
  pairs.add(x, out);  // (1,0) -> (2,0)
  x[1] = 1, out[1] = 50;
  pairs.add(x, out);  // (0,1) -> (0,50)
  pairs.dropNewest(1);
  EXPECT_EQ(pairs.model(1e-10).columns(), 1);
  x[1] = 2, out[1] = 53;
  pairs.add(x, out);  // (0,1) -> (0,3)
  EXPECT_NEAR(pairs.model(1e-10).apply(VectorXd::Unit(2, 1))[1], 3, 1e-12);
  EXPECT_NEAR(pairs.model(1e-10).apply(VectorXd::Unit(2, 0))[0], 2, 1e-12);
  pairs.dropNewest(7);
  EXPECT_TRUE(pairs.empty());
}

TEST(SecantPairs, ForgetsStepsOfAnotherInterface) {
  SecantPairs pairs(5);
  pairs.beginStep();
  for (int j = 0; j < 3; ++j) pairs.add(scattered(20, 1, j), scattered(20, 1, 9 + j));
  pairs.beginStep();
  EXPECT_EQ(pairs.model(1e-10).columns(), 2);
  pairs.add(scattered(8, 1, 1), scattered(8, 1, 2));
  EXPECT_TRUE(pairs.empty());
}

// I - S^F^ is singular where the models say that every position is an answer: the pair goes, the guess stays finite.
TEST(ReducedModel, SingularSystemDropsItsColumns) {
  SecantPairs f, s;
  for (int j = 0; j < 2; ++j) {
    f.add(VectorXd::Constant(1, j), VectorXd::Constant(1, 3.0 * j));
    s.add(VectorXd::Constant(1, 3.0 * j), VectorXd::Constant(1, j));
  }
  ReducedModel model{f.model(1e-10), s.model(1e-10)};
  const VectorXd one = VectorXd::Constant(1, 1.0);
  EXPECT_TRUE(model.position(one, 3 * one, 2 * one, 3 * one).allFinite());
  EXPECT_EQ(model.columns(), 0);
  EXPECT_GE(model.dropped(), 1);
}

}  // namespace
}  // namespace meniscus::testing
