// A body let go in still fluid: its first acceleration is (rho_s - rho_f) g / (rho_s + C rho_f), with C the added mass of the
// shape: 1 for a disc and 1/2 for a sphere (Lamb, Hydrodynamics, articles 68 and 92).
#include <gtest/gtest.h>

#include "engine/coupling/monolithic/monolithic.h"
#include "engine/coupling/xpm/xpm.h"
#include "tests/coupling/coupled_scenes.h"

namespace meniscus::testing {
namespace {

using namespace coupling;

constexpr double kGravity = 9.81;

// Of the polygon or polyhedron that the points make: the fluid that the body takes the place of.
double volumeOf(const TestShell<2>& s) {
  double twice = 0;
  for (const auto& [a, b] : s.mesh.elements) {
    const Point<2> p = nodeOf<2>(s.x, a), q = nodeOf<2>(s.x, b);
    twice += p[0] * q[1] - p[1] * q[0];
  }
  return 0.5 * twice;
}
double volumeOf(const TestShell<3>& s) {  // convex, about its middle node
  double six = 0;
  Eigen::Vector3d middle(0, 0, 0);
  const auto node = [&](Index i) {
    return Eigen::Vector3d(s.x[std::size_t(i) * 3], s.x[std::size_t(i) * 3 + 1], s.x[std::size_t(i) * 3 + 2]);
  };
  for (Index i = 0; i < s.mesh.nodes; ++i) middle += node(i) / s.mesh.nodes;
  for (const auto& [a, b, c] : s.mesh.elements) six += std::abs((node(a) - middle).dot((node(b) - middle).cross(node(c) - middle)));
  return six / 6;
}

// The first acceleration, up, over g. Radius in cells; width of the tank in radii; shift of the centre in cells.
template <int D>
double release(Coupling& method, Exec& exec, Index radius, Index width, const Point<D>& shift, double ratio) {
  CoupledScene<D> s;
  s.domain = box<D>(radius * width, SideKind::wall);
  s.domain.side[D - 1][1] = SideKind::open;
  s.domain.gravity[D - 1] = -kGravity;
  const double dx = s.domain.grid.dx, r = radius * dx;
  Point<D> centre;
  for (std::size_t a = 0; a < D; ++a) centre[a] = 0.5 + shift[a] * dx;
  const TestShell<D> shell = ball<D>(centre, r, D == 2 ? 120 : 4);
  implicit::RigidBodyDef def = ballBody<D>(s.domain, shell, centre, r, ratio);
  const double part = volumeOf(shell) / ballVolume<D>(r);
  def.mass *= part;
  def.inertia *= part;
  Eigen::Vector3d gravity(0, 0, 0);
  gravity[D - 1] = -kGravity;
  const auto body = std::make_shared<implicit::RigidBodies<D>>(std::vector<implicit::RigidBodyDef>{def}, gravity);
  s.body = body;
  s.join(exec, shell.mesh, {}, true);
  const double dt = 0.01 * std::sqrt(dx / kGravity);  // it moves by a part of 1e-4 of a cell
  const Report report = method.advance(*s.fluid, *s.solid, dt);
  EXPECT_TRUE(report.converged()) << report.text();
  return body->pose(0).velocity[D - 1] / (dt * kGravity);
}

// The mean over four places in a cell, whose mean number of cells inside is the ball's within 0.1 %: one place has a few cells too
// many or too few, which at a density ratio of 0.9 counts ten times.
template <int D>
double meanRelease(Coupling& method, Exec& exec, Index radius, Index width, double ratio) {
  double sum = 0;
  for (int i = 0; i < 4; ++i) {
    Point<D> shift;
    shift.fill(0.5 * std::fmod((2 * i + 0.5) / 4, 1.0));
    shift[0] = 0.5 * (i + 0.5) / 4;
    sum += release<D>(method, exec, radius, width, shift, ratio);
  }
  return sum / 4;
}

template <int D>
StopRule within(Index radius, Index width) {
  StopRule stop;
  stop.length = 1.0 / (radius * width);
  stop.fraction = 1e-8;
  return stop;
}

template <int D>
double meanMonolithic(Exec& exec, Index radius, Index width, double ratio) {
  MonolithicOptions m;
  m.stop = within<D>(radius, width);
  Monolithic<D> method(exec, m);
  return meanRelease<D>(method, exec, radius, width, ratio);
}

template <int D>
double meanXpm(Exec& exec, Index radius, Index width, double ratio) {
  XpmOptions x;
  x.stop = within<D>(radius, width);
  Xpm method(x);
  return meanRelease<D>(method, exec, radius, width, ratio);
}

// Five and ten cells along the radius. The inverse acceleration is linear in the added mass, whose error is of first order: a body
// of whole cells is half a cell thicker for the flow around it.
template <int D>
void expectTable(Index width) {
  Exec exec(1);
  for (const double ratio : {0.1, 0.5, 0.9, 10.0}) {
    const double coarse = meanMonolithic<D>(exec, 5, width, ratio), fine = meanMonolithic<D>(exec, 10, width, ratio);
    const double expected = (1 - ratio) / (ratio + (D == 2 ? 1 : 0.5)), extrapolated = 1 / (2 / fine - 1 / coarse);
    EXPECT_NEAR(extrapolated / expected, 1, 0.03) << ratio << " " << coarse << " " << fine;
    EXPECT_NEAR(meanXpm<D>(exec, 5, width, ratio) / coarse, 1, 1e-4) << ratio;
    if (D == 3) continue;
    EXPECT_NEAR(meanXpm<D>(exec, 10, width, ratio) / fine, 1, 1e-4) << ratio;
  }
}

// In a tank of 24 radii the walls add 1 % to the added mass of a disc; to that of a sphere in one of 8, 4 %: 0.5 (b^3 + 2) / (b^3 -
// 1) in a hollow sphere of radius b = 4 (Lamb, article 93).
TEST(ReleasedBody, SlowDiscHasTheAddedMassOfItsFluid) { expectTable<2>(24); }
TEST(ReleasedBody, SlowSphereHasHalfTheMassOfItsFluid) { expectTable<3>(8); }

}  // namespace
}  // namespace meniscus::testing
