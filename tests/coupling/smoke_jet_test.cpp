// A cloth in a jet of smoke by all methods: one fixed point, the known limits of stability, and the published table's.
#include <gtest/gtest.h>

#include "engine/coupling/cases/smoke_jet.h"
#include "engine/coupling/gain.h"
#include "engine/coupling/iqn/iqn_ils.h"
#include "engine/coupling/partitioned/relaxation.h"
#include "engine/coupling/xpm/xpm.h"
#include "tests/coupling/boxes.h"

namespace meniscus::testing {
namespace {

using namespace coupling;

StopRule within(const SmokeJet& jet, double fraction) {
  StopRule stop;
  stop.length = jet.dx();
  stop.fraction = fraction;
  return stop;
}

Xpm xpm(const SmokeJet& jet, double fraction, double w0 = 0.1) {
  XpmOptions o;
  o.stop = within(jet, fraction);
  o.omega = w0;
  o.ownLoad = jet.load() == ShellLoad::impulse && w0 != 1;
  if (w0 == 1) o.stepCap = 0;
  return Xpm(o);
}

SmokeJetOptions options(double massRatio, ShellLoad load, bool paper = false) {
  SmokeJetOptions o;
  o.paper = paper;
  o.massRatio = massRatio;
  o.load = load;
  return o;
}

// After a step to 1e-6 of a cell: what the solid did is what it answers to the fluid's load at its own new place, and another
// method ends at the same place.
TEST(SmokeJet, XpmEndsAtTheFixedPoint) {
  Exec exec(1);
  for (const double ratio : {0.2, 1.0}) {
    SmokeJet jet(exec, options(ratio, ShellLoad::impulse));
    Xpm first = xpm(jet, 0.05), exact = xpm(jet, 1e-6);
    for (int step = 0; step < 3; ++step) ASSERT_TRUE(first.advance(jet.fluid(), jet.solid(), jet.timeStep()).converged());
    const double dt = jet.timeStep();
    const Report report = exact.advance(jet.fluid(), jet.solid(), dt);
    ASSERT_TRUE(report.converged()) << report.text();
    Motion end = jet.solid().motion();
    jet.fluid().restore();
    jet.solid().restore();
    const Motion start = jet.solid().motion();
    for (std::size_t k = 0; k < end.position.size(); ++k) end.velocity[k] = (end.position[k] - start.position[k]) / dt;
    const VectorXd x = vectorOf(end.position), again = vectorOf(jet.solid().solve(jet.fluid().solve(end, dt), dt).position);
    EXPECT_LT((again - x).norm(), 2e-5 * jet.dx());
    EXPECT_GT((x - vectorOf(start.position)).norm(), 0.1 * jet.dx());
    jet.fluid().restore();
    jet.solid().restore();
    IqnIlsOptions q;
    q.stop = within(jet, 1e-6);
    IqnIls other(q);
    ASSERT_TRUE(other.advance(jet.fluid(), jet.solid(), dt).converged());
    EXPECT_LT((vectorOf(jet.solid().motion().position) - x).norm(), 1e-5 * jet.dx());
  }
}

double gain(const SmokeJetOptions& o) {
  Exec exec(1);
  SmokeJet jet(exec, o);
  GainOptions g;
  g.step = 1e-6 * jet.dx();
  const Gain gain = interfaceGain(jet.fluid(), jet.solid(), jet.timeStep(), g);
  EXPECT_TRUE(gain.converged);
  return gain.g;
}

// The forces of a given flow are linear in their scale; an added mass acts against the mass of the cloth, so that twice the mass
// has half the gain where the cloth's own stiffness is small beside it.
TEST(SmokeJet, GainIsTheAddedMassOverTheMass) {
  const double doubled = gain(options(1, ShellLoad::pressure, true)), same = gain(options(1, ShellLoad::pressure));
  // twice the force on twice the mass
  EXPECT_NEAR(doubled / same, 1, 0.02);
  EXPECT_NEAR(gain(options(2, ShellLoad::pressure)) / same, 0.5, 0.05);
  // the table's limits: omega = .2 fails at M = .5 and holds at .8, .1 fails at .2 and holds at .5, .05 fails at .1 and holds at .2
  EXPECT_GT(doubled, 6);
  EXPECT_LT(doubled, 7.2);
  // with impulses P-C .05 holds at M = .1
  const double impulses = gain(options(1, ShellLoad::impulse, true));
  EXPECT_GT(impulses, 3);
  EXPECT_LT(impulses, 3.9);
}

// Relaxed passes of one step shrink below omega = 2 / (1 + g) and grow above it.
TEST(SmokeJet, FixedRelaxationIsStableBelowTheLimitOfTheGain) {
  const SmokeJetOptions o = options(1, ShellLoad::impulse);
  const double limit = 2 / (1 + gain(o));
  for (const double part : {0.93, 1.07}) {
    Exec exec(1);
    SmokeJet jet(exec, o);
    RelaxationOptions r;
    r.stop = within(jet, 1e-9);
    r.omega = part * limit;
    r.stop.maxIterations = 60;
    const Report report = Relaxation(r).advance(jet.fluid(), jet.solid(), jet.timeStep());
    const double ratio = report.passes.back().residual / report.passes.front().residual;
    EXPECT_TRUE(part < 1 ? ratio < 0.01 : ratio > 2) << ratio << " " << report.text();
  }
}

// Every column and mass of Table 1 of Akbay et al. 2018 that is stable there is stable here, and no other.
TEST(SmokeJet, SlowTableOneIsStableWhereItIsPrinted) {
  struct Row {
    double ratio;
    bool stable[4];  // omega = .5, .2, .1, .05 of pressure forces
  };
  constexpr double kOmega[] = {0.5, 0.2, 0.1, 0.05};
  for (const Row& row :
       {Row{0.1, {false, false, false, false}}, Row{0.2, {false, false, false, true}}, Row{0.5, {false, false, true, true}},
        Row{0.8, {false, true, true, true}}, Row{1, {false, true, true, true}}, Row{2, {false, true, true, true}}}) {
    Exec exec(1);
    double mean[3];  // P-C .05, RMI, XPM
    for (int k = 0; k < 4; ++k) {
      SmokeJet jet(exec, options(row.ratio, ShellLoad::pressure, true));
      RelaxationOptions r;
      r.stop = within(jet, 0.05);
      r.omega = kOmega[k];
      Relaxation method(r);
      EXPECT_EQ(runSmokeJet(jet, method, 3).stable, row.stable[k]) << row.ratio << " " << kOmega[k];
    }
    for (int k = 0; k < 3; ++k) {
      SmokeJet jet(exec, options(row.ratio, k == 1 ? ShellLoad::pressure : ShellLoad::impulse, true));
      RelaxationOptions r;
      r.stop = within(jet, 0.05);
      Relaxation relaxed(r);
      Xpm reduced = xpm(jet, 0.05, 1);
      const SmokeJetRun run = runSmokeJet(jet, k == 0 ? static_cast<Coupling&>(relaxed) : reduced, 3);
      EXPECT_TRUE(run.stable) << row.ratio << " " << k;
      EXPECT_EQ(run.unconverged, 0);
      mean[k] = run.meanIterations;
    }
    EXPECT_LE(mean[2], mean[1]) << row.ratio;  // XPM, RMI
    EXPECT_LE(mean[1], mean[0]) << row.ratio;  // RMI, P-C
  }
}

// With right forces and the method's own defaults light cloths are stable too, by forces and by impulses.
TEST(SmokeJet, SlowVeryLightClothIsStable) {
  Exec exec(1);
  for (const double ratio : {0.05, 0.02})
    for (const ShellLoad load : {ShellLoad::pressure, ShellLoad::impulse}) {
      SmokeJet jet(exec, options(ratio, load));
      Xpm method = xpm(jet, 0.05, 0.1);
      const SmokeJetRun run = runSmokeJet(jet, method, 3);
      EXPECT_TRUE(run.stable) << ratio;
      EXPECT_EQ(run.unconverged, 0) << ratio;
      EXPECT_LT(run.meanIterations, 6) << ratio;
    }
}

}  // namespace
}  // namespace meniscus::testing
