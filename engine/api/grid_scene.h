// Scenes of a grid method behind the C interface: a run of engine/offline, started, stepped and put back as scenes of particles
// are.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/api/grid_published.h"
#include "engine/api/objects.h"
#include "engine/offline/run.h"

namespace meniscus::api {

// How the last step was made; the numbers of solves and iterations are the most of one sub-step.
struct GridStep {
  offline::StepReport report;  // of the last sub-step
  int substeps = 0, fluidSolves = 0, solidSolves = 0, pressureIterations = 0;
  bool converged = true;
};

// A grid scene that has been started. Its definitions are mnsScene::def.
struct GridRunning {
  GridRunning(const SceneDef& def, std::unique_ptr<Exec> threads, std::vector<std::string>* notes);
  // (name, seconds) of every stage since the start or the last reset.
  Running::Stages stages() const;
  void resetStages();

  std::unique_ptr<Exec> exec;
  std::unique_ptr<offline::OfflineRun> run;
  offline::OfflineRun::State before;  // of the step in progress, to go back to
  GridStep last;
  Running::Stages earlier, reset;  // of runs that were replaced; what there was at the last reset
  std::vector<Quatd> rotation;     // of each solid: its principal axes at the start
  GridPublished published;
  std::uint64_t model;  // of snapshots: they fit whatever has become of the parameters
};

// Whether the scene's method is one of a grid.
bool onGrid(const mnsScene& s);
// Throws Failure(WRONG_KIND) where it is.
void needParticles(const mnsScene& s);
// Throws Failure(WRONG_KIND or NOT_STARTED).
GridRunning& startedGrid(mnsScene& s);

void startGrid(mnsScene& s);
mnsResult stepGrid(mnsScene& s, double dt, bool (*stop)());
// Takes the state of a snapshot, and starts a scene that is not started. record (may be null): what was saved beside it.
void restoreGrid(mnsScene& s, std::string_view bytes, const std::string& name, std::string* record = nullptr);
// A definition has changed: the run is built anew from it and goes on from the state it had. What this throws leaves the run as it
// was.
void rebuildGrid(mnsScene& s);

mnsStatistics gridStatistics(const mnsScene& s);
mnsCoupling gridCoupling(const mnsScene& s);

}  // namespace meniscus::api
