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
constexpr int kWays = 3;  // of a part

// J = -M (v - u): M couples the three ways, and which of two u it has flips with a coordinate's last bits unless faces are kept.
struct HeavyFluid : FunctionFluid {
  explicit HeavyFluid(int parts)
      : FunctionFluid([this](const VectorXd& x) {
          if (!held) side = x[1] < kSwitch ? 1 : -1;
          return VectorXd(-M * (x / kDt - u - side * jump));
        }),
        ways(parts * kWays) {
    kind = LoadKind::impulse;
    const MatrixXd a = scattered(ways, ways, 5);
    M = kGain * (MatrixXd::Identity(ways, ways) + 0.5 / parts * a * a.transpose());
  }
  void save() override { held = false; }
  bool holdFaces() override { return held = true; }

  static constexpr double kSwitch = 5e-4;
  int ways;
  MatrixXd M;
  VectorXd u = VectorXd::Constant(ways, 0.05), jump = VectorXd::Unit(ways, 1) * 0.02;
  bool held = false;
  double side = 1;
};

// Of mass 1 each, under their weight; none comes below its stop.
struct StoppedSolid : FunctionSolid {
  StoppedSolid(int parts, bool tells)
      : FunctionSolid(VectorXd::Zero(parts * kWays), [parts](const VectorXd& j) {
          const VectorXd v = j - VectorXd::Constant(j.size(), 9.81 * kDt);
          return VectorXd((kDt * v).cwiseMax(stops(parts)));
        }) {
    kind = LoadKind::impulse;
    for (int k = 0; tells && k < parts; ++k) list.push_back({k * kWays, (k + 1) * kWays, kWays});
  }
  static VectorXd stops(int parts) { return Eigen::Vector3d(-1, -1, 6e-4).replicate(parts, 1); }
  std::vector<coupling::SolidPart> parts() const override { return list; }
  std::vector<coupling::SolidPart> list;
};

void expectAgreement(Coupling& method, int parts) {
  HeavyFluid lost(parts);
  StoppedSolid many(parts, false);
  const Report without = method.advance(lost, many, kDt);
  method.reset();
  HeavyFluid fluid(parts);
  StoppedSolid solid(parts, true);
  const Report report = method.advance(fluid, solid, kDt);
  EXPECT_TRUE(report.converged()) << report.text();
  EXPECT_GT(report.heldFrom, 0);
  // it is asked about each way once, and the passes before are given up the later the more there is to ask
  EXPECT_EQ(report.questions, parts * kWays);
  EXPECT_LT(report.fluidSolves - report.questions, parts > 4 ? 20 : 9);
  EXPECT_TRUE(without.heldFrom > 0 || !without.converged()) << without.text();  // another way out, or none
  // the solid under the load of the fluid where it is, with the faces that were kept
  const VectorXd x = fluid.asked.back(), load = -fluid.M * (x / kDt - fluid.u - fluid.side * fluid.jump);
  EXPECT_LT((solid.s(load) - x).norm(), report.tolerance);
  // the third one is above its stop or at it, and the others go with the fluid, of which a two hundredth of their weight is missing
  EXPECT_GE((x - StoppedSolid::stops(parts)).minCoeff(), -report.tolerance);
  if (parts == 1) { EXPECT_LT((x.head(2) / kDt - fluid.u.head(2) - fluid.side * fluid.jump.head(2)).norm(), 0.02); }
}

// Which comes to the solid in two ways, and pushes against them then: J = -M (v - u) - K sum of max(0, n . v - g) n. In any of its
// four pieces alone the solid is driven into another one.
struct MeetingFluid : HeavyFluid {
  MeetingFluid() : HeavyFluid(1) {
    f = [this](const VectorXd& x) {
      const VectorXd v = x / kDt;
      VectorXd load = -M * (v - u);
      for (int k = 0; k < 2; ++k) {
        const double beyond = n.col(k).dot(v) - gap[k];
        if (!pieceHeld) closed[k] = beyond > 0;
        if (closed[k]) load -= 100 * kGain * beyond * n.col(k);
      }
      return load;
    };
    n = scattered(kWays, 2, 11);
    n.colwise().normalize();
  }
  bool holdFaces() override { return true; }
  long long piece() const override { return closed[0] + 2 * closed[1]; }
  void holdPiece(bool hold) override { pieceHeld = hold; }

  MatrixXd n;
  double gap[2] = {0.02, -0.01};
  bool closed[2] = {false, false}, pieceHeld = false;
};

template <class Method>
void expectMeeting(Method&& method) {
  MeetingFluid fluid;
  StoppedSolid solid(1, true);
  const Report report = method.advance(fluid, solid, kDt);
  EXPECT_TRUE(report.converged()) << report.text();
  EXPECT_GT(report.heldFrom, 0);
  const VectorXd x = fluid.asked.back();
  EXPECT_LT((solid.s(fluid.f(x)) - x).norm(), report.tolerance);
  EXPECT_FALSE(fluid.pieceHeld);
}

template <class Options>
Options options() {
  Options o;
  o.stop.length = kCell;
  o.stop.fraction = 1e-6;
  return o;
}

TEST(RigidAgreement, XpmEndsBesideALightSolidAtAStop) {
  for (const int parts : {1, 8}) {
    Xpm method(options<XpmOptions>());
    expectAgreement(method, parts);
  }
}

TEST(RigidAgreement, IqnIlsEndsBesideALightSolidAtAStop) {
  for (const int parts : {1, 8}) {
    IqnIls method(options<IqnIlsOptions>());
    expectAgreement(method, parts);
  }
}

TEST(RigidAgreement, EndsWhereTheFluidComesToTheSolidOnTheWay) {
  expectMeeting(Xpm(options<XpmOptions>()));
  expectMeeting(IqnIls(options<IqnIlsOptions>()));
}

}  // namespace
}  // namespace meniscus::testing
