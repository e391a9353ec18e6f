// What moves with the water, from the beginning of a step to its end.
#pragma once

#include "engine/grid/water/water_motion.h"

namespace meniscus {

// velocity: at the end of the step; is carried into the air. The volume grows by the inflow. scratch: memory, kept from step to
// step. met: see moveAirGaps.
template <int D>
void moveWater(Exec& exec, const WaterMotion<D>& m, const WaterMatter<D>& before, Buffer<double>* velocity,
               const std::vector<std::pair<int, Offset>>& met, WaterScratch<D>& scratch, WaterMatter<D>& after);

}  // namespace meniscus
