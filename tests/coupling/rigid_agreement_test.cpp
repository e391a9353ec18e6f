// A light solid that a stop holds, beside a heavy fluid: passes that learn from differences find no end, and where the solid moves
// in few ways the two are brought to agree.
#include <gtest/gtest.h>

#include "engine/coupling/iqn/iqn_ils.h"
#include "engine/coupling/xpm/xpm.h"
#include "tests/coupling/boxes.h"

namespace meniscus::testing {
namespace {

using coupling::Coupling;
using coupling::IqnIls;
using coupling::IqnIlsOptions;
using coupling::Report;
using coupling::Xpm;
using coupling::XpmOptions;

constexpr double kDt = 0.01, kCell = 0.1, kGain = 200;
constexpr int kWays = 3;

// J = -M (v - u): M couples the three ways, and which of two u it has flips with a coordinate's last bits unless faces are kept.
struct HeavyFluid : FunctionFluid {
  HeavyFluid()
      : FunctionFluid([this](const VectorXd& x) {
          if (!held) side = x[1] < kSwitch ? 1 : -1;
          return VectorXd(-M * (x / kDt - u - side * jump));
        }) {
    kind = LoadKind::impulse;
    const MatrixXd a = scattered(kWays, kWays, 5);
    M = kGain * (MatrixXd::Identity(kWays, kWays) + 0.5 * a * a.transpose());
  }
  void save() override { held = false; }
  bool holdFaces() override { return held = true; }

  static constexpr double kSwitch = 5e-4;
  MatrixXd M;
  VectorXd u = VectorXd::Constant(kWays, 0.05), jump = VectorXd::Unit(kWays, 1) * 0.02;
  bool held = false;
  double side = 1;
};

// Of mass 1 each, under their weight; none comes below its stop.
struct StoppedSolid : FunctionSolid {
  explicit StoppedSolid(int ways)
      : FunctionSolid(VectorXd::Zero(kWays),
                      [](const VectorXd& j) {
                        const VectorXd v = j - VectorXd::Constant(kWays, 9.81 * kDt);
                        return VectorXd((kDt * v).cwiseMax(stops()));
                      }),
        freedom(ways) {
    kind = LoadKind::impulse;
  }
  static VectorXd stops() { return Eigen::Vector3d(-1, -1, 6e-4); }
  int freedoms() const override { return freedom; }
  int freedom;
};

void expectAgreement(Coupling& method) {
  HeavyFluid lost;
  StoppedSolid many(0);
  const Report without = method.advance(lost, many, kDt);
  method.reset();
  HeavyFluid fluid;
  StoppedSolid solid(kWays);
  const Report report = method.advance(fluid, solid, kDt);
  EXPECT_TRUE(report.converged()) << report.text();
  EXPECT_GT(report.heldFrom, 0);
  EXPECT_LT(report.fluidSolves, 12);
  EXPECT_GT(without.fluidSolves, report.fluidSolves + 4) << without.text();
  // the solid under the load of the fluid where it is, with the faces that were kept
  const VectorXd x = fluid.asked.back(), load = -fluid.M * (x / kDt - fluid.u - fluid.side * fluid.jump);
  EXPECT_LT((solid.s(load) - x).norm(), report.tolerance);
  // the third one is above its stop or at it, and the others go with the fluid, of which a two hundredth of their weight is missing
  EXPECT_GE(x[2], StoppedSolid::stops()[2] - report.tolerance);
  EXPECT_LT((x.head(2) / kDt - fluid.u.head(2) - fluid.side * fluid.jump.head(2)).norm(), 0.02);
}

template <class Options>
Options options() {
  Options o;
  o.stop.length = kCell;
  o.stop.fraction = 1e-6;
  return o;
}

TEST(RigidAgreement, XpmEndsBesideALightSolidAtAStop) {
  Xpm method(options<XpmOptions>());
  expectAgreement(method);
}

TEST(RigidAgreement, IqnIlsEndsBesideALightSolidAtAStop) {
  IqnIls method(options<IqnIlsOptions>());
  expectAgreement(method);
}

}  // namespace
}  // namespace meniscus::testing
