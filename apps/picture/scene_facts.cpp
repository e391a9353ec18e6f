#include "apps/picture/scene_facts.h"

#include "apps/picture/check.h"

namespace meniscus::picture {

SceneFacts factsOf(mnsScene* scene) {
  mnsSceneDef def = mnsDefaultSceneDef();
  check(mnsScene_GetDef(scene, &def));
  SceneFacts facts;
  facts.name = def.name;
  facts.low = {def.domain.min.x, def.domain.min.y, def.domain.min.z};
  facts.high = {def.domain.max.x, def.domain.max.y, def.domain.max.z};
  for (unsigned k = 0; k < 6; ++k) facts.wall[k] = !(def.openSides >> k & 1u);
  facts.gravity = {def.gravity.x, def.gravity.y, def.gravity.z};
  facts.dt = def.maxStep;
  facts.duration = def.duration;
  mnsGrid grid{};
  grid.structSize = sizeof grid;
  const mnsResult onGrid = mnsScene_GetGrid(scene, &grid);
  if (onGrid != MNS_ERROR_NOT_STARTED && onGrid != MNS_ERROR_WRONG_KIND) check(onGrid);
  facts.grid = onGrid != MNS_ERROR_WRONG_KIND;
  if (def.spacing > 0) facts.spacing = float(def.spacing);
  return facts;
}

}  // namespace meniscus::picture
