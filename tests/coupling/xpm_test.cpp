// XPM and its siblings on linear boxes with a known fixed point.
#include "engine/coupling/xpm/xpm.h"

#include <gtest/gtest.h>

#include "engine/coupling/iqn/iqn_ils.h"
#include "tests/coupling/boxes.h"

namespace meniscus::testing {
namespace {

using coupling::IqnIls;
using coupling::IqnIlsOptions;
using coupling::Report;
using coupling::Stop;
using coupling::StopRule;
using coupling::Xpm;
using coupling::XpmOptions;
using coupling::XpmResidual;

constexpr double kDt = 0.1;

// F = f0 + B x and S = x0 + D load of one rank, with the eigenvalues -g / rank, -2 g / rank, ... -g of D B.
struct Linear {
  Linear(int n, int m, int rank, double g) {
    const MatrixXd basis = scattered(n, rank, 5), spread = scattered(m, rank, 6);
    const VectorXd gains = VectorXd::LinSpaced(rank, g / rank, g);
    B = -spread * gains.asDiagonal() * basis.completeOrthogonalDecomposition().pseudoInverse();
    D = basis * spread.completeOrthogonalDecomposition().pseudoInverse();
    x0 = scattered(n, 1, 7);
    f0 = scattered(m, 1, 8);
    answer = (MatrixXd::Identity(n, n) - D * B).fullPivLu().solve(x0 + D * f0);
  }
  FunctionFluid fluid() const {
    return FunctionFluid([this](const VectorXd& x) { return VectorXd(f0 + B * x); });
  }
  FunctionSolid solid() const {
    return FunctionSolid(x0, [this](const VectorXd& load) { return VectorXd(x0 + D * load); });
  }
  MatrixXd B, D;
  VectorXd x0, f0, answer;
};

XpmOptions tight(int most = 30) {
  XpmOptions o;
  o.stop.length = 1;
  o.stop.fraction = 1e-9;
  o.stop.maxIterations = most;
  o.stepCap = 0;
  return o;
}

TEST(Xpm, LinearBoxesAreSolvedInRankPlusTwoPasses) {
  for (const int rank : {1, 2, 3, 5}) {
    for (const auto& [n, m] : {std::pair{24, 24}, {30, 10}, {10, 30}}) {
      const Linear boxes(n, m, rank, 6);
      FunctionFluid fluid = boxes.fluid();
      FunctionSolid solid = boxes.solid();
      const Report r = Xpm(tight()).advance(fluid, solid, kDt);
      EXPECT_EQ(r.stop, Stop::converged) << r.text();
      EXPECT_LE(r.fluidSolves, rank + 2) << n << " x " << m << ", rank " << rank;
      EXPECT_GT(r.passes[r.passes.size() - 2].residual, 1e-6);  // exact at the end, not before
      EXPECT_LT((fluid.asked.back() - boxes.answer).norm(), 1e-8);

      IqnIlsOptions q;
      q.stop = tight().stop;
      q.stepCap = 0;
      FunctionFluid again = boxes.fluid();
      const Report s = IqnIls(q).advance(again, solid, kDt);
      EXPECT_EQ(s.stop, Stop::converged) << s.text();
      EXPECT_LE(s.fluidSolves, rank + 2);
      EXPECT_LT((again.asked.back() - boxes.answer).norm(), 1e-8);
    }
  }
}

// Where one side does not answer the other, what it says is right at once; it takes two passes to know that.
TEST(Xpm, OneWayCouplingNeedsNoModel) {
  const MatrixXd A = scattered(6, 6, 3);
  const VectorXd x0 = scattered(6, 1, 1), f0 = scattered(6, 1, 2);
  const auto expectThree = [&](FunctionFluid fluid, FunctionSolid solid, const VectorXd& answer) {
    const Report r = Xpm(tight()).advance(fluid, solid, kDt);
    EXPECT_EQ(r.stop, Stop::converged) << r.text();
    EXPECT_EQ(r.fluidSolves, 3);
    EXPECT_LT((fluid.asked.back() - answer).norm(), 1e-9);
  };
  const auto constantLoad = [&](const VectorXd&) { return f0; };
  const auto yields = [&](const VectorXd& load) { return VectorXd(x0 + A * load); };
  const auto pushes = [&](const VectorXd& x) { return VectorXd(A * x); };
  const auto moves = [&](const VectorXd&) { return VectorXd(2 * x0); };
  expectThree(FunctionFluid(constantLoad), FunctionSolid(x0, yields), x0 + A * f0);
  expectThree(FunctionFluid(pushes), FunctionSolid(x0, moves), 2 * x0);
}

// Of impulses the solid's last load is the very one that the fluid gave last, at a loose tolerance too; as printed it is the
// model's.
TEST(Xpm, ImpulsesAreExchangedWhole) {
  const Linear boxes(24, 24, 5, 6);
  for (const bool printed : {false, true}) {
    XpmOptions o = tight();
    o.stop.fraction = 1e-2;
    if (printed) o = XpmOptions::paper(o.stop);
    FunctionFluid fluid = boxes.fluid();
    FunctionSolid solid = boxes.solid();
    fluid.kind = solid.kind = coupling::LoadKind::impulse;
    const Report r = Xpm(o).advance(fluid, solid, kDt);
    EXPECT_EQ(r.stop, Stop::converged) << r.text();
    EXPECT_GT(r.fluidSolves, 2);
    const VectorXd given = boxes.f0 + boxes.B * fluid.asked.back();
    EXPECT_EQ((solid.asked.back() - given).norm() == 0, !printed);
    const VectorXd end = boxes.x0 + boxes.D * solid.asked.back();
    if (!printed) { EXPECT_NEAR(r.passes.back().jump, (end - fluid.asked.back()).norm(), 1e-12); }
  }
}

TEST(Xpm, PaperPresetNeedsTwoPassesAndTestsTheSolidsAnswers) {
  const XpmOptions paper = XpmOptions::paper(tight().stop);
  EXPECT_EQ(paper.omega, 1);
  EXPECT_EQ(paper.stepCap, 0);
  EXPECT_EQ(paper.residual, XpmResidual::successive);
  const Linear boxes(20, 20, 3, 2);
  FunctionFluid fluid = boxes.fluid();
  FunctionSolid solid = boxes.solid();
  const Report printed = Xpm(paper).advance(fluid, solid, kDt);
  EXPECT_EQ(printed.stop, Stop::converged);
  EXPECT_EQ(printed.fluidSolves, 3 + 3);  // exact in pass 5, seen in pass 6
  EXPECT_EQ(printed.passes[1].omega, 1);
  EXPECT_TRUE(std::isinf(printed.passes[0].residual));
  FunctionFluid other = boxes.fluid();
  EXPECT_EQ(Xpm(tight()).advance(other, solid, kDt).fluidSolves, 3 + 2);
}

TEST(Xpm, CapHoldsEveryStep) {
  const Linear boxes(20, 20, 3, 6);
  FunctionFluid fluid = boxes.fluid();
  FunctionSolid solid = boxes.solid();
  XpmOptions o = tight(60);
  o.stop.length = 0.1;
  o.stepCap = 0.5;
  const Report r = Xpm(o).advance(fluid, solid, kDt);
  EXPECT_EQ(r.stop, Stop::converged) << r.text();
  int capped = 0;
  for (size_t k = 1; k < fluid.asked.size(); ++k) {
    const double step = (fluid.asked[k] - fluid.asked[k - 1]).lpNorm<Eigen::Infinity>();
    EXPECT_LE(step, 0.05 * (1 + 1e-12));
    EXPECT_NEAR(r.passes[k].step, step, 1e-12);
    capped += r.passes[k].capped;
  }
  EXPECT_GT(capped, 3);
  EXPECT_LT((fluid.asked.back() - boxes.answer).norm(), 1e-8);
}

// A linear interface of gain g multiplies the jump of the first position by 1 - w (1 + g) at the second. Where that takes the sides
// apart the second is taken nearer, nothing of it is kept, and later steps begin with what was near enough.
TEST(Xpm, ASecondPositionThatIsTooFarIsTakenNearer) {
  const double g = 299;
  const Linear boxes(24, 24, 1, g);
  FunctionFluid fluid = boxes.fluid();
  FunctionSolid solid = boxes.solid();
  Xpm xpm(tight());
  const Report first = xpm.advance(fluid, solid, kDt);
  EXPECT_EQ(first.stop, Stop::converged) << first.text();
  // w = .1: the jump is 29 times as long; .1 / 10: twice; half of that: half, and kept
  const double jump = first.passes[0].jump, omega[] = {0.1, 0.01, 0.005}, factor[] = {29, 2, 0.5};
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(first.passes[k + 1].omega, omega[k], 1e-9);
    EXPECT_NEAR(first.passes[k + 1].jump, factor[k] * jump, 1e-6 * jump);
  }
  EXPECT_EQ(first.passes[4].columnsUsed, 1);
  EXPECT_EQ(first.fluidSolves, 5);
  const Report second = xpm.advance(fluid, solid, kDt);
  EXPECT_NEAR(second.passes[1].omega, 0.005, 1e-9);
  EXPECT_EQ(second.fluidSolves, 3);
  Xpm resumed(tight());
  resumed.setCarried(xpm.carried());
  EXPECT_NEAR(resumed.advance(fluid, solid, kDt).passes[1].omega, 0.005, 1e-9);
  EXPECT_THROW(resumed.setCarried({}), Error);
  // an interface of little gain lets it grow again, up to the option's
  const Linear soft(24, 24, 1, 0.1);
  FunctionFluid softFluid = soft.fluid();
  FunctionSolid softSolid = soft.solid();
  for (const double w : {0.005, 0.01, 0.02, 0.04, 0.08, 0.1, 0.1})
    EXPECT_NEAR(xpm.advance(softFluid, softSolid, kDt).passes[1].omega, w, 1e-9);
}

// The same linear boxes in the next step: with their columns kept the answer needs no more learning.
TEST(Xpm, ReusedColumnsSaveTheLearning) {
  const Linear boxes(24, 24, 5, 6);
  FunctionFluid fluid = boxes.fluid();
  FunctionSolid solid = boxes.solid();
  XpmOptions o = tight();
  Xpm off(o);
  EXPECT_EQ(off.advance(fluid, solid, kDt).fluidSolves, 7);
  EXPECT_EQ(off.advance(fluid, solid, kDt).fluidSolves, 7);
  o.reuse = 1;
  Xpm on(o);
  EXPECT_EQ(on.advance(fluid, solid, kDt).fluidSolves, 7);
  const Report second = on.advance(fluid, solid, kDt);
  EXPECT_EQ(second.fluidSolves, 2);
  EXPECT_EQ(second.passes[1].columnsUsed, 5);
  on.reset();
  EXPECT_EQ(on.advance(fluid, solid, kDt).fluidSolves, 7);
}

TEST(Xpm, ReportNamesColumnsAndResiduals) {
  const Linear boxes(24, 24, 4, 6);
  FunctionFluid fluid = boxes.fluid();
  FunctionSolid solid = boxes.solid();
  const Report r = Xpm(tight()).advance(fluid, solid, kDt);
  ASSERT_EQ(r.passes.size(), 6U);
  EXPECT_EQ(r.passes[0].columnsUsed, 0);
  EXPECT_EQ(r.passes[0].omega, 0);
  EXPECT_EQ(r.passes[1].omega, 0.1);
  for (int k = 2; k < 6; ++k) EXPECT_EQ(r.passes[k].columnsUsed, k - 1);
  EXPECT_NEAR(r.passes[0].residual, (solid.s(boxes.f0 + boxes.B * boxes.x0) - boxes.x0).norm(), 1e-12);
  EXPECT_NE(r.text().find("converged after 6 fluid and 6 solid solves"), std::string::npos) << r.text();
  EXPECT_NE(r.text().find("4 columns used, 0 dropped"), std::string::npos) << r.text();
}

}  // namespace
}  // namespace meniscus::testing
