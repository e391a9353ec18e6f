// A scene ready to be stepped, behind the C interface.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/api/inside.h"

namespace meniscus::cli {

class Simulation {
 public:
  // Builds the world and, where no snapshot is given, settles the packing of fluids that ask for it. snapshot: "" or a file;
  // record() is then what came with its state. Throws Error(input).
  Simulation(const SceneDef& scene, int threads, const std::string& snapshot, mnsDevice device = MNS_DEVICE_CPU);
  ~Simulation();
  Simulation(const Simulation&) = delete;

  // False where stop() became true meanwhile; the step is then undone. Throws Error(simulation), the step undone as well.
  bool step(double dt, bool (*stop)() = nullptr);

  mnsScene* scene() const { return scene_; }
  double time() const;  // s
  // A snapshot's file, with a record beside the state. Throws Error(input).
  void save(const std::string& path, const std::string& record) const;
  // Of particles.
  const World& world() const { return api::worldOf(scene_); }
  int threads() const { return api::threadCountOf(scene_); }
  std::string notes() const;  // what was adjusted while the world was built, a line each
  const std::string& record() const { return record_; }
  std::uint64_t hash() const;
  std::vector<std::pair<std::string, double>> stageSeconds() const;  // since the start or the last reset
  void resetStages();

 private:
  mnsContext* context_ = nullptr;
  mnsScene* scene_ = nullptr;
  std::string record_;
};

// The scene of a file with everything an expectation names checked. Throws Error(input).
SceneDef loadCheckedScene(const std::string& path);
// The same of a scene of particles; throws Error(input) where it is for a grid.
SceneDef loadParticleScene(const std::string& path);

}  // namespace meniscus::cli
