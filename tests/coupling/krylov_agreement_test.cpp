// A light sheet beside a heavy fluid, in many ways at once: passes that learn from differences are thrown, and the step ends by
// asking both sides with small differences.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

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
constexpr int kWays = 40;

// J = -M (v - u), with M heavy in smooth ways and lighter in others, as water's added mass is.
struct HeavyFluid : FunctionFluid {
  HeavyFluid()
      : FunctionFluid([this](const VectorXd& x) { return VectorXd(-M * (x / kDt - u)); }),
        M(MatrixXd::Zero(kWays, kWays)),
        u(VectorXd::Constant(kWays, -0.3)) {
    kind = LoadKind::impulse;
    for (int k = 0; k < kWays; ++k) {
      VectorXd way(kWays);
      for (int i = 0; i < kWays; ++i) way[i] = std::cos(3.14159265358979 * k * (i + 0.5) / kWays);
      way.normalize();
      M += kGain / (1 + k) * way * way.transpose();
    }
  }
  bool holdFaces() override { return keepsFaces; }
  MatrixXd M;
  VectorXd u;
  bool keepsFaces = true;
};

// Of mass 1 each, with springs that harden: v + (x / kDt)^3 = J. Without any answer to a load that takes it some cells away.
double answerTo(double j) {
  if (!(std::abs(j) < 100)) return std::numeric_limits<double>::quiet_NaN();
  double v = j > 0 ? std::min(j, std::cbrt(j)) : -std::min(-j, std::cbrt(-j));
  for (int k = 0; k < 60; ++k) v -= (v + v * v * v - j) / (1 + 3 * v * v);
  return v;
}
struct LightSheet : FunctionSolid {
  LightSheet()
      : FunctionSolid(VectorXd::Zero(kWays), [](const VectorXd& j) {
          VectorXd x(kWays);
          for (int i = 0; i < kWays; ++i) x[i] = kDt * answerTo(j[i] - 5 * kDt * (i + 1) / kWays);
          return x;
        }) {
    kind = LoadKind::impulse;
  }
};

// The same in one system: v + v^3 + g = -M (v - u), by Newton's method.
VectorXd exact(const HeavyFluid& fluid) {
  VectorXd v = VectorXd::Zero(kWays), g(kWays);
  for (int i = 0; i < kWays; ++i) g[i] = 5 * kDt * (i + 1) / kWays;
  for (int k = 0; k < 50; ++k) {
    const VectorXd r = v + v.array().cube().matrix() + g + fluid.M * (v - fluid.u);
    MatrixXd slope = fluid.M;
    for (int i = 0; i < kWays; ++i) slope(i, i) += 1 + 3 * v[i] * v[i];
    v -= slope.ldlt().solve(r);
  }
  return kDt * v;
}

template <class Method, class Options>
void expectTheStepOfOneSystem() {
  Options o;
  o.stop.length = kCell;
  o.stop.fraction = 1e-3;
  o.stop.maxIterations = 80;
  HeavyFluid fluid;
  LightSheet sheet;
  Method method(o);
  const Report report = method.advance(fluid, sheet, kDt);
  EXPECT_TRUE(report.converged()) << report.text();
  EXPECT_LE(report.fluidSolves, 60) << report.text();
  EXPECT_GT(report.heldFrom, 0);
  // the fluid is where the one system has both, by as much as the solid's error is divided by the ratio of the masses at least
  EXPECT_LT((fluid.asked.back() - exact(fluid)).norm(), report.tolerance);
  EXPECT_LT((sheet.s(vectorOf(doubles(fluid.f(fluid.asked.back())))) - fluid.asked.back()).norm(), report.tolerance);

  // where the fluid cannot keep its faces the step fails as it did, and says so
  o.stop.maxIterations = 30;
  HeavyFluid changing;
  changing.keepsFaces = false;
  EXPECT_FALSE(Method(o).advance(changing, sheet, kDt).converged());
}

TEST(KrylovAgreement, XpmEndsBesideALightSheet) { expectTheStepOfOneSystem<Xpm, XpmOptions>(); }
TEST(KrylovAgreement, IqnIlsEndsBesideALightSheet) { expectTheStepOfOneSystem<IqnIls, IqnIlsOptions>(); }

}  // namespace
}  // namespace meniscus::testing
