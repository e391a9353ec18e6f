// What a sub-step on a device sums up, and what of it the host reads before the next (device_measure.cpp).
#pragma once

#include <cmath>

#include "engine/particle/device/device_step.h"
#include "kernels/fluid/step_measures.h"

MNS_NS_BEGIN

// Where the sums of a sub-step are in the buffer that the host reads at once.
enum DeviceSum {
  speed2,
  outside,
  open,
  density,
  largest = density + 6,
  divergence,
  surface = divergence + 2,
  contact = surface + 4,
  corrected = contact + 4,
  viscous = corrected + 1,
  sums = viscous + 3
};

struct DeviceFluid::Look {
  double speed;      // of the fluid [m/s]
  double bodySpeed;  // of any surface, as the program sees it
  Index outside, open;
};

inline double length(const double (&v)[3]) { return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

MNS_NS_END
