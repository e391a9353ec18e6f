// Implicit shells against closed forms: free fall, springs, hanging chains, beams, sheets and cylinders.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "engine/coupling/implicit_solids_box.h"
#include "engine/coupling/xpm/xpm.h"
#include "engine/solid/implicit/shell_model.h"
#include "tests/coupling/boxes.h"
#include "tests/coupling/implicit_meshes.h"

namespace meniscus::testing {
namespace {

using implicit::NodalSolid;
using implicit::NodeMatrix;

// A damping that brings a chain to rest is no part of these: a step of backward Euler that is long beside all periods is.
void settle(NodalSolid<2>& s, double dt, int steps) {
  for (int i = 0; i < steps; ++i) ASSERT_TRUE(s.step(VectorXd::Zero(s.size()), dt)) << i;
}

TEST(ImplicitShell, FreeFallIsExact) {
  NodalSolid<2> s = chain(20, 1, {10, 0.1, 0.1}, 2);
  s.setGravity({0.5, -9.81});
  const VectorXd start = s.position();
  const double dt = 0.02;
  const int n = 10;
  for (int i = 0; i < n; ++i) ASSERT_TRUE(s.step(VectorXd::Zero(s.size()), dt));
  // sum of k dt^2 g: backward Euler of constant acceleration
  for (int i = 0; i < 20; ++i) {
    EXPECT_NEAR(s.position()[2 * i] - start[2 * i], 0.5 * dt * dt * n * (n + 1) / 2, 1e-12);
    EXPECT_NEAR(s.position()[2 * i + 1] - start[2 * i + 1], -9.81 * dt * dt * n * (n + 1) / 2, 1e-12);
  }
}

// Two masses m on a spring k: the elongation e of backward Euler obeys (1 + w^2 dt^2) e'' = 2 e' - e with w^2 = 2 k / m, whose
// roots have the size 1 / sqrt(1 + w^2 dt^2) and the angle atan(w dt).
TEST(ImplicitShell, SpringOscillatesWithTheKnownDamping) {
  const double ks = 50, l = 0.5, k = ks / l, m = 0.25, dt = 0.01, w = std::sqrt(2 * k / m);
  NodalSolid<2> s = chain(2, l, {ks, 0, 0}, 2 * m / l);
  VectorXd x = s.position();
  x[2] += 0.05;
  s.setMotion(x, VectorXd::Zero(4));
  const double size = 1 / std::sqrt(1 + w * w * dt * dt), angle = std::atan(w * dt);
  // e_j = size^j (A cos(j angle) + B sin(j angle)) with e_-1 = e_0 = A, as the masses start at rest
  const double ratio = (std::cos(angle) - size) / std::sin(angle);  // B / A
  for (int j = 1; j <= 40; ++j) {
    ASSERT_TRUE(s.step(VectorXd::Zero(4), dt));
    const double e = s.position()[2] - s.position()[0] - l;
    EXPECT_NEAR(e, 0.05 * std::pow(size, j) * (std::cos(j * angle) + ratio * std::sin(j * angle)), 1e-9) << j;
  }
}

// Damping along the edge: elongation of two masses without a spring decays by 1 / (1 + 2 c dt / m) a step.
TEST(ImplicitShell, DashpotDecays) {
  const double kd = 0.3, l = 0.5, c = kd / l, m = 0.25, dt = 0.02;
  NodalSolid<2> s = chain(2, l, {0, 0, kd}, 2 * m / l);
  VectorXd v(4);
  v << -0.1, 0, 0.1, 0;
  s.setMotion(s.position(), v);
  for (int j = 1; j <= 10; ++j) {
    ASSERT_TRUE(s.step(VectorXd::Zero(4), dt));
    EXPECT_NEAR(s.velocity()[2], 0.1 * std::pow(1 + 2 * c * dt / m, -j), 1e-12);
  }
}

// A chain of edges that hardly stretch hangs in a catenary: y = a cosh(x / a) with the span and length given.
TEST(ImplicitShell, HangsInACatenary) {
  const double span = 1, length = 1.3, g = 9.81, density = 2, ks = 1e5;
  double a = 0.3;  // of 2 a sinh(span / 2a) = length
  for (int i = 0; i < 50; ++i) {
    const double u = span / (2 * a), f = 2 * a * std::sinh(u) - length, df = 2 * std::sinh(u) - 2 * u * std::cosh(u);
    a -= f / df;
  }
  double error[3];
  for (int level = 0; level < 3; ++level) {
    const int n = (20 << level) + 1;
    VectorXd x(2 * n);
    for (int i = 0; i < n; ++i) {
      const double u = double(i) / (n - 1);
      x[2 * i] = span * u;
      x[2 * i + 1] = -1.2 * u * (1 - u);
    }
    NodalSolid<2> s = chain(n, length, {ks, 0, 0}, density);
    s.setMotion(x, VectorXd::Zero(2 * n));
    s.setGravity({0, -g});
    s.prescribe(0, {0, 0});
    s.prescribe(n - 1, {0, 0});
    settle(s, 1, 60);
    const double sag = a * (std::cosh(span / (2 * a)) - 1);
    error[level] = -s.position()[2 * (n / 2) + 1] / sag - 1;
    // horizontal tension density g a, everywhere; the chain is straight between nodes, which changes it by O(1/n^2)
    const VectorXd y = s.position();
    const Eigen::Vector2d e = y.segment<2>(2 * (n / 2 + 1)) - y.segment<2>(2 * (n / 2));
    const double tension = ks * (e.norm() / (length / (n - 1)) - 1) * e[0] / e.norm();
    EXPECT_NEAR(tension, density * g * a, 1e-2 * density * g * a);
  }
  EXPECT_LT(std::fabs(error[2]), 5e-4);                                // of it 3e-4 by the stretch
  EXPECT_NEAR((error[0] - error[1]) / (error[1] - error[2]), 4, 0.8);  // second order
}

// A taut chain with little weight sags by w L^2 / (8 T).
TEST(ImplicitShell, TautChainSagsByItsTension) {
  const int n = 41;
  const double l = 1, ks = 100, strain = 0.1, density = 0.1, g = 1;
  NodalSolid<2> s = chain(n, l, {ks, 0, 0}, density);
  VectorXd x = s.position();
  for (int i = 0; i < n; ++i) x[2 * i] *= 1 + strain;
  s.setMotion(x, VectorXd::Zero(2 * n));
  s.setGravity({0, -g});
  s.prescribe(0, {0, 0});
  s.prescribe(n - 1, {0, 0});
  settle(s, 10, 40);
  const double span = l * (1 + strain), sag = density / (1 + strain) * g * span * span / (8 * ks * strain);
  EXPECT_NEAR(-s.position()[2 * (n / 2) + 1], sag, 2e-3 * sag);
}

// The tip of a clamped beam under a small force sinks by F L^3 / (3 E I); the error falls with the edges' length.
TEST(ImplicitShell, CantileverBendsAsABeam) {
  const double l = 1, ei = 0.01, f = 1e-4;
  double error[2];
  for (int level = 0; level < 2; ++level) {
    const int edges = 20 << level, n = edges + 2;  // the first edge is the clamp
    const double h = l / edges;
    NodalSolid<2> s = chain(n, l + h, {1e3, ei, 0}, 1);
    s.prescribe(0, {0, 0});
    s.prescribe(1, {0, 0});
    const double dt = 100;
    VectorXd j = VectorXd::Zero(2 * n);
    j[2 * n - 1] = -f * dt;
    for (int i = 0; i < 30; ++i) ASSERT_TRUE(s.step(j, dt));
    error[level] = -s.position()[2 * n - 1] / (f * l * l * l / (3 * ei)) - 1;
  }
  EXPECT_LT(std::fabs(error[0]), 0.1);
  EXPECT_NEAR(error[1] / error[0], 0.5, 0.15);  // the clamp's node carries a whole edge of curvature: first order
}

TEST(ImplicitShell, MomentumIsKeptToRoundOff) {
  NodalSolid<2> s = chain(30, 1, {200, 1e-3, 0.05}, 2);
  const VectorXd v = scattered(60, 1, 3), m = s.mass();
  s.setMotion(s.position() + 0.01 * scattered(60, 1, 4), v);
  const VectorXd j = 0.1 * scattered(60, 1, 5);
  const auto momentum = [&](int d) {
    double p = 0;
    for (int i = 0; i < 30; ++i) p += m[2 * i + d] * s.velocity()[2 * i + d];
    return p;
  };
  double expected[2] = {momentum(0), momentum(1)};
  for (int step = 0; step < 20; ++step) {
    ASSERT_TRUE(s.step(j, 0.01));
    for (int d = 0; d < 2; ++d) {
      for (int i = 0; i < 30; ++i) expected[d] += j[2 * i + d];
      EXPECT_NEAR(momentum(d), expected[d], 1e-11);
    }
  }
}

// A chain between two pins, as long at rest as `length`, shaken by loads; the most linear solves that a step needed.
int mostIterations(double ks, double length, double sag, int steps) {
  const int n = 41;
  const auto model = implicit::chainModel(line(n, 1), false, {ks, 1e-4, 0.01}, length);
  VectorXd x = line(n, 1);
  for (int i = 0; i < n; ++i) x[2 * i + 1] = -4 * sag * x[2 * i] * (1 - x[2 * i]);
  NodalSolid<2> s(model, x, implicit::chainMass(*model, 0.1));
  s.setGravity({0, -1});
  s.prescribe(0, {0, 0});
  s.prescribe(n - 1, {0, 0});
  int most = 0;
  for (int step = 0; step < steps; ++step) {
    EXPECT_TRUE(s.step(1e-4 * scattered(2 * n, 1, unsigned(step)), 0.02)) << ks << " " << length << " step " << step;
    most = std::max(most, s.report().iterations);
  }
  return most;
}

TEST(ImplicitShell, NewtonIsQuickForStiffAndSlack) {
  for (const double ks : {1e-2, 1.0, 1e3, 1e6}) {
    EXPECT_LE(mostIterations(ks, 0.8, 0, 40), 8) << ks;  // taut
    EXPECT_LE(mostIterations(ks, 1, 0, 40), 15) << ks;   // neither
  }
  // slack, from a parabola of about that length. The path of nodes on edges that hardly stretch is a curve, which Newton's
  // method follows in chords: the stiffer, the shorter
  for (const double ks : {1e-2, 1.0, 1e3}) EXPECT_LE(mostIterations(ks, 1.2, 0.285, 40), 50) << ks;
  EXPECT_LE(mostIterations(1e6, 1.2, 0.285, 40), 800);
}

// Pressed by a sixth of its length and straight, from where every way out is sideways.
TEST(ImplicitShell, NewtonFindsTheWayOutOfBuckling) {
  for (const double ks : {1.0, 1e3}) EXPECT_LE(mostIterations(ks, 1.2, 0, 3), 160) << ks;
}

TEST(ImplicitShell, PrescribedNodesMoveAsTold) {
  NodalSolid<2> s = chain(11, 1, {100, 0, 0.1}, 1);
  s.prescribe(0, {0, 0.3});
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(s.step(VectorXd::Constant(22, 0.01), 0.05));
  EXPECT_NEAR(s.position()[1], 0.15, 1e-14);
  EXPECT_NEAR(s.position()[0], 0, 1e-14);
  s.release(0);
  ASSERT_TRUE(s.step(VectorXd::Constant(22, 1.0), 0.05));
  EXPECT_GT(s.position()[0], 0.01);
}

// A chain in fluid that is only mass, through the coupling's passes, is the heavier chain solved at once.
TEST(ImplicitShell, CoupledWithMassIsTheHeavierChain) {
  const auto model = implicit::chainModel(line(9, 1), false, {20, 1e-3, 0.1});
  const VectorXd mass = implicit::chainMass(*model, 1), fluidMass = VectorXd::Constant(9, 0.4);
  const auto light = std::make_shared<NodalSolid<2>>(model, line(9, 1), mass);
  NodalSolid<2> heavy(model, line(9, 1), mass + fluidMass);
  const VectorXd start = line(9, 1) + 0.03 * scattered(18, 1, 2);
  light->setMotion(start, VectorXd::Zero(18));
  heavy.setMotion(start, VectorXd::Zero(18));
  coupling::ImplicitSolidsBox box({light});
  ColumnFluid fluid(VectorXd::Constant(18, 0.4));
  coupling::XpmOptions o;
  o.stop.length = 1;
  o.stop.fraction = 1e-10;
  coupling::Xpm xpm(o);
  for (int step = 0; step < 5; ++step) {
    const coupling::Report r = xpm.advance(fluid, box, 0.02);
    ASSERT_TRUE(r.converged()) << r.text();
    ASSERT_TRUE(heavy.step(VectorXd::Zero(18), 0.02));
    EXPECT_LT((light->position() - heavy.position()).norm(), 1e-8);
  }
  EXPECT_GT((heavy.position() - start).norm(), 1e-3);
}

TEST(ImplicitShell, FailsAsTheBoxSays) {
  const auto model = implicit::chainModel(line(5, 1), false, {10, 0, 0});
  const auto s = std::make_shared<NodalSolid<2>>(model, line(5, 1), implicit::chainMass(*model, 1));
  coupling::ImplicitSolidsBox box({s});
  const VectorXd before = s->position();
  std::vector<double> load(10, 0.0);
  load[3] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(box.solve({LoadKind::impulse, load}, 0.1).position[0]));
  EXPECT_EQ(s->position(), before);
  EXPECT_THROW(box.solve({LoadKind::force, load}, 0.1), Error);
  load.pop_back();
  EXPECT_THROW(box.solve({LoadKind::impulse, load}, 0.1), Error);
}

TEST(ImplicitShell, BadParametersAreRefusedByName) {
  const auto refused = [](auto&& f, const std::string& word) {
    try {
      f();
      ADD_FAILURE() << word << " was taken";
    } catch (const Error& e) {
      EXPECT_EQ(e.kind, ErrorKind::input);
      EXPECT_NE(std::string(e.what()).find(word), std::string::npos) << e.what();
    }
  };
  refused([] { chain(5, 1, {-1, 0, 0}, 1); }, "stretching");
  refused([] { chain(5, 1, {1, std::nan(""), 0}, 1); }, "bending");
  refused([] { chain(5, 1, {1, 0, -2}, 1); }, "damping");
  refused([] { chain(5, 1, {1, 0, 0}, 0); }, "density");
  refused([] { chain(1, 1, {1, 0, 0}, 1); }, "two nodes");
  const auto model = implicit::chainModel(line(3, 1), false, {1, 0, 0});
  refused([&] { NodalSolid<2>(model, line(3, 1), Eigen::Vector3d(1, 0, 1)); }, "mass of node 1");
  refused([&] { NodalSolid<2>(model, line(4, 1), Eigen::Vector3d(1, 1, 1)); }, "do not fit");
  refused([&] { NodalSolid<2>(model, line(3, 1), Eigen::Vector3d(1, 1, 1)).prescribe(3, {0, 0}); }, "node 3");
  refused([] { implicit::sheetModel(VectorXd::Zero(9), {{0, 1, 2}}, {1, 0, 0}); }, "area");
  refused([] { implicit::sheetModel(VectorXd::Zero(9), {{0, 1, 3}}, {1, 0, 0}); }, "node 3");
}

}  // namespace
}  // namespace meniscus::testing
