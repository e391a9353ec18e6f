// What a step leaves between fluid and solids is given in the next one: pistons on columns of fluid, of which all momentum is
// known.
#include "engine/coupling/owed_impulse.h"

#include <gtest/gtest.h>

#include "engine/coupling/iqn/iqn_ils.h"
#include "engine/coupling/xpm/xpm.h"
#include "tests/coupling/boxes.h"
#include "tests/shared/error_of.h"

namespace meniscus::testing {
namespace {

using coupling::OwedSolid;
using coupling::OwingFluid;
using coupling::StopRule;
using coupling::Xpm;
using coupling::XpmOptions;

constexpr double kDt = 0.01;

StopRule loose() {
  StopRule r;
  r.length = 1;
  r.fraction = 0.005;  // as far as the pistons go in the first steps
  return r;
}

// Four pistons, of up to thirty times their mass of fluid, that forces push; XPM ends on its model's load.
struct Pistons {
  VectorXd columns = (VectorXd(4) << 30, 8, 2, 0.5).finished(), mass = VectorXd::Constant(4, 1),
           force = (VectorXd(4) << 9, -4, 3, 1).finished();
  ColumnFluid fluid{columns};
  PistonSolid solid{mass, force};
  std::vector<double> owed = std::vector<double>(4, 0);
  Xpm method{options()};
  int steps = 0;

  static XpmOptions options() {
    XpmOptions o;
    o.stop = loose();
    o.ownLoad = false;
    return o;
  }
  void step(const std::vector<char>& moves = {1, 1, 1, 1}) {
    OwingFluid owing(fluid, owed);
    OwedSolid taking(solid);
    ASSERT_TRUE(method.advance(owing, taking, kDt).converged());
    settle(owing, taking, moves, owed);
    ++steps;
  }
  // less what the forces gave
  VectorXd momentum() const { return columns.cwiseProduct(fluid.v) + mass.cwiseProduct(solid.v) - steps * kDt * force; }
};

TEST(OwedImpulse, FluidSolidsAndWhatIsOwedKeepTheirMomentumInEveryStep) {
  Pistons p;
  double most = 0, last = 0;
  for (int k = 0; k < 200; ++k) {
    p.step();
    const VectorXd all = p.momentum() + vectorOf(p.owed);
    EXPECT_LT(all.lpNorm<Eigen::Infinity>(), 1e-11) << k;
    last = vectorOf(p.owed).lpNorm<Eigen::Infinity>();
    most = std::max(most, last);
  }
  EXPECT_GT(most, 1e-3);  // there was something to give
  EXPECT_LT(last, 10 * 30 * 0.005 / kDt);
  // where all that is owed was given, the pistons go as the forces and the mass on them ask
  for (Eigen::Index i = 0; i < 4; ++i)
    EXPECT_NEAR(p.solid.v[i], p.steps * kDt * p.force[i] / (p.columns[i] + 1), 2 * 0.005 / kDt) << i;
}

TEST(OwedImpulse, WithoutItMomentumIsLost) {
  Pistons p;
  for (int k = 0; k < 200; ++k) {
    ASSERT_TRUE(p.method.advance(p.fluid, p.solid, kDt).converged());
    ++p.steps;
  }
  EXPECT_GT(p.momentum().lpNorm<Eigen::Infinity>(), 1e-3);
}

TEST(OwedImpulse, NothingIsOwedWhereSomethingHolds) {
  Pistons p;
  bool any = false;
  for (int k = 0; k < 5; ++k) {
    p.step({0, 1, 1, 1});
    EXPECT_EQ(p.owed[0], 0);
    any = any || p.owed[1] != 0;
  }
  EXPECT_TRUE(any);
}

// A method whose last load is the fluid's own leaves nothing, exactly.
TEST(OwedImpulse, NothingIsOwedAfterTheFluidsOwnLoad) {
  ColumnFluid fluid(VectorXd::Constant(2, 3));
  PistonSolid solid(VectorXd::Constant(2, 1), VectorXd::Constant(2, 2));
  std::vector<double> owed = {0.25, -0.5};  // of a step before
  coupling::IqnIlsOptions o;
  o.stop = loose();
  coupling::IqnIls method(o);
  for (int k = 0; k < 3; ++k) {
    OwingFluid owing(fluid, owed);
    OwedSolid taking(solid);
    ASSERT_TRUE(method.advance(owing, taking, kDt).converged());
    settle(owing, taking, {1, 1}, owed);
    EXPECT_EQ(owed, (std::vector<double>{0, 0}));
    for (const auto& [i, first] : {std::pair<Eigen::Index, double>{0, 0.25}, {1, -0.5}})
      EXPECT_NEAR(3 * fluid.v[i] + solid.v[i], first + 2 * (k + 1) * kDt, 1e-13);
  }
}

TEST(OwedImpulse, OtherCoordinatesAreRefused) {
  ColumnFluid fluid(VectorXd::Constant(2, 3));
  const std::vector<double> owed(3, 0);
  OwingFluid owing(fluid, owed);
  EXPECT_NE(errorOf([&] {
              owing.solve({{0, 0}, {0, 0}}, kDt);
            }).find("3 impulses are owed to solids of 2 coordinates"),
            std::string::npos);
}

}  // namespace
}  // namespace meniscus::testing
