// The interface of offline coupling: a fluid and a solid as two black boxes, and the methods that solve a step of both together.
//
//   x     nodal positions, a vector of n doubles [m] (3 a node in space, 2 in the plane; a method never asks which)
//   load  what the fluid does to the nodes, a vector of m doubles: impulses over the step [N s], forces [N] or pressures [Pa]
//   F, S  load = F(x), x = S(load): one call each is one solve of the whole fluid or solid over the step
//
// Based on: Akbay et al., An extended partitioned method for conservative solid-fluid coupling, 2018, equations 1 and 2.
#pragma once

#include <string>
#include <vector>

#include "engine/base/error.h"

namespace meniscus::coupling {

enum class LoadKind {
  impulse,  // N s over the step; what conserves momentum
  force,    // N, constant over the step
  pressure  // Pa, one a node or face
};

struct Load {
  LoadKind kind = LoadKind::impulse;
  std::vector<double> value;  // m
};

struct Motion {
  std::vector<double> position;  // n [m]
  std::vector<double> velocity;  // n [m/s]
};

// What a method of one system (monolithic, cut cells, reduced) needs beside solve: matrices, masses, predicted velocities. A box
// derives its own types from this; a method asks for the type that it knows by operatorsOf.
struct Operators {
  virtual ~Operators() = default;
};

// What both boxes are: a state with one saved copy. Whatever a later solve reads must be part of it: a warm start or a random
// generator that is left out makes F or S no function, and the methods below then model noise.
struct Box {
  virtual ~Box() = default;

  // The state now becomes the one that solves start from: the beginning of a step.
  virtual void save() = 0;

  // Back to the saved state. save, solve, restore, solve gives the same bits twice.
  virtual void restore() = 0;

  virtual LoadKind loadKind() const = 0;

  // Null where the box can only be solved.
  virtual Operators* operators() { return nullptr; }
};

struct FluidBox : Box {
  // The boundary where the solid really is at the beginning of a step; called once a step, before save. The last solve's `end` was
  // a guess that differs from it by up to the tolerance.
  virtual void setBoundary(const Motion& now) = 0;

  // Called in the saved state only. Advances the fluid by dt [s] with its boundary moving to `end`; end.velocity is the boundary's
  // velocity over the step. Returns the load on the nodes. Numbers that are not finite mean that the solve failed.
  virtual Load solve(const Motion& end, double dt) = 0;

  // Called in the saved state, and leaves it. Where the boundary would be that goes to `end` but does not get before what it meets
  // on its way: a guess to begin with for what moves lightly and is stopped there.
  virtual std::vector<double> stopped(const Motion& end, double dt) {
    (void)dt;
    return end.position;
  }

  // From now on, until the next save(), the boundary is to the solves where it was in the last one, and `end` only says how fast it
  // goes: F is a continuous function then, which it is not where a face is closed or open by the last bit of a position. False
  // where the fluid has no such faces.
  virtual bool holdFaces() { return false; }

  // Takes that back: the boundary is where `end` says again.
  virtual void releaseFaces() {}

  // Where the fluid comes to the boundary or leaves it there is a kink in F, with held faces too: F is affine in pieces. Two solves
  // with held faces and the same number between them are of one piece.
  virtual long long piece() const { return 0; }

  // Until called with false, solves with held faces are of the last one's piece, also where F is not: what they differ by is a
  // derivative of F.
  virtual void holdPiece(bool hold) { (void)hold; }
};

// The coordinates begin to end of the interface.
struct SolidPart {
  int begin = 0, end = 0;
  int freedoms = 0;  // ways in which it moves: 6 a rigid body in space, 3 in the plane
};

struct SolidBox : Box {
  // Positions and velocities now, the solid's own: what the first guess of a step is extrapolated from.
  virtual Motion motion() const = 0;

  // Whether a solve adds the constant pressures of enclosed regions to the load (EnclosedPressure).
  virtual bool addsEnclosedPressure() const { return false; }

  // What moves by itself but for contacts, where each of that moves in few ways and its answer to a load is cheap: rigid bodies.
  // Empty: not known, or many ways.
  virtual std::vector<SolidPart> parts() const { return {}; }

