// Working memory of the particle step, shared by its stage files.
#pragma once

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "engine/particle/boundary.h"
#include "engine/particle/cell_sort.h"
#include "engine/particle/fluid_regions.h"
#include "engine/particle/held_bodies.h"
#include "engine/particle/pairs.h"
#include "engine/particle/pressure_system.h"
#include "engine/particle/step.h"
#include "engine/particle/substep_limit.h"
#include "engine/particle/surface_tension.h"
#include "engine/particle/viscosity.h"
#include "engine/scene/expected_speed.h"
#include "engine/solid/solid.h"
#include "engine/world/state_copy.h"
#include "kernels/fluid/free_surface.h"
#include "kernels/fluid/particle_moves.h"

namespace meniscus {

// Seconds spent in each named stage, in the order of first use.
class StageClock {
 public:
  void begin(const char* name) {
    end();
    current_ = name;
    start_ = std::chrono::steady_clock::now();
  }
  void end() {
    if (!current_) return;
    const double s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    for (auto& [name, sum] : seconds)
      if (name == current_) {
        sum += s;
        current_ = nullptr;
        return;
      }
    seconds.emplace_back(current_, s);
    current_ = nullptr;
  }
  std::vector<std::pair<std::string, double>> seconds;

 private:
  const char* current_ = nullptr;
  std::chrono::steady_clock::time_point start_;
};

// See kSolvable: of a sub-step h of a step.
inline double solvableShare(double step, double h) {
  const double parts = std::max(1.0, step / h);
  return kSolvable * parts * parts;
}

std::unique_ptr<PressureSystem> makePressureSystem(PressureMode mode);

// j: impulse on a moving solid [N s].
inline void addContactImpulse(World& w, const Vec3d& j) {
  w.impulseOnSolidsFromStatic += j;
  w.impulseExchanged += norm(j);
}

// Velocities of everything that is not a particle, before the pressure acts.
struct SolidVelocities {
  Buffer<Vec3d> node;
  std::vector<Vec3d> linear, angular;  // rigid bodies
};

static_assert(kMostError == float(kMostDensityError));

// A particle before the surface of a body of nodes.
struct Wetting {
  Index particle;
  Vec3f n;  // of the surface, unit
};

// Fluid that is connected: number of particles, sums of the density term [1/s^2] and of bounded density errors, particles that look
// like a surface; of a particle away from surfaces, its fluid and where it is [m, world].
struct FluidRegion {
  Index count;
  double asked, error, surface;
  int kind;
  Vec3d deep;
};

struct ParticleSolver::Impl {
  // pressure (may be null): in place of what the scene asks for
  Impl(Exec& e, World& world, std::unique_ptr<PressureSystem> pressure = nullptr);

  Exec& exec;
  Vec3f centre;  // of the domain, relative to its lower corner [m]
  Vec3f gravity;
  CellSort sorter;
  Boundary boundary;
  PairBuilder pairBuilder;
  PairLists lists;
  std::unique_ptr<PressureSystem> pressureMode;  // by SolverDef::pressure
  PressureSystem& system;
  Viscosity viscosity;
  SurfaceTension surfaceTension;
  std::unique_ptr<Obstacles> obstacles;
  StageClock clock;

