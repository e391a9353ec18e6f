// The monolithic method and XPM with one stop rule.
#pragma once

#include "engine/coupling/monolithic/monolithic.h"
#include "engine/coupling/xpm/xpm.h"
#include "tests/coupling/coupled_scenes.h"

namespace meniscus::testing {

using namespace coupling;

inline StopRule within(double dx, double fraction) {
  StopRule stop;
  stop.length = dx;
  stop.fraction = fraction;
  return stop;
}

inline Xpm xpm(double dx, double fraction) {
  XpmOptions o;
  o.stop = within(dx, fraction);
  return Xpm(o);
}

template <int D>
Monolithic<D> monolithic(Exec& exec, double dx, double fraction, double linear = 1e-10) {
  MonolithicOptions o;
  o.stop = within(dx, fraction);
  o.linear.tolerance = linear;
  return Monolithic<D>(exec, o);
}

}  // namespace meniscus::testing
