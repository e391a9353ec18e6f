#include "engine/api/objects.h"

#include <pthread.h>

#include <algorithm>
#include <new>
#include <shared_mutex>

#include "engine/api/grid_scene.h"
#include "engine/base/heap.h"

namespace meniscus::api {
namespace {

// Every public call looks its scene up here. Few scenes live at once, so a sorted vector is faster than a hash.
struct Registry {
  std::shared_mutex mutex;
  std::vector<const mnsContext*> contexts;
  std::vector<const mnsScene*> scenes;
  std::uint16_t serial = 0;
  bool forked = false;

  template <class T>
  static bool has(const std::vector<const T*>& list, const T* p) {
    return std::binary_search(list.begin(), list.end(), p);
  }
  template <class T>
  static void insert(std::vector<const T*>& list, const T* p) {
    const HeapOfProcess own;  // the list outlives its members
    list.insert(std::lower_bound(list.begin(), list.end(), p), p);
  }
  template <class T>
  static bool erase(std::vector<const T*>& list, const T* p) {
    const auto it = std::lower_bound(list.begin(), list.end(), p);
    if (it == list.end() || *it != p) return false;
    list.erase(it);
    return true;
  }
};

Registry& registry();
[[noreturn]] void failGone(const Registry& r, const char* what) {
  fail(MNS_ERROR_INVALID_HANDLE, "this {0} was destroyed, or never was a {0}{1}", what,
       r.forked ? "; what was made before fork() is the parent's: make another in this process" : "");
}

Registry& registry() {
  static Registry* const r = [] {
    const HeapOfProcess own;
    auto* const made = new Registry;
    // A child of fork() has none of the threads that the parent's scenes step with, wait for and are joined with.
    pthread_atfork([] { registry().mutex.lock(); }, [] { registry().mutex.unlock(); },
                   [] {
                     Registry& child = registry();
                     child.forked = child.forked || !child.contexts.empty();
                     child.contexts.clear();
                     child.scenes.clear();
                     new (&child.mutex) std::shared_mutex;  // the parent's thread holds the old one, and is not here
                   });
    return made;
  }();  // never destroyed: calls may come while the process ends
  return *r;
}

void needScene(const Registry& r, const mnsScene* scene) {
  if (!scene) fail(MNS_ERROR_INVALID_HANDLE, "the scene is null");
  if (!Registry::has(r.scenes, scene)) failGone(r, "scene");
}

// Nobody can find the scene any more; those who have it are waited for.
void waitUntilUnused(mnsScene* scene) {
  scene->cancel.store(true);
  while (!scene->gate.tryWrite()) std::this_thread::sleep_for(std::chrono::microseconds(50));
  while (scene->waiting.load() != 0) std::this_thread::sleep_for(std::chrono::microseconds(50));
}

}  // namespace

void failGone(const char* what) { failGone(registry(), what); }

void registerContext(mnsContext* context) {
  Registry& r = registry();
  const std::unique_lock<std::shared_mutex> lock(r.mutex);
  Registry::insert(r.contexts, static_cast<const mnsContext*>(context));
}

void registerScene(mnsContext* context, mnsScene* scene) {
  Registry& r = registry();
  const std::unique_lock<std::shared_mutex> lock(r.mutex);
  if (!Registry::has(r.contexts, static_cast<const mnsContext*>(context))) failGone(r, "context");
  context->scenes.reserve(context->scenes.size() + 1);
  scene->context = context;
  if (++r.serial == 0) ++r.serial;
  scene->serial = r.serial;
  Registry::insert(r.scenes, static_cast<const mnsScene*>(scene));
  context->scenes.push_back(scene);
}

bool unregisterContext(mnsContext* context, std::vector<mnsScene*>& scenes) {
  Registry& r = registry();
  {
    const std::unique_lock<std::shared_mutex> lock(r.mutex);
    if (!Registry::erase(r.contexts, static_cast<const mnsContext*>(context))) return false;
    scenes.swap(context->scenes);
    for (const mnsScene* s : scenes) Registry::erase(r.scenes, s);
  }
  for (mnsScene* s : scenes) waitUntilUnused(s);
  return true;
}

bool unregisterScene(mnsScene* scene) {
  Registry& r = registry();
  {
    const std::unique_lock<std::shared_mutex> lock(r.mutex);
    if (!Registry::erase(r.scenes, static_cast<const mnsScene*>(scene))) return false;
    auto& siblings = scene->context->scenes;
    siblings.erase(std::remove(siblings.begin(), siblings.end(), scene), siblings.end());
  }
  waitUntilUnused(scene);
  return true;
}

bool isContext(const mnsContext* context) {
  Registry& r = registry();
  const std::shared_lock<std::shared_mutex> lock(r.mutex);
  return Registry::has(r.contexts, context);
}

int liveContexts() {
  Registry& r = registry();
  const std::shared_lock<std::shared_mutex> lock(r.mutex);
  return int(r.contexts.size());
}

Reading::Reading(mnsScene* scene) : scene_(scene) {
  Registry& r = registry();
  const std::shared_lock<std::shared_mutex> lock(r.mutex);
  needScene(r, scene);
  if (!scene->gate.tryRead()) fail(MNS_ERROR_BUSY, "a step or another call is changing the scene");
}

Writing::Writing(mnsScene* scene) : scene_(scene) {
  Registry& r = registry();
  const std::shared_lock<std::shared_mutex> lock(r.mutex);
  needScene(r, scene);
  if (!scene->gate.tryWrite()) fail(MNS_ERROR_BUSY, "a step or another call is using the scene");
}

Looking::Looking(mnsScene* scene) : scene_(scene) {
  Registry& r = registry();
  const std::shared_lock<std::shared_mutex> lock(r.mutex);
  needScene(r, scene);
  scene->waiting.fetch_add(1);
}

Running& started(mnsScene& scene) {
  needParticles(scene);
  if (!scene.running) fail(MNS_ERROR_NOT_STARTED, "the scene has not been started: call mnsScene_Start, or step it");
  return *scene.running;
}

void notStarted(const mnsScene& scene) {
  needParticles(scene);
  if (scene.running) fail(MNS_ERROR_STARTED, "this is only possible before the scene is started");
}

void log(const mnsContext& context, mnsLogLevel level, const char* topic, const std::string& message, const char* file, int line) {
  const Settings& s = context.settings;
  if (s.log && level >= s.logLevel) s.log(s.logUser, level, topic, message.c_str(), file, line);
}

}  // namespace meniscus::api