  Buffer<Vec4f> uStar, xOld, uNext;
  Buffer<float> densityTerm, divergence, kindDamping;
  FluidRegions regions;
  double misread = 0;         // density error less the compression that is known from the volume of skins, sum over the particles
  Buffer<std::uint8_t> drop;  // particles to remove at the next sort
  RowList rows;
  SolidVelocities predicted;              // v* of the solids
  SolidVelocities start;                  // the same with the contact impulses of rigid bodies
  SolidVelocities linear;                 // after the last pressure solve
  SolidVelocities projected;              // after the sweeps
  Buffer<double> wetMass, invMassNormal;  // water moving with a node, and the node's inverse mass along its normal with it
  Buffer<Vec3d> wetNormal;
  SolidVelocities pushed;  // v* with the impulses of weak constraints
  Buffer<double> rowLambda, edgeLambda;
  Buffer<Vec3d> internal;                                          // internal impulses of the bodies
  Buffer<Wetting> wetting;                                         // body by body
  Buffer<Index> wettingBegin, wettingNext;                         // per body, and behind the last one
  Buffer<Index> wettedBody;                                        // per near particle, or -1
  Buffer<Vec3f> wettedNormal;                                      // per near particle
  Buffer<Index> freeBodies;                                        // whose nodes all move
  Buffer<Vec3d> waterPivot;                                        // per body, relative to the domain's corner [m]
  std::vector<double> waterInertia, bodyMotion, internalMomentum;  // of FluidElsewhere: 21, 6 and 6 values a body
  Buffer<ActiveRow> contactRow, edgeRow;                           // per node, per constraint
  Buffer<std::uint8_t> hasContact;
  Buffer<std::uint8_t> weakConstraint;  // per constraint: explicit in the last joint solve
  Buffer<std::uint8_t> resting;         // see Boundary::resolveContacts
  HeldBodies held;                      // rigid bodies at obstacles, in the coupling in progress
  Buffer<RigidContact> impacts;         // contacts of rigid bodies that carried in any projection of the sub-step
  std::vector<Index> films;             // particles whose pressure is held at zero
  bool filmsChanged = false;
  StateCopy begun, attempt;           // the state at the start of the step in progress, and of its sub-step
  StepReport reportBefore;            // of the step before it
  std::vector<GivenImpulse> onGiven;  // of the step in progress, one a rigid body
  StepReport reportBeforeSubstep;
  std::vector<RigidTouch> touchesBefore;

  // the stages of a sub-step, in order
  double substepLength(World& w, double remaining, double longest);
  bool trySubstep(World& w, double h, bool last, const StateCopy* before);
  void limitSubsteps(World& w, const SubstepChoice& choice, double fastest, const char* why);
  void substep(World& w, double h);
  void neighbours(World& w, double h, bool frozen = false);  // frozen: solids do not give way
  RowFormat rowFormat(const World& w) const;
  void predictFluid(World& w, double h);
  void densityError(World& w, double h, double beta);
  void addStraightPaths(World& w, double h);
  void coupledPressure(World& w, double h);
  void moveFluid(World& w, double h);
  void moveSolids(World& w, double h);
  void contacts(World& w);
  void findResting(const World& w);
  void removeEscaped(World& w);

  // measure.cpp
  void measure(World& w, double h);
  void measureForces(World& w, double h);
  void addToGiven(const std::vector<GivenImpulse>& more);
  void measureContacts(World& w, double h);
  void countInverted(World& w);
  void reportCompression(StepReport& report, double surface, Index particles) const;

  // full_regions.cpp
  void limitVolumeChange(World& w, double h);
  FluidRegion sumsOf(const World& w, View<const Index> region) const;
  double volumeCorrection(World& w, const FluidRegion& region, double h);

  // active_sets.cpp
  bool contactsChanged(World& w);
  bool bodyContactsChanged(World& w);
  bool releaseHeld(const World& w, double h);
  bool sortEdges(const World& w);
  void guessFilms(const World& w);
  bool separateFilms(const World& w);

  // coupling.cpp
  bool anythingMoves(const World& w) const;
  void rescaleMultipliers(SolidState& s, double h);
  SolveReport jointSolve(World& w, double h, double tolerance);
  void placeSolids(World& w, double h, const SolidVelocities& from, SolidVelocities& reached);
  void projectConstraints(World& w, double h);
  void applyWeakConstraints(World& w, double h);
  void contactFriction(World& w, double h);
  SolveReport solvePressure(World& w, double tolerance);
  double slowSpeed(const World& w) const;
  double interfaceMismatch(const World& w, const SolidVelocities& a, const SolidVelocities& b) const;
  void addedMass(const World& w);

  // restore_momentum.cpp
  void internalImpulses(const SolidState& s, double h);
  void findWetting(const World& w);
  void restoreMomentum(World& w, double h);
  void restoreMomentum(World& w, Index body, double h);
  void askForWater(const World& w, FluidElsewhere& far);

  // restitution.cpp
  void noteImpacts(SolidState& s);
  void bounce(World& w, double h);
};

}  // namespace meniscus
