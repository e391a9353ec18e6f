// A balloon of fluid that is wholly enclosed grows by what flows in.
#include <gtest/gtest.h>

#include "engine/coupling/cases/smoke_balloon.h"
#include "engine/coupling/partitioned/relaxation.h"
#include "engine/coupling/xpm/xpm.h"

namespace meniscus::testing {
namespace {

using namespace coupling;

struct Growth {
  double part = 0;      // of the inflow that the area grew by
  double pressure = 0;  // [Pa] at the end
};

Growth growth(const SmokeBalloonOptions& options, double duration, double fraction, bool aitken = false) {
  Exec exec(1);
  SmokeBalloon balloon(exec, options);
  StopRule stop;
  stop.length = balloon.dx();
  stop.fraction = fraction;
  XpmOptions x;
  x.stop = stop;
  Xpm xpm(x);
  RelaxationOptions r;
  r.stop = stop;
  r.aitken = true;
  Relaxation relaxed(r);
  const double before = balloon.area(), dt = 0.02;
  for (double t = dt; t < duration + 0.5 * dt; t += dt) {
    const Report report = (aitken ? static_cast<Coupling&>(relaxed) : xpm).advance(balloon.fluid(), balloon.solid(), dt);
    EXPECT_TRUE(report.converged()) << t << " " << report.text();
    EXPECT_TRUE(balloon.enclosed().report().converged);
    EXPECT_EQ(balloon.enclosed().pressure().size(), 1U);
  }
  return {(balloon.area() - before) / (SmokeBalloon::kInflow * duration), balloon.enclosed().pressure()[0]};
}

// The flow through the closed faces is that of the fluid, the area that of the chain: they differ at first order in the size of the
// cells.
TEST(SmokeBalloon, SlowGrowsByTheInflow) {
  SmokeBalloonOptions coarse, fine;
  fine.refine = 2;
  const Growth c = growth(coarse, 1, 0.05), f = growth(fine, 1, 0.05);
  EXPECT_NEAR(c.part, 1, 0.013);
  EXPECT_NEAR(f.part, 1, 0.0065);
  EXPECT_LT(std::abs(f.part - 1), 0.6 * std::abs(c.part - 1));
  // the pressure of the blown-up balloon is that of its tension and hangs little on the grid
  EXPECT_NEAR(c.pressure / f.pressure, 1, 0.02);
}

// The constant pressure is the solid's affair: any load, any method, any mass. The tolerance is tight, because the growth of a
// short time is small beside the area that the usual one leaves open.
TEST(SmokeBalloon, GrowsByAnyMethod) {
  SmokeBalloonOptions o;
  EXPECT_NEAR(growth(o, 0.2, 0.005, true).part, 1, 0.013);
  o.load = ShellLoad::pressure;
  EXPECT_NEAR(growth(o, 0.2, 0.005).part, 1, 0.013);
  o.massRatio = 0.2;
  EXPECT_NEAR(growth(o, 0.2, 0.005).part, 1, 0.013);
}

}  // namespace
}  // namespace meniscus::testing
