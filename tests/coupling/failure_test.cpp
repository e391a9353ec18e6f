// What goes wrong in a step is named in the report; what is wrong in the input is refused.
#include <gtest/gtest.h>

#include <limits>
#include <memory>

#include "engine/coupling/gain.h"
#include "engine/coupling/iqn/iqn_ils.h"
#include "engine/coupling/partitioned/relaxation.h"
#include "engine/coupling/xpm/xpm.h"
#include "tests/coupling/boxes.h"
#include "tests/shared/error_of.h"

namespace meniscus::testing {
namespace {

using coupling::Coupling;
using coupling::GainOptions;
using coupling::IqnIls;
using coupling::IqnIlsOptions;
using coupling::Relaxation;
using coupling::RelaxationOptions;
using coupling::Report;
using coupling::Stop;
using coupling::StopRule;
using coupling::Xpm;
using coupling::XpmOptions;

constexpr double kDt = 0.01, kNaN = std::numeric_limits<double>::quiet_NaN();

StopRule rule(int most = 30) {
  StopRule r;
  r.length = 1;
  r.fraction = 1e-10;
  r.maxIterations = most;
  return r;
}

template <class Method, class Options>
std::unique_ptr<Coupling> make(const StopRule& stop) {
  Options o;
  o.stop = stop;
  return std::make_unique<Method>(o);
}

std::unique_ptr<Coupling> makeAitken(const StopRule& stop) {
  RelaxationOptions o;
  o.stop = stop;
  o.aitken = true;
  return std::make_unique<Relaxation>(o);
}

using Make = std::unique_ptr<Coupling> (*)(const StopRule&);

class EveryMethod : public ::testing::TestWithParam<Make> {
 protected:
  std::unique_ptr<Coupling> method(const StopRule& stop) { return GetParam()(stop); }
};

// Boxes whose call number `bad` (from 1) answers with not-a-number.
struct FailingFluid : ColumnFluid {
  FailingFluid(const VectorXd& columnMass, int badCall) : ColumnFluid(columnMass), bad(badCall) {}
  Load solve(const Motion& end, double dt) override {
    Load load = ColumnFluid::solve(end, dt);
    if (++calls == bad) load.value.back() = kNaN;
    return load;
  }
  int bad, calls = 0;
};

struct FailingSolid : PistonSolid {
  FailingSolid(const VectorXd& pistonMass, const VectorXd& f, int badCall) : PistonSolid(pistonMass, f), bad(badCall) {}
  Motion solve(const Load& load, double dt) override {
    Motion m = PistonSolid::solve(load, dt);
    if (solves == bad) m.position.front() = std::numeric_limits<double>::infinity();
    return m;
  }
  int bad;
};

TEST_P(EveryMethod, NotFiniteIsNamedAndTheStepTakenBack) {
  const VectorXd mass = VectorXd::Ones(3), force = scattered(3, 1, 1), start = scattered(3, 1, 2);
  for (int bad = 1; bad <= 3; ++bad) {
    FailingFluid fluid(2 * mass, bad);
    PistonSolid solid(mass, force);
    solid.x = solid.v = start;
    fluid.v = start;
    const Report r = method(rule())->advance(fluid, solid, kDt);
    EXPECT_EQ(r.stop, Stop::fluidNotFinite);
    EXPECT_FALSE(r.converged());
    EXPECT_EQ(r.fluidSolves, bad);
    EXPECT_EQ(r.solidSolves, bad - 1);
    EXPECT_EQ(r.text().rfind("fluid not finite after ", 0), 0U) << r.text();
    EXPECT_EQ(fluid.v, start);
    EXPECT_EQ(solid.x, start);

    ColumnFluid column(2 * mass);
    column.v = start;
    FailingSolid broken(mass, force, bad);
    broken.x = broken.v = start;
    const Report s = method(rule())->advance(column, broken, kDt);
    EXPECT_EQ(s.stop, Stop::solidNotFinite);
    EXPECT_EQ(s.solidSolves, bad);
    EXPECT_EQ(broken.v, start);
    EXPECT_EQ(column.v, start);
  }
}

TEST_P(EveryMethod, GuessThatIsNotFiniteReachesNoBox) {
  ColumnFluid fluid(VectorXd::Ones(2));
  PistonSolid solid(VectorXd::Ones(2), VectorXd::Ones(2));
  solid.v[1] = std::numeric_limits<double>::infinity();
  const Report r = method(rule())->advance(fluid, solid, kDt);
  EXPECT_EQ(r.stop, Stop::guessNotFinite);
  EXPECT_EQ(r.fluidSolves, 0);
  EXPECT_EQ(solid.solves, 0);
}

TEST_P(EveryMethod, RestEndsInOnePass) {
  ColumnFluid fluid(VectorXd::Ones(4));
  PistonSolid solid(VectorXd::Ones(4), VectorXd::Zero(4));
  const Report r = method(rule())->advance(fluid, solid, kDt);
  EXPECT_EQ(r.stop, Stop::converged);
  EXPECT_EQ(r.fluidSolves, 1);
  EXPECT_EQ(r.passes.front().residual, 0);
}

TEST_P(EveryMethod, NoNodesAdvanceEachSideOnce) {
  ColumnFluid fluid(VectorXd(0));
  PistonSolid solid(VectorXd(0), VectorXd(0));
  const Report r = method(rule())->advance(fluid, solid, kDt);
  EXPECT_EQ(r.stop, Stop::noInterface);
  EXPECT_TRUE(r.converged());
  EXPECT_EQ(r.fluidSolves, 1);
  EXPECT_EQ(r.solidSolves, 1);
  EXPECT_EQ(solid.solves, 1);
}

// Out of passes: named, and both sides stand where the last pass left them, as far along as the method came.
TEST_P(EveryMethod, MaxIterationsIsNotConverged) {
  FunctionFluid fluid([](const VectorXd& x) { return VectorXd((-3 * x).array().sin().matrix()); });
  FunctionSolid solid(scattered(8, 1, 4), [](const VectorXd& f) { return VectorXd(scattered(8, 1, 4) + scattered(8, 8, 5) * f); });
  const Report r = method(rule(3))->advance(fluid, solid, kDt);
  EXPECT_EQ(r.stop, Stop::maxIterations);
  EXPECT_FALSE(r.converged());
  EXPECT_EQ(r.fluidSolves, 3);
  EXPECT_EQ(r.passes.size(), 3U);
  EXPECT_GT(r.passes.back().residual, r.tolerance);
  EXPECT_EQ(r.text().rfind("not converged after 3 fluid and 3 solid solves", 0), 0U) << r.text();
}

// A rigid body of nine points that only slides has one degree of freedom: every column is a multiple of the first. The answer of
// the curved load is found to the last digit all the same, by the newest difference.
TEST_P(EveryMethod, OneDegreeOfFreedom) {
  const VectorXd axis = scattered(9, 1, 6).normalized();
  FunctionFluid fluid([&](const VectorXd& x) { return VectorXd(-(4 * axis.dot(x) + std::pow(axis.dot(x), 3)) * axis); });
  FunctionSolid solid(VectorXd::Zero(9), [&](const VectorXd& f) { return VectorXd((1 + axis.dot(f)) * axis); });
  const Report r = method(rule(100))->advance(fluid, solid, kDt);
  const double s = axis.dot(fluid.asked.back());  // 5 s + s^3 = 1
  EXPECT_NEAR(5 * s + s * s * s, 1, 1e-9);
  EXPECT_EQ(r.stop, Stop::converged) << r.text();
  EXPECT_LE(r.passes.back().columnsUsed, 1);
  if (r.passes.back().columnsUsed > 0) { EXPECT_GT(r.passes.back().columnsDropped, 0); }
}

TEST_P(EveryMethod, RefusesWhatDoesNotFit) {
  ColumnFluid fluid(VectorXd::Ones(2));
  PistonSolid solid(VectorXd::Ones(2), VectorXd::Ones(2));
  const auto m = method(rule());
  for (const double dt : {0.0, -1.0, kNaN})
    EXPECT_NE(errorOf([&] { m->advance(fluid, solid, dt); }).find("time step"), std::string::npos);

  FunctionFluid forces([](const VectorXd& x) { return x; });  // the pistons take impulses
  EXPECT_NE(errorOf([&] { m->advance(forces, solid, kDt); }).find("kind"), std::string::npos);

  int call = 0;
  forces.f = [&](const VectorXd&) { return VectorXd(VectorXd::Ones(2 + call++)); };
  FunctionSolid still(VectorXd::Ones(2), [](const VectorXd&) { return VectorXd(VectorXd::Zero(2)); });
  EXPECT_NE(errorOf([&] { m->advance(forces, still, kDt); }).find("load has 3 numbers where 2"), std::string::npos);

  FunctionFluid push([](const VectorXd& x) { return x; });
  FunctionSolid growing(VectorXd::Ones(2), [](const VectorXd&) { return VectorXd(VectorXd::Zero(5)); });
  EXPECT_NE(errorOf([&] { m->advance(push, growing, kDt); }).find("position has 5 numbers where 2"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Methods, EveryMethod,
                         ::testing::Values(Make(make<Relaxation, RelaxationOptions>), Make(makeAitken),
                                           Make(make<IqnIls, IqnIlsOptions>), Make(make<Xpm, XpmOptions>)));

TEST(CouplingOptions, OutOfRangeIsRefusedByName) {
  const auto xpm = [](auto change) {
    XpmOptions o;
    o.stop = rule();
    change(o);
    return errorOf([&] { Xpm x(o); });
  };
  EXPECT_EQ(xpm([](XpmOptions&) {}), "");
  EXPECT_NE(xpm([](XpmOptions& o) { o.omega = 0; }).find("relaxation factor is 0"), std::string::npos);
  EXPECT_NE(xpm([](XpmOptions& o) { o.omega = 1.5; }).find("1.5"), std::string::npos);
  EXPECT_NE(xpm([](XpmOptions& o) { o.threshold = 1; }).find("column filter"), std::string::npos);
  EXPECT_NE(xpm([](XpmOptions& o) { o.stepCap = -1; }).find("cap"), std::string::npos);
  EXPECT_NE(xpm([](XpmOptions& o) { o.reuse = -2; }).find("-2"), std::string::npos);
  EXPECT_NE(xpm([](XpmOptions& o) { o.stop.length = kNaN; }).find("length"), std::string::npos);
  EXPECT_NE(xpm([](XpmOptions& o) { o.stop.length = 0; }).find("no tolerance"), std::string::npos);
  EXPECT_NE(xpm([](XpmOptions& o) { o.stop.maxIterations = 0; }).find("iterations"), std::string::npos);
}

TEST(CouplingOptions, ToleranceShrinksWithTheStep) {
  StopRule r;
  r.length = 0.1;
  EXPECT_DOUBLE_EQ(r.tolerance(1e-6), 0.005);
  r.speed = 2;
  EXPECT_DOUBLE_EQ(r.tolerance(0.05), 0.005);
  EXPECT_DOUBLE_EQ(r.tolerance(0.1), 0.005);
  EXPECT_DOUBLE_EQ(r.tolerance(0.005), 0.0005);
}

TEST(Gain, FailuresAreNamed) {
  ColumnFluid fluid(VectorXd::Ones(3));
  FailingSolid solid(VectorXd::Ones(3), VectorXd::Zero(3), 2);
  GainOptions o;
  EXPECT_NE(errorOf([&] { interfaceGain(fluid, solid, kDt, o); }).find("step"), std::string::npos);
  o.step = 1e-3;
  EXPECT_FALSE(interfaceGain(fluid, solid, kDt, o).converged);
  FunctionFluid turn([](const VectorXd& x) { return VectorXd(Eigen::Vector2d(-2 * x[1], 2 * x[0])); });  // eigenvalues +-2i
  FunctionSolid same(VectorXd::Zero(2), [](const VectorXd& f) { return f; });
  EXPECT_FALSE(interfaceGain(turn, same, kDt, o).converged);
  FunctionFluid help([](const VectorXd& x) { return VectorXd(0.5 * x); });  // a positive eigenvalue is no added mass
  const coupling::Gain gain = interfaceGain(help, same, kDt, o);
  EXPECT_TRUE(gain.converged);
  EXPECT_NEAR(gain.eigenvalue, 0.5, 1e-9);
  EXPECT_EQ(gain.g, 0);
}

struct Masses : coupling::Operators {
  double total = 7;
};
struct Stiffness : coupling::Operators {};

TEST(Operators, AreFoundByTypeOrRefused) {
  struct Shown : FunctionFluid {
    using FunctionFluid::FunctionFluid;
    coupling::Operators* operators() override { return &masses; }
    Masses masses;
  };
  Shown shown([](const VectorXd& x) { return x; });
  EXPECT_EQ(coupling::operatorsOf<Masses>(shown, "monolithic", "fluid").total, 7);
  EXPECT_NE(errorOf([&] { coupling::operatorsOf<Stiffness>(shown, "monolithic", "fluid"); }).find("monolithic"), std::string::npos);
  FunctionFluid hidden([](const VectorXd& x) { return x; });
  EXPECT_NE(errorOf([&] { coupling::operatorsOf<Masses>(hidden, "cutcell", "fluid"); }).find("cutcell"), std::string::npos);
}

}  // namespace
}  // namespace meniscus::testing