  // Called in the saved state only. Advances the solid by dt [s] under the load. Returns its motion at the end. Numbers that are
  // not finite mean that it failed.
  virtual Motion solve(const Load& load, double dt) = 0;
};

// The operators of a box as the type that a method knows. Throws Error(input) naming method and side where the box has none or
// others.
template <class T>
T& operatorsOf(Box& box, const std::string& method, const std::string& side) {
  if (T* known = dynamic_cast<T*>(box.operators())) return *known;
  throw Error(ErrorKind::input, "the coupling method " + method + " needs the " + side + "'s equations, which this " + side +
                                    " does not show; use a method that only needs solves " + "(partitioned, iqn-ils or xpm)");
}

// When the passes of a step end. The residual is a 2-norm over all n coordinates [m].
struct StopRule {
  double length = 0;       // [m] the fluid's cell size or particle radius
  double fraction = 0.05;  // of the length that the residual may have
  double speed = 0;        // [m/s] of the fluid; dt speed / length below 1 tightens the tolerance with dt, 0 leaves it as it is
  double relative = 0;     // of the 2-norm of the solid's positions; the looser of the two holds
  int maxIterations = 30;  // fluid solves

  // The absolute tolerance for a step of dt [m]. A residual of fixed length is an error of velocity that grows as 1/dt.
  double tolerance(double dt) const;

  // Throws Error(input) where a number is out of its range or no tolerance is given.
  void check() const;
};

enum class Stop {
  converged,       // the residual is within the tolerance
  noInterface,     // there are no nodes: each side advanced once by itself
  onePass,         // the method makes one pass, and takes what comes of it
  maxIterations,   // not converged: both sides are in the state of the last pass
  fluidNotFinite,  // the fluid's load is not finite: both sides are back at the beginning of the step
  solidNotFinite,  // the solid's positions are not finite: as above
  guessNotFinite,  // the method's own next guess is not finite: as above
  systemNotSolved  // the linear system of both sides was not solved (monolithic): as above
};

// The name in reports: "converged", "no interface", "not converged", ...
const char* nameOf(Stop stop);

// One pass: at most one fluid and one solid solve.
struct Pass {
  double residual = 0;     // what the stop rule sees [m]
  double jump = 0;         // |S(F(x)) - x| between what the solid answers and what the fluid was given [m]
  double omega = 0;        // relaxation that made this pass's x; 0 for the first guess and for x of a model
  double step = 0;         // largest coordinate of this pass's change of x [m]
  int columnsUsed = 0;     // differences in the model that made this pass's x
  int columnsDropped = 0;  // differences left out of it as dependent or singular
  bool capped = false;     // the step was cut to the cap
};

struct Report {
  Stop stop = Stop::maxIterations;
  int fluidSolves = 0;  // = iterations of a partitioned method
  int questions = 0;    // of them, about how the fluid answers; not counted against the largest number
  int solidSolves = 0;
  int linearSystems = 0;     // of both sides together, solved by a monolithic method: its iterations
  int linearIterations = 0;  // in all of them
  double tolerance = 0;      // [m] that the last residual was held against
  int heldFrom = 0;          // the pass after which the fluid's faces stayed as they were; 0: none
  std::vector<Pass> passes;

  bool converged() const { return stop == Stop::converged || stop == Stop::noInterface || stop == Stop::onePass; }

  // One line: why it stopped, after how many solves, the last residual and its tolerance, columns or omega.
  std::string text() const;
};

struct Coupling {
  virtual ~Coupling() = default;

  // Advances both sides from their state now by dt [s]; this state becomes the saved one. Throws Error(input) for dt that is not
  // positive, loads of different kinds, and vectors that do not fit one another. What happens in the solves is in the report. An
  // exception out of a box passes through with the boxes as it left them; restore() on each takes the step back.
  virtual Report advance(FluidBox& fluid, SolidBox& solid, double dt) = 0;

  // Forgets what the method carries from step to step: after a scene was changed from outside.
  virtual void reset() {}

  // What the method carries from step to step beside the states of the boxes, between two steps: for a snapshot, so that a resumed
  // run has the bits of one that was not interrupted. setCarried throws Error(input), and changes nothing, where the numbers are
  // not such.
  virtual std::vector<double> carried() const { return {}; }
  virtual void setCarried(const std::vector<double>& numbers);
};

}  // namespace meniscus::coupling
