// Impulses of contacts with Coulomb friction on solids whose motion is linear in them.
//
//   r = free + response lambda, for each contact d rows: along its normal, then along its plane
//   r_n >= target, lambda_n >= 0, one of the two an equality;  |lambda_t| <= friction lambda_n, against r_t where r_t is not 0
//
// Solved by projected Gauss-Seidel sweeps in the order of the contacts, and between them, where few contacts are stiffly tied to
// one another, by direct solves of those that press. Sweeps that this does not end, beside bodies in a row or upon one another, are
// left for an active set of the normal impulses (NormalImpulses), which ends without friction, and with it goes on in turns with
// sweeps. Where contacts of a rigid body hang on one another their impulses are not unique; the motion is.
//
// Based on: Jourdan, Alart and Jean, A Gauss-Seidel like algorithm to solve frictional contact problems, 1998, with the friction of
// a contact by the largest of its tangential responses.
#pragma once

#include <vector>

#include "engine/solid/implicit/implicit_solid.h"

namespace meniscus::implicit {

struct FrictionalContact {
  int dimension = 3;         // d
  Eigen::MatrixXd response;  // rows x rows, symmetric, positive semi-definite [m / (N s)]
  Vector free;               // rows: r without contact impulses [m]
  Vector target;             // of each contact [m]
  Vector friction;           // of each contact

  // Rows in which something answers to an impulse. In the others, between what moves as it is told and across what a guide leaves
  // free, impulses are 0. Set by findAnswers, from `response`.
  std::vector<char> answers;

  Eigen::Index contacts() const { return target.size(); }
  void findAnswers();
};

struct SweepReport {
  int sweeps = 0;
  int normalSteps = 0;  // of active sets
  double change = 0;    // [m] of r by the last sweep's changes of impulses, the largest of one contact on itself
  // No impulses reach the targets: what is between contacts on opposite sides has no room for both. They grew beyond any bound,
  // and lambda holds what they were.
  bool wedged = false;
};

// lambda: rows [N s]; from what it holds. Ends where the change is within the tolerance [m].
SweepReport solveFrictionalContact(const FrictionalContact& problem, double tolerance, int maxSweeps, Vector& lambda);

}  // namespace meniscus::implicit
