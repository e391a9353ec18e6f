// What a monolithic step keeps: the rest of what moves together. Its momentum: momentum_test.cpp.
#include <gtest/gtest.h>

#include "tests/coupling/monolithic_methods.h"

namespace meniscus::testing {
namespace {

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
