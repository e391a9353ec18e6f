#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>
#include <optional>

#include "apps/cli/device.h"
#include "apps/cli/folder_lock.h"
#include "apps/cli/frame_pictures.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/options.h"
#include "apps/cli/progress.h"
#include "apps/cli/report.h"
#include "apps/cli/resume_command.h"
#include "apps/cli/run_parts.h"
#include "apps/cli/say.h"
#include "apps/cli/simulation.h"
#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/output/fluid_surface.h"
#include "engine/output/run_record.h"
#include "engine/output/series.h"
#include "engine/output/step_csv.h"
#include "engine/output/summary.h"
#include "engine/scene/methods.h"
#include "engine/world/fields.h"
#include "engine/world/snapshot.h"

namespace meniscus::cli {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point t) { return std::chrono::duration<double>(Clock::now() - t).count(); }

class Run {
 public:
  Run(const RunOptions& options, SceneDef scene);
  int execute();

 private:
  void openOutputs();
  bool advance(double dt);
  void writeFrameIfDue();
  std::optional<FluidSurface> fluidSurfaceIfWanted();
  void checkFinite() const;
  double nextStep() const;
  double done() const;
  RunSoFar soFar() const;
  void saveCheckpoint() const;
  void stopInterrupted();
  Summary finish();

  const RunOptions& o_;
  const mnsDevice device_;  // that may be used
  SceneDef scene_;
  std::unique_ptr<Simulation> sim_;
  std::unique_ptr<RunMetrics> metrics_;
  std::unique_ptr<FolderLock> lock_;
  std::unique_ptr<FrameSeries> frames_;
  std::unique_ptr<FramePictures> pictures_;
  std::unique_ptr<Exec> surfaceThreads_;  // where frames have the fluid's surface
  std::unique_ptr<StepCsv> csv_;
  RunSoFar before_;              // of the runs that this one goes on from
  long long lastFrame_ = -1;     // in multiples of `every`
  std::uint64_t nextFrame_ = 0;  // number of its files
  Clock::time_point start_ = Clock::now();
};

Run::Run(const RunOptions& options, SceneDef scene) : o_(options), device_(chooseDevice(options.device)), scene_(std::move(scene)) {
  // said before the world is built and settled, which can take long
  if (!o_.out.empty()) checkFolder(o_.out);
  checkSummary(o_);
  if (o_.steps < 0) checkSteps(scene_.duration, scene_.solver.dt);
  sim_ = std::make_unique<Simulation>(scene_, o_.threads, o_.resume, device_);
  const std::string notes = sim_->notes();
  if (!o_.quiet && !notes.empty()) say(stdout, "{}\n", notes);
  std::fflush(stdout);
  metrics_ = std::make_unique<RunMetrics>(sim_->world());
  if (!sim_->record().empty()) {
    unpackRecord(sim_->record(), o_.resume, *metrics_, before_);
    checkPhysics(o_.resume, before_.physics, scene_);
  }
  nextFrame_ = before_.frames;
  if (!o_.quiet && !o_.resume.empty() && nextStep() == 0)
    say(stdout, "{} is of t = {:.6g} s, at or after the end of this run: nothing is left to do\n", o_.resume, sim_->world().time);
}

// Only now is anything written: a scene with a mistake leaves no trace.
void Run::openOutputs() {
  if (o_.out.empty()) return;
  lock_ = std::make_unique<FolderLock>(o_.out);
  const World& w = sim_->world();
  const bool resumed = !o_.resume.empty();
  if (scene_.output.every > 0) {
    removeOldFrames(o_, before_.frames);
    std::vector<std::string> notes;
    frames_ = resumed ? std::make_unique<FrameSeries>(o_.out, scene_.output.formats, w.time, before_.frames, &notes)
                      : std::make_unique<FrameSeries>(o_.out, scene_.output.formats);
    for (const std::string& note : notes) say(stdout, "{}\n", note);
    if (hasPictures(scene_.output.formats)) pictures_ = std::make_unique<FramePictures>(sim_->scene(), o_.out, before_.pictures);
    frames_->writeScene(scene_);
  }
  csv_ = std::make_unique<StepCsv>(o_.out + "/steps.csv", resumed ? w.steps : 0);
  if (resumed && scene_.output.every > 0) lastFrame_ = (long long)(w.time / scene_.output.every + 1e-6);
  writeFrameIfDue();
}

// A frame goes without one where it cannot be had, and the run goes on.
std::optional<FluidSurface> Run::fluidSurfaceIfWanted() {
  if (!frames_->wantsSurface()) return {};
  if (!surfaceThreads_) surfaceThreads_ = std::make_unique<Exec>(o_.threads);
  try {
    return fluidSurface(*surfaceThreads_, sim_->world());
  } catch (const Error& e) {
    if (e.kind != ErrorKind::input) throw;
    say(stderr, "frame {} has no surface: {}\n", nextFrame_, e.what());
    return {};
  }
}

