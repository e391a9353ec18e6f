// What stands behind the opaque pointers of the C interface, and the only ways to get at it.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "engine/api/call.h"
#include "engine/api/gate.h"
#include "engine/api/gl_buffers.h"
#include "engine/api/id_table.h"
#include "engine/api/publish.h"
#include "engine/coupling/coupled_particles.h"
#include "engine/exec/exec.h"
#include "engine/particle/device_solver.h"
#include "engine/particle/step.h"
#include "engine/world/state_copy.h"
#include "engine/world/world.h"

namespace meniscus::api {

// A scene that has been started.
struct Running {
  Running(const SceneDef& def, std::unique_ptr<Exec> threads, std::vector<std::string>* notes);
  // A new one where there is none: after bodies have come or gone, or a step that failed. It holds no state, so the next step goes
  // on as it would have.
  ParticleSolver& solverReady();
  // A step on the CPU, as ParticleSolver::step, by the scene's method.
  bool stepOnCpu(double dt, bool (*stop)(), const StateCopy* now);
  // The solver has to be made anew; what its stages took is kept.
  void dropSolver() noexcept;
  // (name, seconds) of every stage since the start or the last reset.
  using Stages = std::vector<std::pair<std::string, double>>;
  Stages stages() const;

  std::unique_ptr<Exec> exec;
  World world;
  std::unique_ptr<ParticleSolver> solver;
  // Null: the solver couples water and bodies itself.
  std::unique_ptr<coupling::CoupledParticles> coupled;

  std::unique_ptr<DeviceSolver> device;  // null: on the CPU, or not stepped yet
  double deviceSeconds = 0;              // of its steps
  bool deviceLeft = false;               // it cannot go on there, which has been said
  std::string deviceLeftWhy, deviceNotNowWhy;
  std::uint64_t stateOnDevice = 0;  // number of the state (Published::state) that the device has; 0: none
  bool deviceStepped = false;       // it has made the last step
  Stages earlier;                   // of solvers that were dropped
  StateCopy before;                 // of the step in progress, to go back to
  StepReport reportBefore;
};

// A force that acts over the next step only.
struct PendingForce {
  std::int32_t body;  // order in SceneDef::solids
  Vec3d force;        // N
  bool atPoint;
  Vec3d point;                // m
  std::vector<Vec3d> byNode;  // instead: N, one a node
};

struct GridRunning;  // grid_scene.h
struct EventMemory;  // events.cpp: what the events of a step need to know of those before it

struct Settings {
  const DeviceFluidCalls* fluid = nullptr;  // of the device that may step scenes; null: none
  bool needDevice = false;                  // and nothing else may
  DeviceOptions deviceOptions;
  std::string whyCpu;  // where there is none
  int threads = 0;
  HostTasks tasks;
  mnsLogFunction* log = nullptr;
  void* logUser = nullptr;
  mnsLogLevel logLevel = MNS_LOG_INFO;
};

}  // namespace meniscus::api

struct mnsContext {
  meniscus::api::Settings settings;
  std::vector<mnsScene*> scenes;  // under the registry's lock
};

struct mnsScene {
  mnsContext* context = nullptr;
  std::uint16_t serial = 0;  // in its ids
  meniscus::api::Gate gate;
  std::atomic<int> waiting{0};  // calls that look at the ticket below without going through the gate

  meniscus::SceneDef def;  // before the start: solids, fluids, emitters and drains in the order of creation
  double spacing = 0;      // m, of the fluids to come
  bool settle = true, loaded = false;
  meniscus::api::IdTable fluids, bodies, emitters, drains;
  std::unique_ptr<meniscus::api::Running> running;   // null: not started, or on a grid
  std::shared_ptr<meniscus::api::GridRunning> grid;  // null: not started, or of particles
  std::vector<meniscus::api::PendingForce> forces;
  meniscus::api::Published published;
  std::mutex deviceMutex;  // of the device's arrays and of glBuffers, among calls that read
  meniscus::api::GlBuffers glBuffers;
  std::vector<mnsEvent> events;
  std::shared_ptr<meniscus::api::EventMemory> eventMemory;  // null: no step has been made
  std::string notes, status;
  std::int64_t peakParticles = 0;
  double milliseconds = 0;  // of the last step
  int namesMade = 0;
  std::vector<std::pair<std::string, double>> initialValues;  // of parameters that were changed

