// A run of a grid method.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>

#include "apps/cli/folder_lock.h"
#include "apps/cli/frame_pictures.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/progress.h"
#include "apps/cli/report.h"
#include "apps/cli/resume_command.h"
#include "apps/cli/run_parts.h"
#include "apps/cli/say.h"
#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/base/stop.h"
#include "engine/offline/frames.h"
#include "engine/offline/snapshot.h"
#include "engine/offline/summary.h"
#include "engine/output/csv_file.h"
#include "engine/output/run_record.h"

namespace meniscus::cli {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point t) { return std::chrono::duration<double>(Clock::now() - t).count(); }

class OfflineCommand {
 public:
  OfflineCommand(const RunOptions& options, const SceneDef& scene);
  int execute();

 private:
  void openOutputs();
  bool advance(double dt);
  void writeFrameIfDue();
  double nextStep() const;
  double done() const;
  RunSoFar soFar() const;
  void saveCheckpoint() const { offline::saveSnapshot(*run_, checkpointPath(o_), packRecord(*metrics_, soFar())); }
  Summary finish();
  void failWhereStrict(const Summary& summary, bool ended) const;

  const RunOptions& o_;
  const SceneDef scene_;
  std::unique_ptr<Exec> exec_;
  std::unique_ptr<offline::OfflineRun> run_;
  std::unique_ptr<offline::OfflineMetrics> metrics_;
  std::unique_ptr<FolderLock> lock_;
  std::unique_ptr<offline::OfflineFrames> frames_;
  std::unique_ptr<OfflinePictures> pictures_;
  std::unique_ptr<CsvFile> csv_;
  RunSoFar before_;              // of the runs that this one goes on from
  long long lastFrame_ = -1;     // in multiples of `every`
  std::uint64_t nextFrame_ = 0;  // number of its files
  Clock::time_point start_ = Clock::now();
};

OfflineCommand::OfflineCommand(const RunOptions& options, const SceneDef& scene) : o_(options), scene_(scene) {
  if (o_.device == "cuda")
    throw Error(ErrorKind::deviceNotAvailable,
                fmt::format("the method \"{}\" runs on the CPU only; leave --device out", scene.solver.method));
  if (!o_.out.empty()) checkFolder(o_.out);
  checkSummary(o_);
  if (o_.steps < 0) checkSteps(scene_.duration, scene_.solver.dt);
  exec_ = std::make_unique<Exec>(o_.threads);
  std::vector<std::string> notes;
  run_ = offline::OfflineRun::build(scene_, *exec_, &notes);
  if (!o_.quiet)
    for (const std::string& note : notes) say(stdout, "{}\n", note);
  metrics_ = std::make_unique<offline::OfflineMetrics>(*run_);
  if (o_.resume.empty()) return;
  std::string record;
  offline::loadSnapshot(*run_, o_.resume, &record);
  if (!record.empty()) {
    unpackRecord(record, o_.resume, *metrics_, before_);
    checkPhysics(o_.resume, before_.physics, scene_);
  }
  nextFrame_ = before_.frames;
  if (!o_.quiet && nextStep() == 0)
    say(stdout, "{} is of t = {:.6g} s, at or after the end of this run: nothing is left to do\n", o_.resume, run_->time());
}

// Only now is anything written: a scene with a mistake leaves no trace.
void OfflineCommand::openOutputs() {
  if (o_.out.empty()) return;
  lock_ = std::make_unique<FolderLock>(o_.out);
  const bool resumed = !o_.resume.empty();
  if (scene_.output.every > 0) {
    removeOldFrames(o_, before_.frames);
    std::vector<std::string> notes;
    frames_ = resumed
                  ? std::make_unique<offline::OfflineFrames>(o_.out, scene_.output.formats, run_->time(), before_.frames, &notes)
                  : std::make_unique<offline::OfflineFrames>(o_.out, scene_.output.formats);
    for (const std::string& note : notes) say(stdout, "{}\n", note);
    if (hasPictures(scene_.output.formats)) pictures_ = std::make_unique<OfflinePictures>(scene_, o_.out, before_.pictures);
    frames_->writeScene(scene_);
    if (resumed) lastFrame_ = (long long)(run_->time() / scene_.output.every + 1e-6);
  }
  csv_ = std::make_unique<CsvFile>(o_.out + "/steps.csv", offline::offlineCsvHeader(*run_), resumed ? run_->steps() : 0);
  writeFrameIfDue();
}

