// Scenes: made, loaded, saved, started, destroyed.
#include <algorithm>
#include <cstring>
#include <limits>

#include "engine/api/convert.h"
#include "engine/api/create.h"
#include "engine/api/defs.h"
#include "engine/api/files.h"
#include "engine/api/grid_scene.h"
#include "engine/api/inside.h"
#include "engine/api/objects.h"
#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/base/heap.h"
#include "engine/scene/load.h"
#include "engine/world/build.h"

using namespace meniscus;
using namespace meniscus::api;

namespace {

std::unique_ptr<Exec> threadsOf(const Settings& s) {
  return s.tasks.run ? std::make_unique<Exec>(s.threads, s.tasks) : std::make_unique<Exec>(s.threads);
}

void needContext(const mnsContext* context) {
  if (!context) fail(MNS_ERROR_INVALID_HANDLE, "the context is null");
  if (!isContext(context)) failGone("context");
}

template <class List>
void addIds(IdTable& table, const List& list) {
  for (std::size_t k = 0; k < list.size(); ++k) {
    table.reserveOne();
    table.add(std::int32_t(k), nullptr);
  }
}

mnsResult adopted(mnsContext* context, SceneDef&& def, mnsScene** out) {
  auto scene = std::make_unique<mnsScene>();
  scene->def = std::move(def);
  scene->loaded = true;
  scene->settle = std::any_of(scene->def.fluids.begin(), scene->def.fluids.end(), [](const FluidDef& f) { return f.relax; });
  makeMeshPathsAbsolute(scene->def);
  if (!scene->def.fluids.empty()) scene->spacing = scene->def.fluids[0].spacing;
  addIds(scene->fluids, scene->def.fluids);
  addIds(scene->bodies, scene->def.solids);
  addIds(scene->emitters, scene->def.emitters);
  addIds(scene->drains, scene->def.drains);
  registerScene(context, scene.get());
  *out = scene.release();
  return MNS_OK;
}

std::string lines(const std::vector<std::string>& list) {
  std::string all;
  for (const std::string& line : list) all += (all.empty() ? "" : "\n") + line;
  return all;
}

// Held by a scene: measured on balloons and tanks, see tests/api.
constexpr double kBytesPerParticle = 1000, kBytesPerNode = 3000, kBytesOfAnyScene = 1 << 20;

}  // namespace

namespace meniscus::api {

Running::Running(const SceneDef& def, std::unique_ptr<Exec> threads, std::vector<std::string>* notes)
    : exec(std::move(threads)), world(buildWorld(def, *exec, notes)) {}

std::string noRoomNote(const mnsScene& s, const World& w) {
  if (s.loaded || s.def.maxParticles > 0 || w.scene.emitters.empty()) return {};
  return fmt::format(
      "there are emitters, but maxParticles is 0: there is room for the {} particles of the start only, so emitters are blocked "
      "until others are taken away; set mnsSceneDef::maxParticles",
      w.fluid.capacity);
}

void start(mnsScene& s, const std::function<void(World&)>& state) {
  if (onGrid(s)) return startGrid(s);
  notStarted(s);
  if (s.def.fluids.empty() && s.def.solids.empty())
    fail(MNS_ERROR_SCENE, "scene \"{}\" is empty; create a fluid or a body", s.def.file);
  std::vector<std::string> notes;
  auto running = std::make_unique<Running>(s.def, threadsOf(s.context->settings), &notes);
  World& w = running->world;
  checkDevice(s, w);
  if (!s.loaded && s.def.maxParticles == 0) w.fluid.capacity = w.fluid.n;
  if (state)
    state(w);
  else if (s.settle && w.fluid.n > 0)
    running->solverReady().settle(w);
  running->solverReady().resetStages();
  const std::string noRoom = noRoomNote(s, w);
  for (const std::string& note : notes) MNS_LOG(*s.context, MNS_LOG_INFO, "scene", note);
  if (!noRoom.empty()) {
    MNS_LOG(*s.context, MNS_LOG_WARNING, "scene", noRoom);
    notes.push_back(noRoom);
  }
  s.notes = lines(notes);
  s.peakParticles = w.fluid.n;
  s.published.forget();
  s.running = std::move(running);
}

mnsResult adoptScene(mnsContext* context, SceneDef&& def, mnsScene** scene) {
  return call([&] {
    needContext(context);
    return adopted(context, std::move(def), scene);
  });
}

const World& worldOf(const mnsScene* scene) { return scene->running->world; }
int threadCountOf(const mnsScene* scene) { return (scene->grid ? scene->grid->exec : scene->running->exec)->threads(); }

}  // namespace meniscus::api

