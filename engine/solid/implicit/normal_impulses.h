// The impulses along the normals of contacts, those along their planes being as they are: the dual of a strictly convex problem,
//
//   r = free + response lambda,   r_n >= target, lambda_n >= 0, one of the two an equality
//
// by an active set. From no impulse at all, the contact that is met worst is pressed until it is met, while the contacts that press
// stay where they are; one whose impulse would become a pull lets go on the way. The sum of what the impulses do grows with each of
// these steps, so that no set of contacts comes back, and the number of steps is that of contacts that press and let go, whatever
// the masses are: sweeps over contacts need as many as the masses differ, and more where bodies stand on one another. Contacts that
// hang on those that press already get no impulse. Where nothing lets go and the response does not grow, no impulses reach the
// targets: what is between the contacts is wedged, and the way in which they could be pressed without end says which they are.
//
// Based on: Goldfarb and Idnani, A numerically stable dual method for solving strictly convex quadratic programs, 1983.
#pragma once

#include <vector>

#include "engine/solid/implicit/frictional_contact.h"

namespace meniscus::implicit {

enum class NormalsEnd { solved, wedged, tooManySteps };

class NormalImpulses {
 public:
  // tolerance [m] that a contact may be nearer by than its target. p must outlive this.
  NormalImpulses(const FrictionalContact& p, double tolerance) : p_(p), tolerance_(tolerance) {}

  // lambda, r: rows. beyond: an impulse of a wedged contact would move it alone by more than that [m].
  NormalsEnd solve(double beyond, Vector& lambda, Vector& r);

  int steps() const { return steps_; }

 private:
  Eigen::Index worst(const Vector& r) const;
  NormalsEnd press(Eigen::Index contact, double beyond, Vector& lambda, Vector& r);
  double answer(Eigen::Index row);
  void add(Eigen::Index row, double left);
  void drop(Eigen::Index at);

  const FrictionalContact& p_;
  double tolerance_;
  std::vector<Eigen::Index> pressing_;  // rows
  std::vector<char> presses_;           // of each contact
  Eigen::MatrixXd factor_;              // upper: of the response among them, R^T R
  Vector column_, part_;                // of a row that is asked about: R^-T and what the others' impulses lose for each of its own
  int steps_ = 0;
};

}  // namespace meniscus::implicit
