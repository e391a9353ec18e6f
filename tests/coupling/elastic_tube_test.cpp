// Iterations of the methods on the elastic tube, against those of a separate implementation of the same equations: ten steps, the
// stop |a~ - a| <= 1e-5 |a~|, the first guess of a step constant.
#include <gtest/gtest.h>

#include "engine/coupling/gain.h"
#include "engine/coupling/iqn/iqn_ils.h"
#include "engine/coupling/partitioned/relaxation.h"
#include "engine/coupling/xpm/xpm.h"
#include "tests/coupling/elastic_tube.h"

namespace meniscus::testing {
namespace {

using coupling::Coupling;
using coupling::IqnIls;
using coupling::IqnIlsOptions;
using coupling::Relaxation;
using coupling::RelaxationOptions;
using coupling::Report;
using coupling::StopRule;
using coupling::Xpm;
using coupling::XpmOptions;
using coupling::XpmResidual;

StopRule tubeStop(int maxIterations = 60) {
  StopRule stop;
  stop.relative = 1e-5;
  stop.maxIterations = maxIterations;
  return stop;
}

struct Run {
  int steps = 0;        // that converged, one after the other
  double mean = 0;      // iterations of those
  std::string stopped;  // the report of the step that did not
};

Run runTube(Coupling& method, double youngsModulus) {
  TubeFluid fluid(youngsModulus);
  TubeSolid solid(youngsModulus);
  Run run;
  int iterations = 0;
  for (; run.steps < 10; ++run.steps) {
    const Report r = method.advance(fluid, solid, kTubeDt);
    if (!r.converged()) {
      run.stopped = r.text();
      break;
    }
    iterations += r.fluidSolves;
  }
  run.mean = run.steps ? double(iterations) / run.steps : 0;
  return run;
}

Run relaxed(double omega, double youngsModulus, bool aitken = false, int most = 100) {
  RelaxationOptions o;
  o.stop = tubeStop(most);
  o.omega = omega;
  o.aitken = aitken;
  o.extrapolate = false;
  Relaxation method(o);
  return runTube(method, youngsModulus);
}

Run iqn(double omega, double youngsModulus) {
  IqnIlsOptions o;
  o.stop = tubeStop();
  o.omega = omega;
  o.extrapolate = false;
  IqnIls method(o);
  return runTube(method, youngsModulus);
}

Run rmi(double omega, double youngsModulus, bool extrapolate = false, XpmResidual residual = XpmResidual::interface) {
  XpmOptions o;
  o.stop = tubeStop();
  o.omega = omega;
  o.extrapolate = extrapolate;
  o.residual = residual;
  Xpm method(o);
  return runTube(method, youngsModulus);
}

// All ten steps converged, with the mean within `tolerance` of the reference's.
void expectMean(const Run& run, double mean, double tolerance) {
  EXPECT_EQ(run.steps, 10) << run.stopped;
  EXPECT_NEAR(run.mean, mean, tolerance);
}

TEST(ElasticTube, SoftIsTooMuchForGaussSeidelAndWholeSteps) {
  EXPECT_EQ(relaxed(1, 1e4).steps, 0);
  EXPECT_EQ(relaxed(0.1, 1e4).steps, 0);
  EXPECT_LT(iqn(1, 1e4).steps, 10);
  EXPECT_LT(rmi(1, 1e4).steps, 10);
}

TEST(ElasticTube, SlowSoftRelaxed) { expectMean(relaxed(0.01, 1e4, false, 600), 288.9, 1); }

// Aitken's path through the excursions of this case hangs on the last digits: 45.2 in the reference, 47 to 53 here for first omegas
// from 0.002 to 0.05.
TEST(ElasticTube, SoftAitken) { expectMean(relaxed(0.01, 1e4, true), 47, 8); }

TEST(ElasticTube, SoftModels) {
  expectMean(iqn(0.01, 1e4), 16.1, 0.5);
  expectMean(rmi(0.01, 1e4), 14.7, 0.5);
  expectMean(rmi(0.01, 1e4, true), 13.1, 1);
}

TEST(ElasticTube, Middle) {
  EXPECT_EQ(relaxed(1, 1e5).steps, 0);
  EXPECT_EQ(relaxed(0.5, 1e5).steps, 0);
  expectMean(relaxed(0.1, 1e5), 25.7, 0.5);
  expectMean(relaxed(0.1, 1e5, true), 9.9, 0.5);
  expectMean(iqn(1, 1e5), 7.6, 0.5);
  expectMean(iqn(0.1, 1e5), 6.6, 0.5);
  expectMean(rmi(1, 1e5), 7.2, 0.5);
  expectMean(rmi(0.1, 1e5), 6.0, 0.5);
  expectMean(rmi(1, 1e5, false, XpmResidual::successive), 7.9, 0.5);
}

TEST(ElasticTube, Stiff) {
  EXPECT_EQ(relaxed(1, 1e6).steps, 0);
  expectMean(relaxed(0.5, 1e6), 4.9, 0.3);
  expectMean(relaxed(0.1, 1e6), 21.9, 0.3);
  expectMean(relaxed(0.1, 1e6, true), 4.7, 0.3);
  expectMean(iqn(0.1, 1e6), 3.2, 0.3);
  expectMean(rmi(0.1, 1e6), 3.0, 0.3);
  expectMean(rmi(0.1, 1e6, false, XpmResidual::successive), 3.9, 0.3);
}

// The gain, measured before the first step, says which relaxation the ten steps bear.
TEST(ElasticTube, GainPredictsRelaxation) {
  for (const double e : {1e5, 1e6}) {
    TubeFluid fluid(e);
    TubeSolid solid(e);
    coupling::GainOptions o;
    o.step = 1e-5;
    const coupling::Gain gain = interfaceGain(fluid, solid, kTubeDt, o);
    EXPECT_TRUE(gain.converged);
    const double limit = gain.largestStableOmega();
    expectMean(relaxed(0.9 * limit, e), 21, 3);
    EXPECT_LT(relaxed(1.1 * limit, e, false, 400).steps, 10) << limit;
  }
}

}  // namespace
}  // namespace meniscus::testing
