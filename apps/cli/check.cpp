#include <fmt/format.h>

#include "apps/cli/options.h"
#include "apps/cli/report.h"
#include "apps/cli/say.h"
#include "apps/cli/simulation.h"
#include "engine/exec/exec.h"
#include "engine/offline/run.h"
#include "engine/output/summary.h"
#include "engine/scene/load.h"
#include "engine/scene/methods.h"
#include "engine/world/build.h"
#include "engine/world/fields.h"

namespace meniscus::cli {

// First the file, then what it asks to be built: overlaps, meshes and capacities show only there.
int check(const CheckOptions& options) {
  SceneDef scene;
  Diagnostics mistakes = checkScene(options.scene, &scene);
  const Diagnostics names = checkExpectNames(scene);
  mistakes.insert(mistakes.end(), names.begin(), names.end());
  throwIfAny(mistakes);

  Exec exec;
  std::vector<std::string> notes;
  if (isGridScene(scene)) {
    const auto run = offline::OfflineRun::build(scene, exec, &notes);
    for (const std::string& note : notes) say(stdout, "{}\n", note);
    say(stdout, "{}: no mistakes; {}\n", options.scene, sizesOf(*run));
    return 0;
  }
  const World world = buildWorld(scene, exec, &notes);
  for (const std::string& note : notes) say(stdout, "{}\n", note);
  say(stdout, "{}: no mistakes; {}; room for {}\n", options.scene, sizesOf(world), counted(world.fluid.capacity, "particle"));
  if (options.fields) say(stdout, "{}", describeFields(world));
  return 0;
}

}  // namespace meniscus::cli
