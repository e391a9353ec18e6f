// A scene that is stepped for the sake of the times of its launches.
#pragma once

#include <initializer_list>
#include <map>
#include <memory>
#include <string>

#include "engine/particle/step.h"

namespace meniscus::cli {

// A cube of `edge` particles along each side in free fall, from a disturbed lattice; support: of the kernel, in spacings.
SceneDef cubeScene(int edge, double support);
// A tank twice as deep as wide with about so many particles, at rest but for its disturbed start.
SceneDef tankScene(int particles);
// A sheet of ten thousand edges, held along its rim.
SceneDef clothScene();
// The same in small, with water on it.
SceneDef wetClothScene();

class KernelRun {
 public:
  KernelRun(const SceneDef& scene, int threads);

  // Repeats of so many steps, each from the same state; before them a round that is not timed. Of every launch and stage the
  // fastest repeat counts.
  void measure(int steps, int repeats);

  double perCall(const char* launch) const;                              // s; throws Error(internal) where it never ran
  double perCall(std::initializer_list<const char*> launches) const;     // the sum of theirs
  double perSubstep(std::initializer_list<const char*> launches) const;  // s, of all calls; 0 of those that never ran
  double stage(const char* name) const;                                  // s a sub-step
  double substepSeconds() const { return substep_; }                     // of the fastest repeat
  double iterationsASolve() const { return iterations_; }

  int particles() const { return int(start_->fluid.n); }
  int nodes() const { return int(start_->solid.x.size()); }
  std::size_t constraints() const { return start_->solid.constraints.items.size(); }
  int sweeps() const { return start_->scene.solver.constraintIterations; }
  int threads() const { return exec_.threads(); }
  double pairs() const;                              // ordered pairs of particles within the support, none with itself
  const std::string& hash() const { return hash_; }  // of the state after the steps
  std::size_t solverBytes() const { return solverBytes_; }
  // Bytes a second at which all threads read an array of so many bytes in order, over and over; the fastest of several rounds.
  double readBandwidth(std::size_t bytes);

 private:
  void repeat(int steps, bool timed);
  void keepFastest(const std::map<std::string, double>& now, std::map<std::string, double>& best) const;

  Exec exec_;
  std::unique_ptr<World> start_;
  double substep_ = 0, iterations_ = 0;
  std::size_t solverBytes_ = 0;
  std::string hash_;
  std::map<std::string, double> perCall_, perSubstep_, stages_;  // s
};

}  // namespace meniscus::cli
