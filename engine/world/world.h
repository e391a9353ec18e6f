// The complete state of a simulation. Stages read and write it; outputs read it. What a snapshot keeps is listed in fields.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/buffer.h"
#include "engine/scene/scene.h"
#include "engine/solid/solid_state.h"
#include "kernels/core/vec4.h"

namespace meniscus {

// Particles, structure of arrays, sorted by cell at the start of every sub-step. Positions are relative to the domain's lower
// corner.
struct FluidState {
  Index n = 0;
  Index capacity = 0;
  Buffer<Vec4f> x;              // xyz [m]; w 0
  Buffer<Vec4f> u;              // m/s; w 0
  Buffer<float> p;              // Pa, of the last solve
  Buffer<std::uint32_t> id;     // stable, never reused
  Buffer<std::uint8_t> kind;    // index into SceneDef::fluids
  Buffer<std::uint8_t> leaked;  // 1 once the particle's path has crossed a solid surface
  // derived, valid after a step, not in snapshots
  Buffer<float> e;           // density error rho/rho0 - 1 by summation; 0 where negative and the kernel is deficient
  Buffer<float> deficiency;  // delta = 1 - (kernel sums)/|K|: missing share of the kernel
};

struct EmitterState {
  double volume = 0;  // m^3 emitted
  double carry = 0;   // m the next layer still has to travel before it is let go
};
struct DrainState {
  double budget = 0;          // m^3 that may leave now (rate-limited drains)
  std::uint64_t removed = 0;  // particles
};

// Outcome of one step, summed over its sub-steps where that makes sense.
struct StepReport {
  int substeps = 0;
  int undone = 0;              // sub-steps that found no solution and were done again in shorter ones
  int pressureIterations = 0;  // Krylov iterations, all solves
  int pressureSolves = 0;
  int couplingIterations = 0;   // largest of the sub-steps
  double couplingResidual = 0;  // relative velocity mismatch at the interface, last iteration
  bool converged = true;
  std::string reason;           // why not converged
  double densityErrorMean = 0;  // mean |e|
  double densityErrorMax = 0;
  double densitySigned = 0;  // mean e where the kernel is full
  // Relative change of the whole fluid's volume, mean of 1 / (1 + e) - 1. At a free surface, where density by summation is no
  // measure, a particle counts with its own volume unless it is compressed.
  double volumeChange = 0;
  double divergenceError = 0;  // rms of dt * div u after the solve
  double maxSpeed = 0;         // m/s
  Index contacts = 0;          // particles corrected by the continuous test
  Index leaked = 0;            // particles whose path has ever crossed a solid surface, or that left through a wall
  Index emitted = 0, drained = 0, escaped = 0;  // in this step; escaped: left through an open side
  Index constraintRows = 0;                     // rows of solids in the joint pressure solve
  Index blocked = 0;                            // sites of emitters left out: a particle was there, or the arrays are full
  bool overflow = false;                        // the latter
};

struct World {
  SceneDef scene;             // constant model
  double dx = 0;              // particle spacing [m]
  double particleVolume = 0;  // V [m^3], the same for all particles
  double time = 0;            // s
  std::uint64_t steps = 0;
  std::uint32_t nextId = 0;
  std::uint32_t lostThroughWalls = 0;
  std::uint64_t escapedTotal = 0, emittedTotal = 0, drainedTotal = 0;
  FluidState fluid;
  SolidState solid;
  std::vector<EmitterState> emitters;
  std::vector<DrainState> drains;
  StepReport report;  // of the last step
  // impulses exchanged since the start, for the momentum balance [N s]; static: domain walls, fixed and kinematic bodies
  Vec3d impulseOnFluidFromStatic{};
  Vec3d impulseOnSolidsFromStatic{};  // on those that move, by contact
  double impulseExchanged = 0;        // sum of magnitudes, of fluid with solids and of solids with static ones
};

}  // namespace meniscus
