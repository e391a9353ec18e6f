// Scenes as scene files.
#include "engine/scene/save.h"

#include "engine/api/files.h"
#include "engine/api/objects.h"
#include "engine/base/file.h"
#include "engine/base/heap.h"

using namespace meniscus;
using namespace meniscus::api;

namespace {

// The definitions in the words of the scene format.
SceneDef asWritten(mnsScene& s) {
  SceneDef def = s.current();
  // a body that goes where it is told rests until then
  for (SolidDef& d : def.solids)
    if (d.kind == SolidKind::kinematic && d.motion.empty()) d.motion.push_back(KeyFrame{});
  if (s.loaded) return def;
  for (FluidDef& f : def.fluids) f.relax = s.settle;
  // here 0 is the particles of the start; in a scene file there is room for what emitters bring as well
  if (def.maxParticles == 0 && !def.emitters.empty()) {
    if (!s.running)
      fail(MNS_ERROR_SCENE,
           "the scene has emitters but no maxParticles: how many particles there is room for is known once the scene "
           "is started");
    def.maxParticles = s.running->world.fluid.capacity;
  }
  return def;
}

}  // namespace

extern "C" {

mnsResult mnsScene_Save(mnsScene* scene, const char* path) {
  return read(scene, [&](mnsScene& s) {
    needPointer(path, "path");
    if (!*path) fail(MNS_ERROR_FILE, "the path of the scene file is empty");
    asFile([&] { absolutePath(path); }, [] {});
    const HeapFallback json;
    const SceneFiles files = sceneFiles(asWritten(s), path);
    return asFile([&] { writeSceneFiles(files); }, [] { return MNS_OK; });
  });
}

}  // extern "C"
