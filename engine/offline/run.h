// A scene for a grid method, built and stepped: smoke, solids, and the coupling that solves a step of both.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/coupling/coupling.h"
#include "engine/exec/exec.h"
#include "engine/scene/scene.h"
#include "engine/solid/implicit/solid_contacts.h"

namespace meniscus::offline {

using namespace coupling;  // the boxes and methods that this folder puts together

// One value a cell, or three, x fastest. In two dimensions the grid is a layer of cells about the plane y = centre of the domain.
struct GridFields {
  Vec3<Index> cells{};
  double dx = 0;                // m
  Vec3d origin{};               // m, lower corner, world frame
  std::vector<float> smoke;     // of smoke, else empty
  std::vector<Vec3f> velocity;  // m/s, at the centres
  std::vector<float> pressure;  // Pa; of smoke that above the fluid at rest
  std::vector<float> levelSet;  // of water, else empty: distance to its surface [m], negative in it
};

// Of all solids, world frame.
struct SolidFields {
  std::vector<Vec3f> x, v;         // m, m/s
  std::vector<float> inverseMass;  // 1/kg; 0: held, or of a body that moves as a whole
  std::vector<float> stretch;      // nodeStretch of engine/solid/strain.h; 0 of a body that moves as a whole
  std::vector<std::int32_t> body;  // of each point: number of the solid
  std::vector<std::int32_t> line;  // two points an edge, of a grid in two dimensions
  std::vector<std::int32_t> tri;   // three points a triangle, of one in three
  std::vector<std::string> names;
};

struct SolidReport {
  std::string name;
  Vec3d x{}, v{};      // m, m/s, of its centre of mass
  Quatd rotation{};    // of a body that moves as a whole: from its principal axes
  Vec3d angular{};     // rad/s, of one
  bool moves = true;   // it is not static
  double mass = 0;     // kg that moves, or kg per metre of depth
  bool fills = false;  // an inflatable, which has a volume that its inflow changes
  double volume = 0;   // m^3, or m^2 in two dimensions
};

struct WaterReport {
  bool isWater = false;
  double volume = 0, expected = 0;  // m^3, or m^2 in two dimensions: what there is, and with inflows should be
  std::uint64_t lost = 0;           // particles between a solid and something else that no way was left to
};

struct StepReport {
  std::uint64_t number = 0;  // of the step
  double end = 0;            // s, the time at its end
  Report coupling;
  double dt = 0;               // s
  int pressureIterations = 0;  // of the last fluid solve
  double volumeError = 0;      // m^3 that an enclosed region gained or lost beside its inflow, the largest
  bool enclosedConverged = true;
  std::vector<double> p0;            // Pa, of each enclosed region
  implicit::ContactReport contacts;  // of the solids' last solve

  bool converged() const { return coupling.converged() && enclosedConverged && contacts.converged; }
};

// A step that the run cannot go on from, with what is known of it.
class FailedStep : public Error {
 public:
  FailedStep(StepReport r, const std::string& text) : Error(ErrorKind::simulation, text), report(std::move(r)) {}
  StepReport report;
};

class OfflineRun {
 public:
  // Throws Error(input) with places. exec must outlive this. notes (may be null): what was mended.
  static std::unique_ptr<OfflineRun> build(const SceneDef& scene, Exec& exec, std::vector<std::string>* notes);
  virtual ~OfflineRun() = default;

  virtual const SceneDef& scene() const = 0;
  virtual double time() const = 0;  // s
  virtual std::uint64_t steps() const = 0;
  virtual double timeStep() const = 0;  // s: the scene's dt, or less where the fluid or what moves by key frames is fast
  // Advances by dt > 0 [s]. A step that does not converge is taken as it is, and says so. Throws FailedStep where a solve fails,
  // the state then being that before, and where a solid leaves the domain. Throws Stopped (engine/base/stop.h), the state being
  // that before, where it is asked to stop.
  virtual StepReport step(double dt) = 0;
  // Seconds so far: "fluid" and "solids" in their solves, "coupling" between these, "smoke" or "water" to move it.
  virtual std::vector<std::pair<std::string, double>> stageSeconds() const = 0;

  virtual Vec3d fluidMomentum() const = 0;  // kg m/s, or per metre of depth
  virtual Vec3d solidMomentum() const = 0;  // of those that move
  // What the fluid has given away and the solids get in the next step, so that the sum of all three is kept in every step: what the
  // tolerance left of the last one, by XPM.
  virtual Vec3d owedMomentum() const = 0;
  virtual double kineticEnergy() const = 0;  // J, of fluid and solids
  virtual double largestSpeed() const = 0;   // m/s, of the fluid
  // |what the solids took up and are owed less what the fluid's faces, gravity and enclosed pressures gave| over the faces'
  // impulses, both summed over all steps; solids that move as they are told are not of it. Below 0: not known, as nodes are held,
  // which take up what nobody counts, or nothing was exchanged.
  virtual double momentumError() const = 0;
  // Largest |volume - what it was and what flowed in| over what it should be, of the water and of the inflatables that the fluid
  // fills. Below 0: there is none.
  virtual double volumeError() const = 0;
  virtual WaterReport water() const = 0;
  virtual std::vector<SolidReport> solids() const = 0;
  virtual std::size_t nodes() const = 0;
  virtual Vec3<Index> cells() const = 0;  // along the scene's axes; 1 along y in two dimensions
  virtual GridFields gridFields() const = 0;
  virtual SolidFields solidFields() const = 0;

  // Everything that a later step reads, by name; what is carried from step to step too. setState throws Error(input), and changes
  // nothing, where names or sizes are not such.
  using State = std::vector<std::pair<std::string, std::vector<double>>>;
  virtual State state() const = 0;
  virtual void setState(const State& state) = 0;
  std::uint64_t hash() const;  // of the state
  // Of what is constant in its physics, but not of the method: a state fits a run of the same model and method.
  virtual std::uint64_t modelHash() const = 0;
  // The inflows of the scene in place of the state's: after a state was taken from a run with others.
  virtual void takeInflows() = 0;
};

}  // namespace meniscus::offline
