// The monolithic step beside XPM's: one and the same, for every kind of solid; and what it refuses.
#include <gtest/gtest.h>

#include "engine/coupling/cases/smoke_balloon.h"
#include "engine/coupling/cases/smoke_jet.h"
#include "tests/coupling/monolithic_methods.h"
#include "tests/shared/error_of.h"

namespace meniscus::testing {
namespace {

// Where the nodes end in a step that is then taken back.
VectorXd endOf(Coupling& method, FluidBox& fluid, SolidBox& solid, double dt) {
  const Report report = method.advance(fluid, solid, dt);
  EXPECT_TRUE(report.converged()) << report.text();
  const VectorXd x = vectorOf(solid.motion().position);
  fluid.restore();
  solid.restore();
  return x;
}

// After three steps of XPM: the monolithic step is the one that XPM goes to.
template <int D>
void expectOneStep(Exec& exec, FluidBox& fluid, SolidBox& solid, double dx, double dt) {
  Xpm loose = xpm(dx, 0.05), exact = xpm(dx, 1e-6);
  Monolithic<D> whole = monolithic<D>(exec, dx, 1e-6);
  for (int step = 0; step < 3; ++step) ASSERT_TRUE(loose.advance(fluid, solid, dt).converged());
  const VectorXd start = vectorOf(solid.motion().position), x = endOf(whole, fluid, solid, dt);
  const auto apart = [&](const VectorXd& other) { return (other - x).lpNorm<Eigen::Infinity>() / dx; };
  EXPECT_LT(apart(endOf(exact, fluid, solid, dt)), 1e-5);
  EXPECT_LT(apart(endOf(loose, fluid, solid, dt)), 0.02);
  EXPECT_GT(apart(start), 0.03);
}

TEST(Monolithic, ClothIsTheStepOfXpm) {
  for (const ShellPlace place : {ShellPlace::start, ShellPlace::end})
    for (const double ratio : {0.2, 1.0}) {
      Exec exec(1);
      SmokeJetOptions o;
      o.paper = false;
      o.massRatio = ratio;
      o.place = place;
      SmokeJet cloth(exec, o);
      expectOneStep<2>(exec, cloth.fluid(), cloth.solid(), cloth.dx(), 0.045);
    }
}

template <int D>
CoupledScene<D> ballInJet(Exec& exec, Index n, double ratio, ShellPlace place, int detail) {
  CoupledScene<D> s;
  s.domain = jet<D>(n);
  Point<D> centre;
  centre.fill(0.53);
  const TestShell<D> shell = ball<D>(centre, 0.17, detail);
  implicit::RigidBodyDef def = ballBody<D>(s.domain, shell, centre, 0.17, ratio);
  def.angularVelocity = {0, 0, 2};
  s.body = std::make_shared<implicit::RigidBodies<D>>(std::vector<implicit::RigidBodyDef>{def}, Eigen::Vector3d(0, 0, 0));
  SmokeFluidOptions options;
  options.place = place;
  s.join(exec, shell.mesh, options, true);
  s.fluid->startFromPotentialFlow();
  return s;
}

TEST(Monolithic, RigidBodyIsTheStepOfXpm) {
  for (const double ratio : {0.1, 2.0}) {
    Exec exec(1);
    CoupledScene<2> s = ballInJet<2>(exec, 40, ratio, ShellPlace::start, 40);
    expectOneStep<2>(exec, *s.fluid, *s.solid, s.domain.grid.dx, 0.03);
    CoupledScene<3> b = ballInJet<3>(exec, 16, ratio, ShellPlace::start, 2);
    expectOneStep<3>(exec, *b.fluid, *b.solid, b.domain.grid.dx, 0.03);
  }
}

TEST(Monolithic, TetrahedraAreTheStepOfXpm) {
  Exec exec(1);
  CoupledScene<3> s;
  s.domain = jet<3>(16);
  const TetBlock block = tetBlock({4, 4, 1}, {0.23, 0.26, 0.5}, {0.5, 0.5, 0.12});
  const auto model = std::make_shared<implicit::CorotationalTets>(block.x, block.tets, implicit::TetParameters{40, 0.3, 0.01});
  const auto solid = std::make_shared<implicit::NodalSolid<3>>(model, block.x, model->mass(0.4));
  solid->setGravity({0.5, 0, -5});
  s.body = solid;
  SmokeFluidOptions options;
  options.place = ShellPlace::start;
  s.join(exec, block.surface, options, true);
  s.fluid->startFromPotentialFlow();
  expectOneStep<3>(exec, *s.fluid, *s.solid, s.domain.grid.dx, 0.05);
}

// The matrix in dense form over the places that are unknowns.
template <int D>
void denseMatrices(CoupledSystem<D>& system, MatrixXd& a, MatrixXd& m) {
  const Index n = system.vectors().size();
  Buffer<double> unit, column;
  std::vector<VectorXd> products, answers;
  std::vector<Index> unknown;
  for (Index i = 0; i < n; ++i) {
    unit.assign(std::size_t(n), 0);
    column.assign(std::size_t(n), 0);
    unit[std::size_t(i)] = 1;
    system.apply(unit, column);
    if (column[std::size_t(i)] == 0) continue;
    unknown.push_back(i);
    products.push_back(vectorOf({column.begin(), column.end()}));
    system.precondition(unit, column);
    answers.push_back(vectorOf({column.begin(), column.end()}));
  }
  const Eigen::Index k = Eigen::Index(unknown.size());
  a.resize(k, k);
  m.resize(k, k);
  for (Eigen::Index i = 0; i < k; ++i)
    for (Eigen::Index j = 0; j < k; ++j) {
      a(i, j) = products[std::size_t(j)][unknown[std::size_t(i)]];
      m(i, j) = answers[std::size_t(j)][unknown[std::size_t(i)]];
    }
}

// The fluid in a ring is closed in: with its constant pressure an unknown the matrix is regular; as many of its eigenvalues are
// above 0 as there are cells, and below 0 as the ring has coordinates. The preconditioner is positive but for that constant.
TEST(Monolithic, SystemIsSymmetricAndItsPreconditionerPositive) {
  Exec exec(1);
  CoupledScene<2> s;
  s.domain = jet<2>(12);
  const TestShell<2> ring = ball<2>({0.47, 0.6}, 0.3, 24);
  const auto model = implicit::chainModel(vectorOf(ring.x), true, {1, 1e-4, 0.01});
  s.body = std::make_shared<implicit::NodalSolid<2>>(model, vectorOf(ring.x), implicit::chainMass(*model, 0.1));
  s.join(exec, ring.mesh, {}, false);
  auto& fluid = operatorsOf<GridOperators<2>>(*s.fluid, "test", "fluid");
  const implicit::LinearisedStep step = s.body->linearised(0.02);
  const VectorXd zero = VectorXd::Zero(48);
  for (const bool constants : {true, false}) {
    CoupledSystem<2> system(exec, fluid, [&](const implicit::Vector&) { return constants; });
    const SolidTangent tangent{step.system(0.02), step.nodes, step.given, zero, zero};
    const KrylovReport report = system.solve(fluid.linearised(ring.x, 0.02), tangent, {1e-11, 500});
    EXPECT_TRUE(report.converged);
    EXPECT_LT(report.iterations, 80);
    ASSERT_EQ(system.constantPressure().size(), 1U);
    EXPECT_EQ(system.constantPressure()[0] != 0, constants);
    MatrixXd a, m;
    denseMatrices(system, a, m);
    ASSERT_EQ(a.rows(), 12 * 18 + 48);
    EXPECT_LT((m - m.transpose()).norm(), 1e-10 * m.norm());
    const VectorXd positive = Eigen::SelfAdjointEigenSolver<MatrixXd>(0.5 * (m + m.transpose())).eigenvalues();
    EXPECT_GT(positive[constants ? 0 : 1], 1e-9 * positive[263]);
    if (!constants) {
      EXPECT_NEAR(positive[0], 0, 1e-14 * positive[263]);
      continue;
    }
    EXPECT_LT((a - a.transpose()).norm(), 1e-13 * a.norm());
    const VectorXd values = Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd>(a, m.inverse()).eigenvalues();
    EXPECT_EQ((values.array() > 0).count(), 12 * 18);
    EXPECT_GT(values.cwiseAbs().minCoeff(), 0.03);
    EXPECT_LT(values.cwiseAbs().maxCoeff(), 5);
  }
}

std::vector<double> historyOf(int threads) {
  Exec exec(threads);
  CoupledScene<3> s = ballInJet<3>(exec, 16, 0.4, ShellPlace::end, 2);
  Monolithic<3> method = monolithic<3>(exec, s.domain.grid.dx, 0.05);
  for (int step = 0; step < 3; ++step) method.advance(*s.fluid, *s.solid, 0.03);
  std::vector<double> all = s.solid->motion().position;
  for (const Buffer<double>& u : s.fluid->state().velocity) all.insert(all.end(), u.begin(), u.end());
  return all;
}

TEST(Monolithic, ThreadsLeaveNoBit) {
  const std::vector<double> one = historyOf(1);
  EXPECT_EQ(historyOf(2), one);
  EXPECT_EQ(historyOf(3), one);
}

struct Balloon {
  double area, pressure;
};

Balloon blowUp(const SmokeBalloonOptions& options, bool whole, bool enclosed) {
  Exec exec(1);
  SmokeBalloon balloon(exec, options);
  Monolithic<2> one = monolithic<2>(exec, balloon.dx(), 1e-4);
  Xpm other = xpm(balloon.dx(), 1e-4);
  const double before = balloon.area();
  for (int step = 0; step < 10; ++step) {
    const Report report = (whole ? static_cast<Coupling&>(one) : other)
                              .advance(balloon.fluid(), enclosed ? balloon.solid() : balloon.bareSolid(), 0.02);
    EXPECT_TRUE(report.converged()) << report.text();
  }
  if (whole) { EXPECT_EQ(one.enclosedPressure().size(), 1U); }
  const double pressure = enclosed ? balloon.enclosed().pressure()[0] : one.enclosedPressure()[0];
  return {(balloon.area() - before) / (SmokeBalloon::kInflow * 0.2), pressure};
}

// Enclosed fluid blows its balloon up whether the system finds its pressure or the solids do.
TEST(Monolithic, EnclosedPressureIsAnUnknown) {
  SmokeBalloonOptions o;
  o.place = ShellPlace::start;
  const Balloon own = blowUp(o, true, false), solids = blowUp(o, true, true), partitioned = blowUp(o, false, true);
  EXPECT_NEAR(own.area, 1, 0.02);
  EXPECT_NEAR(solids.area, own.area, 1e-4);
  EXPECT_NEAR(partitioned.area, own.area, 1e-4);
  EXPECT_NEAR(solids.pressure / own.pressure, 1, 1e-3);
  EXPECT_NEAR(partitioned.pressure / own.pressure, 1, 1e-3);
}

// Two rings in a closed box: three regions without an open side, of whose constant pressures one sum is without effect. Both
// methods find the same step, and each ring keeps the area of the faces it closes.
TEST(Monolithic, SeveralClosedRegionsAreTheStepOfXpm) {
  Exec exec(1);
  const SmokeDomain<2> domain = box<2>(32, SideKind::wall);
  TestShell<2> rings = ball<2>({0.31, 0.46}, 0.17, 36);
  const TestShell<2> second = ball<2>({0.68, 0.57}, 0.2, 40);
  std::vector<std::shared_ptr<implicit::ImplicitSolid>> solids;
  for (const TestShell<2>* ring : std::initializer_list<const TestShell<2>*>{&rings, &second}) {
    const auto model = implicit::chainModel(vectorOf(ring->x), true, {2, 1e-4, 0.01});
    solids.push_back(std::make_shared<implicit::NodalSolid<2>>(model, vectorOf(ring->x), implicit::chainMass(*model, 0.2)));
  }
  for (std::array<Index, 2> e : second.mesh.elements) rings.mesh.elements.push_back({e[0] + 36, e[1] + 36});
  rings.mesh.nodes += second.mesh.nodes;
  SmokeFluidOptions options;
  options.place = ShellPlace::start;
  SmokeFluidBox<2> fluid(exec, domain, rings.mesh, options);
  ImplicitSolidsBox solid(solids);
  EnclosedPressureOptions pressure;
  pressure.volumeTolerance = 1e-14;
  EnclosedPressure enclosed(
      solid, [&fluid] { return fluid.enclosed(); }, pressure);
  const Motion start = solid.motion();
  fluid.setBoundary(start);
  // a rotation about the middle and a squeeze: what the box does not keep is taken off by the first pressure
  for (int axis = 0; axis < 2; ++axis)
    for (Offset f = 0; f < domain.grid.faces(axis); ++f) {
      const Point<2> x = domain.grid.faceCentre(axis, MacGrid<2>{domain.grid.faceExtent(axis), 1, {}}.cellAt(f));
      if (!GivenFaces<2>(domain).given(axis, f))
        fluid.state().velocity[axis][std::size_t(f)] = axis == 0 ? 0.5 - x[1] + 0.3 * x[0] : x[0] - 0.5 - 0.3 * x[1];
    }
  fluid.setBoundary(start);
  const double dt = 0.03;
  Monolithic<2> whole = monolithic<2>(exec, domain.grid.dx, 1e-6, 1e-12);
  Xpm exact = xpm(domain.grid.dx, 1e-6);
  const VectorXd x = endOf(whole, fluid, solid, dt), other = endOf(exact, fluid, enclosed, dt);
  EXPECT_LT((other - x).lpNorm<Eigen::Infinity>(), 1e-5 * domain.grid.dx);
  EXPECT_GT((vectorOf(start.position) - x).lpNorm<Eigen::Infinity>(), 0.1 * domain.grid.dx);
  ASSERT_EQ(whole.enclosedPressure().size(), 3U);
  ASSERT_EQ(fluid.enclosed().size(), 3U);
  // jumps across the rings, which are what is determined
  for (const std::size_t k : {std::size_t(1), std::size_t(2)})
    EXPECT_NEAR(whole.enclosedPressure()[k] - whole.enclosedPressure()[0], enclosed.pressure()[k] - enclosed.pressure()[0],
                1e-4 * std::abs(enclosed.pressure()[k] - enclosed.pressure()[0]));
}

// Five regions: one pushes nothing, one pushes as two others do together.
TEST(Monolithic, ConstantsWithoutEffectAreFound) {
  MatrixXd force = scattered(9, 5, 3);
  const MatrixXd k = force * force.transpose() + MatrixXd::Identity(9, 9);
  force.col(1) *= 1e-4;
  force.col(3).setZero();
  force.col(4) = force.col(0) + 2 * force.col(1);
  const VectorXd cells = vectorOf({3, 500, 20, 1, 70}), most = force.cwiseAbs().colwise().sum().transpose() + VectorXd::Ones(5);
  const MatrixXd answer = k.llt().solve(force), product = force.transpose() * answer;
  const RegionConstants c = regionConstants(force, answer, most, cells);
  ASSERT_EQ(c.kernel.cols(), 2);
  EXPECT_LT((force * c.kernel).norm(), 1e-12);
  EXPECT_LT((c.kernel.transpose() * cells.asDiagonal() * c.kernel - MatrixXd::Identity(2, 2)).norm(), 1e-12);
  EXPECT_LT((product * c.inverse * product - product).norm(), 1e-10 * product.norm());
  EXPECT_LT((c.inverse - c.inverse.transpose()).norm(), 1e-12 * c.inverse.norm());
}

TEST(Monolithic, FailuresAreNamed) {
  Exec exec(1);
  CoupledScene<2> s = ballInJet<2>(exec, 20, 1, ShellPlace::start, 20);
  MonolithicOptions o;
  o.stop = within(s.domain.grid.dx, 1e-6);
  o.linear.maxIterations = 2;
  const VectorXd before = vectorOf(s.solid->motion().position);
  const Report report = Monolithic<2>(exec, o).advance(*s.fluid, *s.solid, 0.03);
  EXPECT_EQ(report.stop, Stop::systemNotSolved);
  EXPECT_NE(report.text().find("not solved after 1 linear systems of 2 iterations"), std::string::npos) << report.text();
  EXPECT_EQ(vectorOf(s.solid->motion().position), before);
  o.linear.maxIterations = 500;
  ColumnFluid column(VectorXd::Ones(2));
  PistonSolid piston(VectorXd::Ones(2), VectorXd::Ones(2));
  EXPECT_NE(errorOf([&] { Monolithic<2>(exec, o).advance(column, *s.solid, 0.1); }).find("fluid's equations"), std::string::npos);
  EXPECT_NE(errorOf([&] { Monolithic<2>(exec, o).advance(*s.fluid, piston, 0.1); }).find("solid's equations"), std::string::npos);
  EXPECT_NE(errorOf([&] { Monolithic<3>(exec, o).advance(*s.fluid, *s.solid, 0.1); }), "");
  o.linear.tolerance = 0;
  EXPECT_NE(errorOf([&] { Monolithic<2>(exec, o); }).find("tolerance"), std::string::npos);
}

}  // namespace
}  // namespace meniscus::testing
