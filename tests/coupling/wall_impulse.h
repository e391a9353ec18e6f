// What the walls of a box give to the fluid in it, by the pressures beside them.
#pragma once

#include <cmath>

#include "engine/grid/smoke/smoke_domain.h"

namespace meniscus::testing {

// A times the pressure of the cells beside the walls (per time or as an impulse, as they are), along an axis.
template <int D>
double wallImpulse(const SmokeDomain<D>& d, const Buffer<double>& pressure, int axis) {
  double sum = 0;
  for (Offset i = 0; i < d.grid.cells(); ++i) {
    const Index k = d.grid.cellAt(i)[std::size_t(axis)];
    if (k == 0) sum += pressure[std::size_t(i)];
    if (k == d.grid.n[std::size_t(axis)] - 1) sum -= pressure[std::size_t(i)];
  }
  return sum * std::pow(d.grid.dx, D - 1);
}

}  // namespace meniscus::testing
