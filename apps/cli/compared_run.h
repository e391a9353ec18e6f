// A run of a scene by one method, on a grid or of particles, as `meniscus compare` sees it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/exec/exec.h"
#include "engine/scene/scene.h"

namespace meniscus::cli {

// Of a solid that moves, or of any other.
struct ComparedSolid {
  std::string name;
  Vec3d x{}, v{};                // m, m/s, of its centre of mass
  bool moves = true;             // it is neither held nor moved as given
  std::optional<double> volume;  // m^3, or m^2 in two dimensions: of a skin that the fluid fills
};

struct ComparedTotals {
  std::optional<double> solves;  // of the fluid in a step, mean; of one system of both: its solves
  double mostSolves = 0;
  std::uint64_t unconverged = 0;  // steps
  double milliseconds = 0;        // of a step, mean
  std::optional<double> momentumError, volumeError;
  std::uint64_t hash = 0;
  std::optional<double> enclosedPressure = {};  // Pa, in the last step, the largest of all regions that have one of their own
};

class ComparedRun {
 public:
  // Throws Error(input) for what the scene's method does not take.
  static std::unique_ptr<ComparedRun> build(const SceneDef& scene, Exec& exec);
  virtual ~ComparedRun() = default;

  virtual const char* fluid() const = 0;  // "grid" or "particles"
  virtual double time() const = 0;        // s
  virtual std::uint64_t steps() const = 0;
  virtual double timeStep() const = 0;  // s
  // Advances by dt [s]; solves of the fluid that it took. Throws Error(simulation), and Stopped where an interrupt
  // came meanwhile, the step being undone.
  virtual int step(double dt) = 0;
  virtual std::vector<ComparedSolid> solids() const = 0;
  virtual ComparedTotals totals() const = 0;
};

// Of the scene's cells or particles [m].
double spacingCompared(const SceneDef& scene);

}  // namespace meniscus::cli
