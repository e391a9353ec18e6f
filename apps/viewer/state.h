// What the simulation's thread publishes for the window: copies, which nobody changes while the window has them.
#pragma once

#include <meniscus/meniscus.h>

#include <array>
#include <cstdint>
#include <glm/glm.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/picture/frame.h"
#include "apps/viewer/scene_view.h"

namespace meniscus::viewer {

struct StageTime {
  const char* name = "";
  double milliseconds = 0;  // of the last step
};

// Of the selected body. What its kind does not have is absent.
struct BodyInfo {
  std::string name;  // empty: none is selected
  mnsBodyKind kind = MNS_BODY_STATIC;
  glm::dvec3 position{0}, velocity{0}, angularVelocity{0}, fluidForce{0};  // m, m/s, rad/s, N
  double mass = 0, volume = 0, pressure = 0;                               // kg, m^3, Pa
  bool hasForce = false, hasVolume = false, hasPressure = false;
  std::size_t nodes = 0, triangles = 0;
};

struct Timeline {
  std::vector<double> times;  // s, of the snapshots, ascending
  std::size_t bytes = 0, bound = 0;
};

// The line from what is held by the mouse to where it is pulled.
struct GripLine {
  bool active = false;
  glm::vec3 from{0}, to{0};
};

struct State {
  std::uint64_t number = 0;  // counts what was published
  std::uint64_t done = 0;    // the last command that was carried out
  std::uint64_t load = 0;    // counts scenes that were opened; 0: none yet
  std::string path;
  std::string device;   // what steps the scene, and why
  bool onCard = false;  // it is a graphics card
  mnsDevice deviceChosen = MNS_DEVICE_AUTO;
  std::shared_ptr<const picture::SceneFacts> facts;
  std::shared_ptr<const SceneView> view;  // as the file says
  picture::Frame frame;
  // Where the scene's path of cameras is at the frame's time, without its `up`; none: no path.
  std::optional<render::Camera> onPath;
  // That the frame's particles are in a buffer of, where they are: drawing from it waits for it (await) and has ended when the
  // state is given back. Null: nothing has been shared yet.
  std::shared_ptr<picture::GlPositions> positions;
  bool playing = false;
  std::string stepError;  // of the step that failed; empty: the scene can go on
  mnsStatistics statistics{};
  mnsCoupling coupling{};  // of scenes on a grid
  std::vector<StageTime> stages;
  std::string status, notes;
  std::vector<mnsParameter> parameters;
  BodyInfo selected;
  Timeline timeline;
  GripLine grip;
  double speed = 0;  // simulated seconds a second of the clock, lately
};

// One step's figures, for the plots.
struct Sample {
  double time = 0;          // s, simulated
  double milliseconds = 0;  // of the step
  int pressureIterations = 0, couplingIterations = 0, substeps = 0;
  double densityErrorMean = 0, densityErrorMax = 0, volumeChange = 0, maxSpeed = 0;
  double kineticEnergy = 0, potentialEnergy = 0;  // J
  std::int64_t leaked = 0, particles = 0;
  // of scenes on a grid
  int solidSolves = 0;
  double couplingResidual = 0, couplingTolerance = 0, enclosedPressure = 0;  // m, m, Pa
  std::array<StageTime, 24> stages{};                                        // the first of them; those without a name are none
};

Sample sampleOf(const State& state);

}  // namespace meniscus::viewer
