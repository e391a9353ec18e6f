#include <gtest/gtest.h>

#include "engine/coupling/cases/smoke_jet.h"
#include "engine/coupling/monolithic/monolithic.h"
#include "engine/coupling/xpm/xpm.h"
#include "tests/coupling/boxes.h"

namespace meniscus::testing {
namespace {

using namespace coupling;

TEST(Monolithic, Try) {
  for (const ShellPlace place : {ShellPlace::start, ShellPlace::end})
    for (const double ratio : {0.1, 0.5, 2.0}) {
      Exec exec(1);
      SmokeJetOptions o;
      o.paper = false;
      o.massRatio = ratio;
      o.place = place;
      SmokeJet jet(exec, o);
      StopRule stop;
      stop.length = jet.dx();
      XpmOptions x;
      x.stop = stop;
      Xpm first(x);
      for (int step = 0; step < 4; ++step) printf("%s\n", first.advance(jet.fluid(), jet.solid(), jet.timeStep()).text().c_str());
      const double dt = jet.timeStep();
      x.stop.fraction = 1e-6;
      x.stop.maxIterations = 80;
      Xpm exact(x);
      printf("xpm %s\n", exact.advance(jet.fluid(), jet.solid(), dt).text().c_str());
      const VectorXd xx = vectorOf(jet.solid().motion().position);
      jet.fluid().restore();
      jet.solid().restore();
      MonolithicOptions m;
      m.stop = x.stop;
      Monolithic<2> mono(exec, m);
      const Report r = mono.advance(jet.fluid(), jet.solid(), dt);
      printf("mono %s\n", r.text().c_str());
      for (const Pass& p : r.passes) printf("   %g %g %g\n", p.residual, p.jump, p.step);
      const VectorXd xm = vectorOf(jet.solid().motion().position);
      printf("place %d ratio %g: diff %g dx, moved %g dx\n", int(place), ratio, (xm - xx).lpNorm<Eigen::Infinity>() / jet.dx(), 0.0);
    }
}

}  // namespace
}  // namespace meniscus::testing
