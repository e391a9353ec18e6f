// A step is a function of the saved state: the same bits whatever was solved before, and each solve of a step starts from that
// state.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "engine/coupling/iqn/iqn_ils.h"
#include "engine/coupling/partitioned/relaxation.h"
#include "engine/coupling/xpm/xpm.h"
#include "tests/coupling/elastic_tube.h"
#include "tests/shared/error_of.h"

namespace meniscus::testing {
namespace {

using coupling::Report;
using coupling::Xpm;
using coupling::XpmOptions;

XpmOptions options() {
  XpmOptions o;
  o.stop.relative = 1e-5;
  o.reuse = 2;
  return o;
}

// Ten steps of the tube: every residual and the last state, as one list of numbers. disturb: solves that are taken back in between,
// and memory that is left lying so that later vectors have other addresses.
std::vector<double> history(bool disturb) {
  TubeFluid fluid(1e5);
  TubeSolid solid(1e5);
  Xpm method(options());
  std::vector<double> all;
  std::vector<std::unique_ptr<char[]>> litter;
  for (int step = 0; step < 10; ++step) {
    if (disturb) {
      litter.push_back(std::make_unique<char[]>(static_cast<size_t>(40 + 8 * step)));
      fluid.save();
      solid.save();
      Motion m = solid.motion();
      m.position[50] += 0.01;
      solid.solve(fluid.solve(m, kTubeDt), kTubeDt);
      fluid.restore();
      solid.restore();
    }
    const Report r = method.advance(fluid, solid, kTubeDt);
    EXPECT_TRUE(r.converged()) << r.text();
    for (const coupling::Pass& p : r.passes) all.push_back(p.residual);
  }
  for (const double a : solid.motion().position) all.push_back(a);
  return all;
}

TEST(Purity, SolvesTakenBackLeaveNoBit) {
  const std::vector<double> once = history(false);
  EXPECT_GT(once.size(), 101U + 30U);
  EXPECT_EQ(history(true), once);
  EXPECT_EQ(history(false), once);
}

TEST(Purity, SolveRestoreSolve) {
  TubeFluid fluid(1e4);
  TubeSolid solid(1e4);
  Motion m = solid.motion();
  for (size_t i = 0; i < m.position.size(); ++i) m.position[i] += 1e-3 * std::sin(0.1 * double(i));
  fluid.save();
  solid.save();
  const Load first = fluid.solve(m, kTubeDt);
  const Motion answer = solid.solve(first, kTubeDt);
  fluid.restore();
  solid.restore();
  const Load second = fluid.solve(m, kTubeDt);
  EXPECT_EQ(second.value, first.value);
  EXPECT_EQ(solid.solve(second, kTubeDt).position, answer.position);
}

// A method made anew after five steps and given what the first one carried goes on with the same bits.
template <class Method, class Options>
void expectResumed(const Options& options) {
  const auto run = [&](bool resume) {
    TubeFluid fluid(1e5);
    TubeSolid solid(1e5);
    Method method(options);
    for (int step = 0; step < 10; ++step) {
      if (resume && step == 5) {
        Method other(options);
        other.setCarried(method.carried());
        method = other;
      }
      EXPECT_TRUE(method.advance(fluid, solid, kTubeDt).converged());
    }
    return solid.motion().position;
  };
  EXPECT_EQ(run(true), run(false));

  Method method(options);
  const std::vector<double> carried = method.carried();
  std::vector<double> wrong(carried.size() + 1, 3.0);  // one number too many
  std::copy(carried.begin(), carried.end(), wrong.begin());
  EXPECT_NE(errorOf([&] { method.setCarried(wrong); }), "");
  EXPECT_NE(errorOf([&] { method.setCarried({}); }), "");
  EXPECT_NE(errorOf([&] { method.setCarried({std::nan("")}); }), "");
  EXPECT_EQ(method.carried(), carried);
}

TEST(Purity, ResumedStepsHaveTheSameBits) {
  expectResumed<Xpm>(options());
  coupling::IqnIlsOptions q;
  q.stop = options().stop;
  q.reuse = 3;
  expectResumed<coupling::IqnIls>(q);
  coupling::RelaxationOptions o;
  o.stop = options().stop;
  o.aitken = true;
  expectResumed<coupling::Relaxation>(o);
}

// Columns that are cut off anywhere are refused.
TEST(Purity, CutOffColumnsAreRefused) {
  TubeFluid fluid(1e5);
  TubeSolid solid(1e5);
  Xpm method(options());
  method.advance(fluid, solid, kTubeDt);
  method.advance(fluid, solid, kTubeDt);
  const std::vector<double> whole = method.carried();
  EXPECT_GT(whole.size(), 2U * 2 * 101);
  for (size_t length = 0; length < whole.size(); ++length)
    EXPECT_NE(errorOf([&] { method.setCarried({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length)}); }), "");
  EXPECT_EQ(method.carried(), whole);
}

// A fluid that notices where a solve starts.
struct WatchedFluid : ColumnFluid {
  using ColumnFluid::ColumnFluid;
  Load solve(const Motion& end, double dt) override {
    startedFromSaved = startedFromSaved && v == savedV;
    return ColumnFluid::solve(end, dt);
  }
  void setBoundary(const Motion& now) override { boundary = now.position; }
  bool startedFromSaved = true;
  std::vector<double> boundary;
};

TEST(Purity, EverySolveOfAStepStartsFromTheSavedState) {
  WatchedFluid fluid(VectorXd::Constant(3, 2));
  PistonSolid solid(VectorXd::Ones(3), scattered(3, 1, 1));
  XpmOptions o;
  o.stop.length = 1;
  o.stop.fraction = 1e-10;
  Xpm method(o);
  for (int step = 0; step < 3; ++step) {
    const std::vector<double> before = solid.motion().position;
    EXPECT_GT(method.advance(fluid, solid, 0.01).fluidSolves, 1);
    EXPECT_EQ(fluid.boundary, before);  // told where the solid really was, not where the last guess put it
  }
  EXPECT_TRUE(fluid.startedFromSaved);
  EXPECT_EQ(solid.v, vectorOf(solid.motion().velocity));
  EXPECT_LT((fluid.v - solid.v).norm(), 1e-7);
}

}  // namespace
}  // namespace meniscus::testing
