// What a monolithic step keeps: momentum, and the rest of what moves together.
#include <gtest/gtest.h>

#include "tests/coupling/monolithic_methods.h"
#include "tests/coupling/wall_impulse.h"

namespace meniscus::testing {
namespace {

// The momentum along an axis of all fluid beside a filled ball: dual cells at its border hold a part.
template <int D>
double fluidMomentum(const SmokeDomain<D>& d, const SmokeFluidBox<D>& fluid, const Buffer<double>* u, int axis) {
  double sum = 0;
  const MacGrid<D> faces{d.grid.faceExtent(axis), d.grid.dx, d.grid.origin};
  for (Offset f = 0; f < faces.cells(); ++f) {
    Cell<D> c = faces.cellAt(f);
    const Index r = fluid.faces().row[axis][std::size_t(f)], i = c[std::size_t(axis)];
    if (i == 0 || i == d.grid.n[std::size_t(axis)]) continue;
    const bool inside = r < 0 && !fluid.filledCells().empty() && fluid.filledCells()[std::size_t(d.grid.cell(c))];
    const double mass = r >= 0 ? fluid.faceMasses()[std::size_t(r)] : d.density * std::pow(d.grid.dx, D);
    if (!inside) sum += mass * u[axis][std::size_t(f)];
  }
  return sum;
}

// Fluid and a ball in a closed box: what one side loses the other gains, or the walls.
template <int D>
void expectMomentum(Exec& exec, Coupling& method, Index n, int detail, double accuracy) {
  CoupledScene<D> s;
  s.domain = box<D>(n, SideKind::wall);
  Point<D> centre;
  centre.fill(0.47);
  const TestShell<D> shell = ball<D>(centre, 0.2, detail);
  implicit::RigidBodyDef def = ballBody<D>(s.domain, shell, centre, 0.2, 0.6);
  def.velocity = {0.3, -0.4, D == 3 ? 0.5 : 0};
  const auto body = std::make_shared<implicit::RigidBodies<D>>(std::vector<implicit::RigidBodyDef>{def}, Eigen::Vector3d(0, 0, 0));
  s.body = body;
  s.join(exec, shell.mesh, {}, true);
  std::mt19937 random(3);
  for (int axis = 0; axis < D; ++axis)
    for (Offset f = 0; f < s.domain.grid.faces(axis); ++f)
      if (!GivenFaces<D>(s.domain).given(axis, f)) s.fluid->state().velocity[axis][std::size_t(f)] = uniform(random, -1, 1);
  const double dt = 0.02;
  const Report report = method.advance(*s.fluid, *s.solid, dt);
  ASSERT_TRUE(report.converged()) << report.text();
  double size = 0;
  for (const double i : s.fluid->faceImpulses()) size += std::abs(i);
  ASSERT_GT(size, 1e-3);
  const Motion end = s.solid->motion();
  const SmokeState<D> after = s.fluid->state();
  double ofFaces[3] = {0, 0, 0};
  for (std::size_t r = 0; r < s.fluid->faceImpulses().size(); ++r)
    ofFaces[s.fluid->faces().face[r].axis] += s.fluid->faceImpulses()[r];
  for (int axis = 0; axis < D; ++axis) {
    const double gained = def.mass * (body->pose(0).velocity[axis] - def.velocity[axis]);
    EXPECT_NEAR(gained, ofFaces[axis], accuracy * size);
    const double before = fluidMomentum<D>(s.domain, *s.fluid, s.fluid->predicted(), axis);
    EXPECT_NEAR(fluidMomentum<D>(s.domain, *s.fluid, after.velocity, axis) + gained,
                before + wallImpulse<D>(s.domain, after.pressure, axis), accuracy * size);
  }
}

// To round-off: the solids take the very impulses that the fluid gave. XPM's last load is its model's, and differs from the fluid's
// by what the tolerance leaves.
TEST(Monolithic, MomentumIsExchangedWholly) {
  Exec exec(2);
  Monolithic<2> plane = monolithic<2>(exec, 1.0 / 32, 1e-3, 1e-12);
  expectMomentum<2>(exec, plane, 32, 40, 1e-12);
  Monolithic<3> space = monolithic<3>(exec, 1.0 / 14, 1e-3, 1e-12);
  expectMomentum<3>(exec, space, 14, 2, 1e-12);
  Xpm planeXpm = xpm(1.0 / 32, 1e-5), spaceXpm = xpm(1.0 / 14, 1e-5);
  expectMomentum<2>(exec, planeXpm, 32, 40, 1e-5);
  expectMomentum<3>(exec, spaceXpm, 14, 2, 1e-5);
}

// A body and its fluid of one velocity, in open surroundings and with no force: nothing acts, and nothing turns.
template <int D>
void expectNoSpin(Exec& exec, Index n, int detail) {
  for (const double ratio : {0.01, 1.0, 100.0}) {
    CoupledScene<D> s;
    s.domain = box<D>(n, SideKind::open);
    Point<D> centre;
    centre.fill(0.44);
    const TestShell<D> shell = ball<D>(centre, 0.21, detail);
    implicit::RigidBodyDef def = ballBody<D>(s.domain, shell, centre, 0.21, ratio);
    def.velocity = {0.3, -0.2, D == 3 ? 0.25 : 0};
    const auto body =
        std::make_shared<implicit::RigidBodies<D>>(std::vector<implicit::RigidBodyDef>{def}, Eigen::Vector3d(0, 0, 0));
    s.body = body;
    s.join(exec, shell.mesh, {}, true);
    for (int axis = 0; axis < D; ++axis)
      for (double& u : s.fluid->state().velocity[axis]) u = def.velocity[axis];
    s.fluid->setBoundary(s.solid->motion());
    Monolithic<D> method = monolithic<D>(exec, s.domain.grid.dx, 1e-6, 1e-13);
    for (int step = 0; step < 3; ++step) EXPECT_TRUE(method.advance(*s.fluid, *s.solid, 0.05).converged());
    EXPECT_LT((body->pose(0).velocity - def.velocity).norm(), 1e-12) << ratio;
    EXPECT_LT(body->angularVelocity(0).norm(), 1e-11) << ratio;
  }
}

TEST(Monolithic, TranslationTogetherSpinsNothing) {
  Exec exec(1);
  expectNoSpin<2>(exec, 32, 30);
  expectNoSpin<3>(exec, 14, 2);
}

}  // namespace
}  // namespace meniscus::testing