  // the asynchronous step
  std::thread thread;
  std::mutex mutex;
  std::condition_variable wake;
  double asyncDt = 0;
  bool asyncAsked = false, asyncRunning = false, asyncTaken = true, asyncStop = false;
  std::uint64_t ticket = 0;  // of the last asynchronous step
  mnsResult asyncResult = MNS_OK;
  char asyncText[meniscus::api::kErrorBytes] = {};
  std::atomic<bool> cancel{false};

  // The definitions: once started, those that the world or the run on a grid was built from, with what has been changed since.
  meniscus::SceneDef& current() { return running ? running->world.scene : def; }

  mnsScene() = default;
  ~mnsScene();
};

namespace meniscus::api {

// Live contexts and scenes. A pointer that is not among them is never followed.
void registerContext(mnsContext* context);
void registerScene(mnsContext* context, mnsScene* scene);  // gives the scene its serial
// Takes them out, and waits until no call uses them.
bool unregisterContext(mnsContext* context, std::vector<mnsScene*>& scenes);
bool unregisterScene(mnsScene* scene);
bool isContext(const mnsContext* context);
// Throws what a call on a context or scene ("context", "scene") that is not there has to say.
[[noreturn]] void failGone(const char* what);
int liveContexts();

// Holds a scene's gate as long as it lives. Throws Failure(INVALID_HANDLE or BUSY).
class Reading {
 public:
  explicit Reading(mnsScene* scene);
  ~Reading() { scene_->gate.endRead(); }
  Reading(const Reading&) = delete;

 private:
  mnsScene* scene_;
};
class Writing {
 public:
  explicit Writing(mnsScene* scene);
  ~Writing() {
    if (scene_) scene_->gate.endWrite();
  }
  Writing(const Writing&) = delete;
  void keep() { scene_ = nullptr; }  // the gate stays shut: somebody else will open it

 private:
  mnsScene* scene_;
};
// Keeps a scene from being destroyed without going through its gate.
class Looking {
 public:
  explicit Looking(mnsScene* scene);
  ~Looking() { scene_->waiting.fetch_sub(1); }
  Looking(const Looking&) = delete;

 private:
  mnsScene* scene_;
};

// body(scene) as a call that reads or changes the scene.
template <class F>
mnsResult read(mnsScene* scene, const F& body) noexcept {
  return call([&] {
    const Reading hold(scene);
    return body(*scene);
  });
}
template <class F>
mnsResult write(mnsScene* scene, const F& body) noexcept {
  return call([&] {
    const Writing hold(scene);
    return body(*scene);
  });
}

// scene.cpp: builds the world and settles it, or has `state` put one into it instead. Throws Error(input) with all mistakes, or
// what `state` throws; the scene is then not started.
void start(mnsScene& scene, const std::function<void(World&)>& state = {});
// step.cpp: one step, undone where it fails. MNS_OK or MNS_INTERRUPTED, or throws.
mnsResult step(mnsScene& scene, double dt);
// device.cpp: on the device where it can, else on the CPU; false: cancelled. needDevice: throws Failure(DEVICE_NOT_AVAILABLE) where
// the scene has what the device does not step and nothing else may.
bool advance(mnsScene& scene, double dt, bool (*stop)());
void checkDevice(const mnsScene& scene, const World& world);
// The device with the particles as they are now; null where the CPU steps the scene, with `why` it does, which holds until the next
// call. Under deviceMutex. Allocates nothing where nothing has changed.
DeviceSolver* deviceNow(mnsScene& scene, const char*& why);
// events.cpp: before a step, and what happened in it when it has ended.
void prepareEvents(mnsScene& scene);
void collectEvents(mnsScene& scene);
// The state is another one: nothing is known to touch.
void forgetEvents(mnsScene& scene) noexcept;
// forces.cpp: as changes of velocity, for a step of dt [s]; none is left then.
void applyForces(mnsScene& scene, double dt);

// Throws Failure(NOT_STARTED or STARTED), and WRONG_KIND for a scene on a grid.
Running& started(mnsScene& scene);
void notStarted(const mnsScene& scene);

void log(const mnsContext& context, mnsLogLevel level, const char* topic, const std::string& message, const char* file, int line);
// The file without its folder, which is of no use on the machine where the library runs.
#define MNS_LOG(context, level, topic, message) ::meniscus::api::log(context, level, topic, message, __FILE_NAME__, __LINE__)

}  // namespace meniscus::api
