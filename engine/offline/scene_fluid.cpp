#include "engine/offline/scene_fluid.h"

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/offline/smoke_in_scene.h"
#include "engine/offline/water_in_scene.h"

namespace meniscus::offline {

template <int D>
std::unique_ptr<SceneFluid<D>> sceneFluid(const SceneDef& scene, Exec& exec, const SmokeDomain<D>& domain, const ShellMesh<D>& mesh,
                                          const std::vector<SceneSolid<D>>& solids, const Motion& start) {
  if (scene.fluids[0].kind == FluidKind::water) return std::make_unique<WaterInScene<D>>(scene, exec, domain, mesh, solids, start);
  return std::make_unique<SmokeInScene<D>>(scene, exec, domain, mesh, solids, start);
}

const std::vector<double>& numbersOf(const OfflineRun::State& state, const std::string& name) {
  for (const auto& [key, value] : state)
    if (key == name) return value;
  throw Error(ErrorKind::input, fmt::format("the snapshot lacks \"{}\"", name));
}

template std::unique_ptr<SceneFluid<2>> sceneFluid<2>(const SceneDef&, Exec&, const SmokeDomain<2>&, const ShellMesh<2>&,
                                                      const std::vector<SceneSolid<2>>&, const Motion&);
template std::unique_ptr<SceneFluid<3>> sceneFluid<3>(const SceneDef&, Exec&, const SmokeDomain<3>&, const ShellMesh<3>&,
                                                      const std::vector<SceneSolid<3>>&, const Motion&);

}  // namespace meniscus::offline
