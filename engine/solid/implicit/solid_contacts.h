// The contacts of solids in a step: impulses on their nodes, solved for so that the solids' own answer to the load and to these
// impulses keeps them apart, with Coulomb friction and restitution.
//
// Each iteration takes the solids as linear about their last answer (ImplicitSolid::endSystem), solves for the impulses of all
// contacts (FrictionalContact), and lets the solids answer. It ends where they answer as was foreseen: Newton's method on the
// solids, with the contacts' complementarity inside. Nothing is carried from step to step: the impulses are a function of the
// state at the step's beginning and of the load. Those of a contact add up to zero over the solids, and what walls and solids that
// move as they are told take up is the rest.
//
// What starts a step nearer than the thickness gets it back, bit by bit, where there is room for that. What is wedged, as wide as
// the gap that it is in, is kept from the surfaces themselves: see keepGaps.
//
// Restitution: a contact that was met at more than the resting speed gets the speed of its bounce, in place of the gap, as what it
// must have at the end.
#pragma once

#include <limits>

#include "engine/solid/implicit/contact_search.h"
#include "engine/solid/implicit/frictional_contact.h"

namespace meniscus::implicit {

// All solids of a step as one, their nodes one after another.
struct SteppedSolids {
  virtual ~SteppedSolids() = default;
  // From the beginning of the step under the impulses (n) [N s]; position (n) at its end. False where a solid fails.
  virtual bool step(const Vector& impulse, Vector& end) = 0;
  // After a step: q x q, see ImplicitSolid::endSystem.
  virtual SparseMatrix endSystem() = 0;
  // n x q: velocities of the nodes from those of the solids at the beginning of the step, 0 for given ones.
  virtual SparseMatrix nodes() = 0;
};

struct ContactOptions {
  double tolerance = 0;  // [m] that the solids' answer may differ from the contacts' condition
  double accepted = 0;   // [m] that it may differ by where the iterations end before
  double recovery = 0;   // [m] that a gap below zero grows by in a step at most,
  double recoverySpeed = std::numeric_limits<double>::infinity();  // and [m/s]: the solids keep the speed, and would hop with it
  double restingSpeed = 0;                                         // [m/s] that makes no bounce
  double sweepFraction = 1e-3;                                     // of the tolerance, for the sweeps of an iteration
  int maxIterations = 30;
  int maxSweeps = 10000;
};

struct ContactReport {
  int contacts = 0;    // with an impulse
  int iterations = 0;  // linear problems: solid solves beside the first one
  int sweeps = 0;      // in all of them
  double error = 0;    // [m]: the largest difference that is left
  bool converged = true;
};

class SolidContacts {
 public:
  SolidContacts(ContactScene scene, const Vector& start, const ContactOptions& options);

  // Positions [m] and velocities [m/s] at the beginning of a step.
  void begin(const Vector& start, const Vector& velocity);

  // One step of dt [s] under the load (n) [N s]. False where a solid fails.
  bool solve(SteppedSolids& solids, const Vector& load, double dt);

  const ContactMesh& mesh() const { return search_.mesh(); }

  // Of the last solve.
  const ContactReport& report() const { return report_; }
  const Vector& impulse() const { return impulse_; }  // n: of all contacts on the nodes [N s]
  const std::vector<ContactPoint>& points() const { return points_; }
  // q x q, or empty where there is no contact: stiff dampers in the contacts that press, and along their planes where they stick.
  // To be added to endSystem, so that the velocities that it foresees keep them. Sliding contacts keep their friction as it is.
  SparseMatrix stiffness() const;

 private:
  bool look(const Vector& end);
  void assemble(SteppedSolids& solids, const Vector& end, double dt);
  void solveLinear(double dt);
  double errorAt(const Vector& end) const;
  bool keepGaps(const Vector& grown);
  double targetOf(std::size_t contact, double approach, double dt) const;

  ContactSearch search_;
  ContactOptions options_;
  Vector velocity_;
  ContactReport report_;

  // of the last solve
  std::vector<ContactPoint> points_;
  std::vector<char> bounces_;
  std::vector<char> keeps_;  // 1: no more than its surface, where the gap is below zero; 2: its gap
  SparseMatrix directions_;  // rows x n: d rows a contact, its normal and two tangents
  SparseMatrix atSolids_;    // q x rows
  SparseMatrix nodes_;       // n x q
  FrictionalContact linear_;
  Vector lambda_, impulse_, foreseen_;
};

}  // namespace meniscus::implicit
