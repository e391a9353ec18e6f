// The solids as they stand now, as regions.
#pragma once

#include <memory>
#include <vector>

#include "engine/scene/sample.h"
#include "engine/world/world.h"

namespace meniscus {

struct StandingSolids {
  std::vector<std::unique_ptr<Region>> regions;
  std::vector<FillObstacle> obstacles;  // of closed solids only: massive ones that reach into the box asked for, and containers
};

// near: world frame [m].
StandingSolids standingSolids(const World& world, const Box3& near);

}  // namespace meniscus
