// What holds in scenes of solids alone, on the CPU and beside a device.
#pragma once

#include <algorithm>

#include "engine/scene/scene.h"

namespace meniscus {

// The solids' rows of the joint system want a density to be measured by [kg/m^3].
constexpr double kDensityWithoutFluid = 1000;

// Sub-steps of a step that are wanted in any case: without fluid, the scene may ask for more than one.
inline int askedSubsteps(const SceneDef& s) {
  return s.fluids.empty() ? std::min(s.solver.solidSubsteps, s.solver.maxSubsteps) : 1;
}

}  // namespace meniscus
