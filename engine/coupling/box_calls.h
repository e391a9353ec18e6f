// The two boxes during one step, as functions of vectors: every call starts from the saved state, is counted and is looked at.
#pragma once

#include <Eigen/Core>

#include "engine/coupling/coupling.h"

namespace meniscus::coupling {

// Eigen's own storage, never a map onto a std::vector: where the first aligned element lies decides the order of a vectorised sum,
// and with it the last bits.
using Vector = Eigen::VectorXd;

class BoxCalls {
 public:
  // Saves both boxes. Throws Error(input) for dt <= 0, loads of different kinds, and positions and velocities of different sizes.
  BoxCalls(FluidBox& fluid, SolidBox& solid, double dt, const StopRule& rule);

  LoadKind kind() const { return kind_; }
  int size() const { return static_cast<int>(start_.size()); }      // coordinates
  const Vector& start() const { return start_; }                    // x^n
  Vector extrapolated() const { return start_ + dt_ * velocity_; }  // x^n + dt v^n

  Vector guess();  // the same, stopped where the fluid stops it: see FluidBox::stopped

  // load = F(x), with (x - x^n) / dt as the boundary's velocity. False, with the reason in the report, where it is not finite or
  // where x is not. Throws Error(input) where the size of the load is not that of the calls before.
  bool fluid(const Vector& x, Vector& load);

  // The same of the piece of F that the last call was of, so that the two differ by a derivative; faces must be kept.
  bool fluidBeside(const Vector& x, Vector& load);
  long long piece() const { return fluid_.piece(); }  // see FluidBox

  // x = S(load). False, with the reason in the report, where it is not finite. Throws Error(input) where the size changed.
  bool solid(const Vector& load, Vector& x);
  // The same, but that x may be not finite, and the boxes go on then: only a load that is not ends the step.
  bool trySolid(const Vector& load, Vector& x);
  // Ends the step as `solid` does where x is not finite: always false.
  bool failSolid() { return fail(Stop::solidNotFinite); }
  // Whether the step may have another fluid solve.
  bool hasSolvesLeft() const { return report_.fluidSolves - report_.questions < rule_.maxIterations; }

  // Both back to the saved state, for those that look at their equations.
  void restore();

  // Counts a linear system of both sides. False, with the reason in the report, where it was not solved.
  bool linearSystem(int iterations, bool solved);

  // That a pass with the solid's answer xs is held against [m].
  double tolerance(const Vector& xs) const;

  // Adds the pass to the report; true where the step ends with it. xs: the solid's answer in it.
  bool finish(Pass pass, const Vector& xs);

  // Where passes no longer near the answer though they hardly move, faces of the fluid change to and fro between them, and there is
  // no step to end at: the fluid is asked to keep its faces, once a step. True where it does from now on: the differences of F in
  // the last kStuckPasses passes have changes of faces in them, which are no slopes. After finish.
  bool holdWhereStuck();
  // The same, wherever the passes are: the faces of the fluid's last solve or look at its equations. True where it keeps them, from
  // here on or already.
  bool hold();
  // The faces are those of each solve again, and passes have longer to be lost.
  void release();
  bool wasReleased() const { return released_; }
  // See SolidBox::parts; and in how many ways they move together.
  const std::vector<SolidPart>& parts() const { return parts_; }
  int freedoms() const;
  // Where there are parts, and an error comes back with a gain of kHard or more, the solids' answer is then held to a tenth of the
  // tolerance, or takes a few passes more. That is a length, and what it leaves of a velocity is as much larger as the step is
  // short: a light body's was a third off.
  void tighten() { tight_ = !parts_.empty(); }
  // The fluid's solves from here on, until called with false, are questions about its answer and no iterations.
  void asks(bool on) { asks_ = on; }
  // Of the gain. What a face does that closes or opens is little beside less, and passes end by themselves, with the faces that
  // belong to their end: a brick of .4 of its water's density in a full box had 8, light boxes near a floor 14 to 140.
  static constexpr double kHard = 12;
  // Whether several passes did not bring the two sides much nearer than others before them: the more, the more there is to ask.
  bool isLost() const;
  const Vector& first() const { return first_; }  // that the fluid was asked about in this step
  // Where a pass had the two sides nearest; the fluid's last solve where there was none before.
  const Vector& nearest() const { return nearest_.size() > 0 ? nearest_ : lastX_; }
  // Counts an answer xs of the solid to the fluid's load at xf where it is farther off than small differences tell anything of.
  // True where passes are not to go on with it: there is none, it is not the first, or many passes before it did not bring a solid
  // that is not of parts much nearer.
  bool isWild(const Vector& xf, const Vector& xs);
  static constexpr int kStuckPasses = 6;  // that bring the two sides no nearer

  // Advances both sides once where there are no nodes.
  void advanceApart();

  const Report& report() const { return report_; }

 private:
  bool fail(Stop stop);
  bool askSolid(const Vector& load, Vector& x);
  bool keepFaces();

  FluidBox& fluid_;
  SolidBox& solid_;
  double dt_;
  StopRule rule_;
  LoadKind kind_;
  Vector start_, velocity_;
  Eigen::Index loadSize_ = -1;
  static constexpr int kStrikes = 3, kManyStrikes = 12, kMoreStrikes = 12, kStrayStrikes = 18;
  static constexpr int kFewFreedoms = 12;
  std::vector<SolidPart> parts_;
  Vector first_, lastX_, nearest_, firstAnswer_;  // nearest_: of the pass with the least jump
  int near_ = 0;                                  // the last passes, within the tolerance as it is given
  double seen_ = 0;                               // how many times a difference between the step's first two passes came back
  double least_ = 0;                              // m, jump of a pass
  bool tight_ = false;
  int strikes_ = 0, wild_ = 0;
  bool released_ = false, asks_ = false;
  bool fluidMoved_ = false, solidMoved_ = false;
  Report report_;
};

// Cuts the step from `last` to x so that no coordinate changes by more than cap [m] (none where cap is 0), keeping its direction.
// Writes the step's size and whether it was cut to the pass.
void capStep(const Vector& last, double cap, Vector& x, Pass& pass);

}  // namespace meniscus::coupling
