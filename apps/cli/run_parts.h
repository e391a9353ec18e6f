// What runs of particles and of grids have in common.
#pragma once

#include <cstdint>
#include <string>

#include "apps/cli/options.h"
#include "engine/scene/scene.h"

namespace meniscus::cli {

// The scene with what the command line says instead. Throws Error(input).
SceneDef sceneOfRun(const RunOptions& options);

// Throws Error(input) where a duration [s] in steps of dt [s] takes more of them than can be counted.
void checkSteps(double duration, double dt);

// The next step of a run that ends `remaining` seconds from now [s]; 0: it has ended. Where dt does not divide what remains, the
// last two steps share it: a last one of a small part of dt would remove the density error at as many times the speed.
double stepTowards(double remaining, double dt);

// That the summary can be written at the end of the run. Its folder must be there, unless the run makes it.
void checkSummary(const RunOptions& options);

std::string checkpointPath(const RunOptions& options);

// A folder holds the frames of one run: takes away those of an earlier one from number `from` on, and says so.
void removeOldFrames(const RunOptions& options, std::uint64_t from);

// The physics of the scene as text, for the records of its snapshots.
std::string physicsText(const SceneDef& scene);
// Throws Error(input) where the run that made the snapshot had other physics, naming the first difference.
void checkPhysics(const std::string& snapshot, const std::string& before, const SceneDef& scene);

// A scene for a grid method. The exit status.
int runOffline(const RunOptions& options, const SceneDef& scene);

}  // namespace meniscus::cli