extern "C" {

mnsResult mnsCreateScene(mnsContext* context, const mnsSceneDef* given, mnsScene** out) {
  return call([&] {
    needPointer(out, "scene");
    needContext(context);
    const mnsSceneDef def = checked(given, "mnsSceneDef");
    auto scene = std::make_unique<mnsScene>();
    scene->def = toScene(def);
    if (def.spacing < 0) fail(MNS_ERROR_INVALID_ARGUMENT, "spacing is {}; it must be > 0", def.spacing);
    scene->spacing = def.spacing;
    scene->settle = def.settle;
    registerScene(context, scene.get());
    *out = scene.release();
    return MNS_OK;
  });
}

mnsResult mnsDestroyScene(mnsScene* scene) {
  return call([&] {
    if (!scene) return MNS_OK;
    if (!unregisterScene(scene)) failGone("scene");
    delete scene;
    return MNS_OK;
  });
}

mnsResult mnsLoadScene(mnsContext* context, const char* path, mnsScene** out) {
  return call([&] {
    needPointer(out, "scene");
    needContext(context);
    needPointer(path, "path");
    if (!*path) fail(MNS_ERROR_FILE, "the path of the scene file is empty");
    const SceneDef def = [&] {
      const HeapFallback json;
      return asFile([&] { return readWholeFile(path); }, [&] { return loadScene(path); });
    }();
    return adopted(context, SceneDef(def), out);  // a copy: what stays is of the host's memory
  });
}

mnsResult mnsLoadSceneText(mnsContext* context, const char* text, size_t length, const char* folder, mnsScene** out) {
  return call([&] {
    needPointer(out, "scene");
    needContext(context);
    needPointer(text, "text");
    const SceneDef def = [&] {
      const HeapFallback json;
      const std::string file = std::string(folder && *folder ? folder : ".") + "/scene";
      SceneDef read;
      throwIfAny(checkSceneText(std::string(text, length), file, &read));
      return read;
    }();
    return adopted(context, SceneDef(def), out);  // a copy: what stays is of the host's memory
  });
}

mnsResult mnsEstimateMemory(const mnsSceneDef* given, int64_t particles, int64_t nodes, uint64_t* bytes) {
  return call([&] {
    needPointer(bytes, "bytes");
    checked(given, "mnsSceneDef");
    constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();  // of a scene's
    if (particles < 0 || nodes < 0 || particles > kMost || nodes > kMost)
      fail(MNS_ERROR_INVALID_ARGUMENT, "particles is {} and nodes {}; 0 to {} are possible", particles, nodes, kMost);
    *bytes = std::uint64_t(kBytesOfAnyScene + kBytesPerParticle * double(particles) + kBytesPerNode * double(nodes));
    return MNS_OK;
  });
}

mnsResult mnsScene_GetDef(mnsScene* scene, mnsSceneDef* def) {
  return read(scene, [&](mnsScene& s) {
    mnsSceneDef d = fromScene(s.current());
    d.spacing = s.spacing;
    d.settle = s.settle;
    giveOut(def, d, "mnsSceneDef");
    return MNS_OK;
  });
}

mnsResult mnsScene_Start(mnsScene* scene) {
  return write(scene, [](mnsScene& s) {
    start(s);
    return MNS_OK;
  });
}

}  // extern "C"
