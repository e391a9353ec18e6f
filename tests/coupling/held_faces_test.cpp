// Where faces change to and fro between passes there is no step to end at; with the faces of one of them kept there is.
#include <gtest/gtest.h>

#include "engine/coupling/iqn/iqn_ils.h"
#include "engine/coupling/xpm/xpm.h"
#include "tests/coupling/smoke_boxes.h"
#include "tests/coupling/water_boxes.h"

namespace meniscus::testing {
namespace {

using coupling::Coupling;
using coupling::IqnIls;
using coupling::IqnIlsOptions;
using coupling::Report;
using coupling::Stop;
using coupling::StopRule;
using coupling::Xpm;
using coupling::XpmOptions;

// load = B x + c on one side of a plane and B x - c on the other: x = F(x) has no solution between.
struct SidedFluid : FunctionFluid {
  explicit SidedFluid(bool holds)
      : FunctionFluid([this](const VectorXd& x) {
          if (!held) side = x.sum() < 0 ? 1 : -1;
          return VectorXd(B * x + side * c);
        }),
        canHold(holds) {}
  void save() override { held = false; }
  bool holdFaces() override { return held = canHold; }

  MatrixXd B = -0.2 * MatrixXd::Identity(4, 4) + 0.1 * scattered(4, 4, 3);
  VectorXd c = VectorXd::Constant(4, 0.3);
  bool canHold, held = false;
  double side = 0;
};

template <class Options>
Options options() {
  Options o;
  o.stop.length = 100;  // so that all steps are small ones
  o.stop.fraction = 1e-8;
  return o;
}

void expectHeld(Coupling& method) {
  FunctionSolid solid(VectorXd::Zero(4), [](const VectorXd& load) { return load; });
  SidedFluid free(false);
  const Report without = method.advance(free, solid, 0.01);
  EXPECT_EQ(without.stop, Stop::maxIterations);
  EXPECT_EQ(without.heldFrom, 0);
  SidedFluid fluid(true);
  for (int step = 0; step < 2; ++step) {
    const Report with = method.advance(fluid, solid, 0.01);
    EXPECT_EQ(with.stop, Stop::converged) << with.text();
    EXPECT_GT(with.heldFrom, 6);
    EXPECT_LT(with.fluidSolves, with.heldFrom + 10);
    EXPECT_NE(with.text().find("faces kept from pass "), std::string::npos) << with.text();
    // the answer of the side that was kept
    const VectorXd x = fluid.asked.back();
    EXPECT_LT((x - fluid.B * x - fluid.side * fluid.c).norm(), 1e-5);
  }
}

TEST(HeldFaces, AStepWithoutAnEndHasOne) {
  Xpm xpm(options<XpmOptions>());
  expectHeld(xpm);
  IqnIls iqn(options<IqnIlsOptions>());
  expectHeld(iqn);
}

// A line through a box, at rest: F of a motion along z by so many cells.
TestShell<2> line() {
  TestShell<2> s;
  s.mesh.nodes = 17;
  for (Index i = 0; i < 17; ++i) {
    s.x.push_back(0.2 + 0.6 * i / 16);
    s.x.push_back(0.503 + 0.02 * std::sin(5.0 * i / 16));
    if (i > 0) s.mesh.elements.push_back({i - 1, i});
  }
  return s;
}

// While they are kept F is affine in the velocity, and does not hang on the place; from the next step on it is as if they never
// were.
template <class Fluid>
void expectAffineWhileKept(Fluid& fluid, const std::vector<double>& x) {
  constexpr double kDt = 0.02;
  const VectorXd start = vectorOf(x);
  const auto load = [&](double cells, double tilt) {
    VectorXd end = start;
    for (Eigen::Index i = 1; i < end.size(); i += 2) end[i] += cells / 16 + tilt * (end[i - 1] - 0.5);
    fluid.restore();
    return vectorOf(fluid.solve({doubles(end), doubles((end - start) / kDt)}, kDt).value);
  };
  fluid.setBoundary(standing(x));
  fluid.save();
  const VectorXd far = load(0.8, 0.1), near = load(0.1, 0);
  const std::size_t faces = fluid.faces().face.size();
  ASSERT_TRUE(fluid.holdFaces());
  EXPECT_EQ(load(0.1, 0), near);
  const VectorXd one = load(0.8, 0.1), half = load(0.45, 0.05);
  EXPECT_EQ(fluid.faces().face.size(), faces);
  EXPECT_LT((one + near - 2 * half).norm(), 1e-8 * near.norm());
  EXPECT_GT((one - far).norm(), 1e-3 * far.norm());
  fluid.restore();
  fluid.save();
  EXPECT_EQ(load(0.8, 0.1), far);
}

TEST(HeldFaces, SmokeIsAffineWithThem) {
  Exec exec(1);
  const TestShell<2> shell = line();
  coupling::SmokeFluidBox<2> fluid(exec, box<2>(16, SideKind::open), shell.mesh, {});
  expectAffineWhileKept(fluid, shell.x);
}

TEST(HeldFaces, WaterIsAffineWithThem) {
  Exec exec(1);
  const TestShell<2> shell = line();
  WaterFluidBox<2> fluid(exec, waterTank<2>(16, {0, -9.81}), shell.mesh, {});
  fluid.setBoundary(standing(shell.x));
  fluid.fill([](const Point<2>& x) { return x[1] - 0.8; });
  expectAffineWhileKept(fluid, shell.x);
}

}  // namespace
}  // namespace meniscus::testing
