// The scene that is shown, and all that can be done with it. Belongs to the simulation's thread.
#pragma once

#include <meniscus/meniscus.h>

#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "apps/picture/frame.h"
#include "apps/viewer/gl_context.h"
#include "apps/viewer/grip.h"
#include "apps/viewer/log.h"
#include "apps/viewer/picking.h"
#include "apps/viewer/rewind.h"
#include "apps/viewer/state.h"

namespace meniscus::viewer {

// Unless said otherwise calls throw Error where the library refuses, and have then changed nothing.
class Simulation {
 public:
  // device: what steps scenes. Throws Error(deviceNotAvailable) where it cannot be used.
  Simulation(int threads, mnsDevice device, Log& log);
  ~Simulation();
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  // Loads and starts a scene; the one before stays where that fails.
  void open(const std::string& path);
  // Another device for this scene, which is loaded again, and those after it.
  void setDevice(mnsDevice device);
  // From now on a card that steps the scene writes positions into buffers of OpenGL, in this context; they are not copied. Makes it
  // current on this thread.
  void shareWith(SharedContext& context);
  // Before the thread ends.
  void endSharing();
  void saveScene(const std::string& path, const render::Look& look, const render::Camera& camera);
  void setParameter(const std::string& name, double value);
  void reset();                // the first snapshot, with the parameters as they are
  void rewind(std::size_t k);  // snapshot k
  void select(const std::string& body) { selected_ = body; }
  void setColouring(const picture::Colouring& colouring) { colouring_ = colouring; }
  // Energies of a scene whose positions are not copied: they are then copied for it.
  void setEnergies(bool wanted) { energies_ = wanted; }
  void setRewindBound(std::size_t bytes) { rewind_.setBound(bytes); }

  Pick pick(const Sight& sight) const;  // nothing where no scene is open
  Grip& grip() { return grip_; }
  mnsScene* scene() const { return scene_; }
  const picture::SceneFacts* facts() const { return facts_.get(); }
  const std::string& path() const { return path_; }

  bool playing = false;
  bool canStep() const { return scene_ && stepError_.empty(); }
  double time() const { return time_; }
  std::uint64_t steps() const { return steps_; }

  // One step. A step that fails is told by the state, does not throw, and ends playing.
  void step();
  // From any thread: a step in progress ends after its sub-step.
  void cancelStep();

  void fill(State& state);

 private:
  struct Fresh;
  mnsContext* newContext(mnsDevice device) const;
  void load(mnsContext* context, const std::string& path, Fresh& fresh) const;
  void show(Fresh& fresh);
  void considerSnapshot();
  mnsStatistics statistics() const;
  void leavePositions();
  void readFrame(State& state);
  void describeSelected(State& state);
  void describeStages(State& state);
  void afterJump();

  Log& log_;
  int threads_;
  mnsDevice device_;
  mnsContext* context_ = nullptr;
  mutable std::mutex sceneMutex_;  // of scene_'s value, for cancelStep
  mnsScene* scene_ = nullptr;
  std::shared_ptr<const picture::SceneFacts> facts_;
  std::shared_ptr<const SceneView> view_;
  std::optional<picture::FrameReader> reader_;
  picture::Colouring colouring_;
  std::string path_, selected_, stepError_, deviceWords_;
  bool onCard_ = false, energies_ = true;
  SharedContext* shared_ = nullptr;
  std::vector<std::shared_ptr<picture::GlPositions>> positions_;  // of all states
  std::uint64_t load_ = 0, steps_ = 0;
  double time_ = 0;  // s
  Rewind rewind_;
  Grip grip_;
  std::vector<mnsStage> stages_;
  std::vector<double> stagesBefore_;  // s, before the last step
};

}  // namespace meniscus::viewer