// Frames show the first states at or after the multiples of `every`, as those of particles do.
void OfflineCommand::writeFrameIfDue() {
  if (!frames_) return;
  const auto frame = (long long)(run_->time() / scene_.output.every + 1e-6);
  if (frame <= lastFrame_) return;
  frames_->write(*run_, nextFrame_);
  if (pictures_) pictures_->write(*run_, nextFrame_);
  ++nextFrame_;
  lastFrame_ = frame;
}

// False where the step was interrupted, and undone. One that fails is counted and written, too.
bool OfflineCommand::advance(double dt) {
  const StopScope scope([] { return interrupted() != 0; });
  const Clock::time_point t = Clock::now();
  const auto note = [&](const offline::StepReport& step) {
    const double ms = 1e3 * since(t);
    metrics_->add(step, ms);
    if (csv_) csv_->add(offline::offlineCsvLine(*run_, step, ms));
  };
  try {
    note(run_->step(dt));
  } catch (const offline::FailedStep& e) {
    note(e.report);
    throw;
  } catch (const Stopped&) { return false; }
  return true;
}

// s; 0: the run has ended.
double OfflineCommand::nextStep() const {
  if (o_.steps < 0) return stepTowards(scene_.duration - run_->time(), run_->timeStep());
  return run_->steps() < std::uint64_t(o_.steps) ? run_->timeStep() : 0;
}

double OfflineCommand::done() const {
  return o_.steps > 0 ? double(run_->steps()) / double(o_.steps) : run_->time() / scene_.duration;
}

// With the runs before.
RunSoFar OfflineCommand::soFar() const {
  RunSoFar r;
  r.wallSeconds = before_.wallSeconds + since(start_);
  r.stageSeconds = addStages(before_.stageSeconds, run_->stageSeconds());
  r.peakMemoryBytes = std::max(before_.peakMemoryBytes, peakMemory());
  r.frames = nextFrame_;
  r.pictures = pictures_ ? pictures_->memory() : before_.pictures;
  r.physics = physicsText(scene_);
  return r;
}

Summary OfflineCommand::finish() {
  RunInfo info;
  info.threads = exec_->threads();
  const RunSoFar run = soFar();
  info.wallSeconds = run.wallSeconds;
  info.stageSeconds = run.stageSeconds;
  info.peakMemoryBytes = run.peakMemoryBytes;
  Summary summary = offline::summarize(*run_, *metrics_, info);
  if (!o_.summary.empty()) writeWholeFile(o_.summary, summary.json);
  if (!o_.quiet) printReport(*run_, *metrics_, info, summary, nextStep() == 0);
  return summary;
}

void OfflineCommand::failWhereStrict(const Summary& summary, bool ended) const {
  if (!o_.strict) return;
  if (metrics_->unconvergedSteps > 0)
    throw Error(ErrorKind::simulation, fmt::format("{} of {} steps did not converge; the first: {}", metrics_->unconvergedSteps,
                                                   metrics_->milliseconds.size(), metrics_->firstReason));
  if (ended && !summary.allHold()) throw Error(ErrorKind::simulation, "an expectation of the scene is not met");
}

int OfflineCommand::execute() {
  catchInterrupts();  // from here on there is something to save
  openOutputs();
  double nextCheckpoint = run_->time() + o_.checkpoint;
  try {
    Progress progress(o_.quiet, 1);
    for (double dt = nextStep(); dt > 0 && !interrupted() && advance(dt); dt = nextStep()) {
      writeFrameIfDue();
      if (o_.checkpoint > 0 && run_->time() >= nextCheckpoint - 1e-9) {
        saveCheckpoint();
        nextCheckpoint += o_.checkpoint;
      }
      progress.show(done(), fmt::format("t = {:.3f} s, {:.1f} ms a step, {:.1f} fluid solves", run_->time(),
                                        metrics_->milliseconds.back(), metrics_->couplingIterations.mean().value_or(0)));
    }
  } catch (const Error& e) {
    if (e.kind == ErrorKind::simulation) finish();
    throw;
  }
  const bool ended = nextStep() == 0;
  if (interrupted() && !ended) {
    saveCheckpoint();
    say(stderr, "interrupted after step {}, t = {:.6g} s; go on with\n  {}\n", run_->steps(), run_->time(),
        resumeCommand(o_, checkpointPath(o_)));
  }
  failWhereStrict(finish(), ended);
  return 0;
}

}  // namespace

int runOffline(const RunOptions& options, const SceneDef& scene) { return OfflineCommand(options, scene).execute(); }

}  // namespace meniscus::cli