// Frames show the first states at or after the multiples of `every`. They are counted, so that a run resumed with another `every`
// does not write over those that are there.
void Run::writeFrameIfDue() {
  if (!frames_) return;
  const auto frame = (long long)(sim_->world().time / scene_.output.every + 1e-6);
  if (frame <= lastFrame_) return;
  const std::optional<FluidSurface> surface = fluidSurfaceIfWanted();
  frames_->write(sim_->world(), int(nextFrame_), surface ? &*surface : nullptr);
  if (pictures_) pictures_->write(nextFrame_);
  ++nextFrame_;
  lastFrame_ = frame;
}

// Every field, at the end; steps look at all of them now and then only.
void Run::checkFinite() const {
  const World& w = sim_->world();
  const std::string field = w.steps > 0 ? findNotFinite(w) : "";
  if (!field.empty())
    throw Error(ErrorKind::simulation,
                fmt::format("step {}, t = {:.6g} s: {} is not finite; a smaller --dt may help", w.steps, w.time, field));
}

// False where the step was interrupted, and undone.
bool Run::advance(double dt) {
  const Clock::time_point t = Clock::now();
  if (!sim_->step(dt, [] { return interrupted() != 0; })) return false;
  const double ms = 1e3 * since(t);
  metrics_->add(sim_->world(), ms);
  if (csv_) csv_->add(sim_->world(), ms);
  return true;
}

// s; 0: the run has ended.
double Run::nextStep() const {
  const World& w = sim_->world();
  if (o_.steps < 0) return stepTowards(scene_.duration - w.time, scene_.solver.dt);
  return w.steps < std::uint64_t(o_.steps) ? scene_.solver.dt : 0;
}

// Share of the run.
double Run::done() const {
  return o_.steps > 0 ? double(sim_->world().steps) / double(o_.steps) : sim_->world().time / scene_.duration;
}

// With the runs before.
RunSoFar Run::soFar() const {
  RunSoFar r;
  r.wallSeconds = before_.wallSeconds + since(start_);
  r.stageSeconds = addStages(before_.stageSeconds, sim_->stageSeconds());
  r.peakMemoryBytes = std::max(before_.peakMemoryBytes, peakMemory());
  r.frames = nextFrame_;
  r.pictures = pictures_ ? pictures_->memory() : before_.pictures;
  r.physics = physicsText(scene_);
  return r;
}

void Run::saveCheckpoint() const { saveSnapshot(sim_->world(), checkpointPath(o_), packRecord(*metrics_, soFar())); }

void Run::stopInterrupted() {
  saveCheckpoint();
  say(stderr, "interrupted after step {}, t = {:.6g} s; go on with\n  {}\n", sim_->world().steps, sim_->world().time,
      resumeCommand(o_, checkpointPath(o_)));
}

Summary Run::finish() {
  RunInfo info;
  info.device = api::onDevice(sim_->scene()) ? "cuda" : "cpu";
  info.threads = sim_->threads();
  const RunSoFar run = soFar();
  info.wallSeconds = run.wallSeconds;
  info.stageSeconds = run.stageSeconds;
  info.peakMemoryBytes = run.peakMemoryBytes;
  Summary summary = summarize(sim_->world(), *metrics_, info);
  if (!o_.summary.empty()) writeWholeFile(o_.summary, summary.json);
  if (!o_.quiet) printReport(sim_->world(), *metrics_, info, summary, nextStep() == 0);
  return summary;
}

int Run::execute() {
  catchInterrupts();  // from here on there is something to save
  openOutputs();
  const World& w = sim_->world();
  double nextCheckpoint = w.time + o_.checkpoint;
  try {
    Progress progress(o_.quiet, 1);
    for (double dt = nextStep(); dt > 0 && !interrupted() && advance(dt); dt = nextStep()) {
      writeFrameIfDue();
      if (o_.checkpoint > 0 && w.time >= nextCheckpoint - 1e-9) {
        saveCheckpoint();
        nextCheckpoint += o_.checkpoint;
      }
      progress.show(done(), fmt::format("t = {:.3f} s, {:.1f} ms a step, density error {:.2g}", w.time,
                                        metrics_->milliseconds.back(), w.report.densityErrorMean));
    }
    checkFinite();
  } catch (const Error& e) {
    if (e.kind == ErrorKind::simulation) finish();
    throw;
  }
  const bool ended = nextStep() == 0;
  if (interrupted() && !ended) stopInterrupted();
  const Summary summary = finish();
  if (!o_.strict) return 0;
  if (metrics_->unconvergedSteps > 0)
    throw Error(ErrorKind::simulation, fmt::format("{} of {} steps did not converge; the first: {}", metrics_->unconvergedSteps,
                                                   metrics_->milliseconds.size(), metrics_->firstReason));
  if (ended && !summary.allHold()) throw Error(ErrorKind::simulation, "an expectation of the scene is not met");
  return 0;
}

}  // namespace

int run(const RunOptions& options) {
  SceneDef scene = sceneOfRun(options);
  if (isGridScene(scene)) return runOffline(options, scene);
  return Run(options, std::move(scene)).execute();
}

}  // namespace meniscus::cli
