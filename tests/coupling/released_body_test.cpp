// A body let go in still fluid: its first acceleration is (rho_s - rho_f) g / (rho_s + C rho_f), with C the added mass of the shape:
// 1 for a disc and 1/2 for a sphere (Lamb, Hydrodynamics, articles 68 and 92).
#include <gtest/gtest.h>

#include "engine/coupling/monolithic/monolithic.h"
#include "engine/coupling/xpm/xpm.h"
#include "tests/coupling/coupled_scenes.h"

namespace meniscus::testing {
namespace {

using namespace coupling;

constexpr double kGravity = 9.81;

struct Released {
  double acceleration;  // up, over g
  double spin;          // [rad/s^2] times radius over g
};

// width: of the tank in radii. shift: of the centre, in cells.
template <int D>
Released release(Coupling& method, Exec& exec, Index radius, Index width, const Point<D>& shift, double ratio) {
  CoupledScene<D> s;
  s.domain = box<D>(radius * width, SideKind::wall);
  s.domain.side[D - 1][1] = SideKind::open;
  s.domain.gravity[D - 1] = -kGravity;
  const double dx = s.domain.grid.dx, r = radius * dx;
  Point<D> centre;
  for (std::size_t a = 0; a < D; ++a) centre[a] = 0.5 + shift[a] * dx;
  const TestShell<D> shell = ball<D>(centre, r, D == 2 ? 6 * int(radius) : (radius > 6 ? 4 : 3));
  const auto body = std::make_shared<implicit::RigidBodies<D>>(
      std::vector<implicit::RigidBodyDef>{ballBody<D>(s.domain, shell, centre, r, ratio)},
      Eigen::Vector3d(0, D == 2 ? -kGravity : 0, D == 2 ? 0 : -kGravity));
  s.body = body;
  s.join(exec, shell.mesh, {}, true);
  const double dt = 0.01 * std::sqrt(dx / kGravity);  // it moves by a part of 1e-4 of a cell
  const Report report = method.advance(*s.fluid, *s.solid, dt);
  EXPECT_TRUE(report.converged()) << report.text();
  return {body->pose(0).velocity[D - 1] / (dt * kGravity), body->angularVelocity(0).norm() * r / (dt * kGravity)};
}

template <int D>
void table(int argShifts, Index width, Index coarse, Index fine) {
  Exec exec(2);
  for (const double ratio : {0.1, 0.5, 0.9, 10.0}) {
    double mean[2][2] = {};
    for (int k = 0; k < 2; ++k) {
      const Index radius = k == 0 ? coarse : fine;
      for (int i = 0; i < argShifts; ++i) {
        Point<D> shift;
        for (std::size_t a = 0; a < D; ++a) shift[a] = std::fmod(0.5 + (i + 0.5) * (a == 0 ? 0.754877666 : a == 1 ? 0.569840291 : 0.34), 1.0);
        StopRule stop;
        stop.length = 1.0 / (radius * width);
        stop.fraction = 1e-8;
        MonolithicOptions m;
        m.stop = stop;
        Monolithic<D> whole(exec, m);
        const Released a = release<D>(whole, exec, radius, width, shift, ratio);
        mean[0][k] += a.acceleration / argShifts;
        XpmOptions x;
        x.stop = stop;
        Xpm xpm(x);
        const Released b = release<D>(xpm, exec, radius, width, shift, ratio);
        mean[1][k] += b.acceleration / argShifts;
        printf("  %d %d: %g %g spin %g\n", int(radius), i, a.acceleration, b.acceleration, a.spin);
      }
    }
    const double exact = (1 - ratio) / (ratio + (D == 2 ? 1 : 0.5));
    for (int k = 0; k < 2; ++k) {
      const double extrapolated = (fine * mean[k][1] - coarse * mean[k][0]) / (fine - coarse);
      printf("ratio %g: coarse %g fine %g extrapolated %g exact %g error %.2f %%\n", ratio, mean[k][0], mean[k][1], extrapolated, exact,
             100 * (extrapolated / exact - 1));
    }
  }
}

TEST(ReleasedBody, Disc) { table<2>(4, 16, 6, 12); }
TEST(ReleasedBody, SlowSphere) { table<3>(1, 8, 3, 6); }

}  // namespace
}  // namespace meniscus::testing
