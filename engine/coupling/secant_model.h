// A linear model of a black box learnt from its calls: the least-squares Jacobian out = J in over differences of inputs and
// outputs.
//
// Based on: Vierendeels et al., Implicit coupling of partitioned fluid-structure interaction problems with reduced order models,
// 2007; Akbay et al. 2018, section 4.2. Differences are of successive calls instead of the newest against each older one: they span
// the same space, so the model is the same, but the newest difference is one column, and a filter can keep it. Akbay's full
// pivoting takes the longest column first, and the newest is the shortest.
#pragma once

#include <Eigen/Dense>
#include <deque>
#include <vector>

#include "engine/coupling/box_calls.h"

namespace meniscus::coupling {

// J = A Q^T. Q (n x k) has orthonormal columns, the differences of the inputs made orthogonal; A (m x k) are the outputs that
// belong to them. Columns are ordered from the newest difference to the oldest, so that the first k' columns are the model without
// the rest.
struct SecantModel {
  Eigen::MatrixXd Q, A;
  int dropped = 0;  // differences that depended on newer ones

  int columns() const { return static_cast<int>(Q.cols()); }
  Vector apply(const Vector& in) const { return A * (Q.transpose() * in); }  // J in
  void keep(int k);  // only the newest k columns; the rest counts as dropped
};

class SecantPairs {
 public:
  // reuse: how many earlier steps' differences stay in the model; 0 for those of this step only.
  explicit SecantPairs(int reuse = 0) : reuse_(reuse) {}

  void beginStep();     // differences so far become an earlier step's, the oldest of more than `reuse` steps are forgotten
  void clear();         // forgets everything
  void keepThisStep();  // forgets the earlier steps
  void restart(const Vector& in, const Vector& out);  // forgets all but this call
  void dropNewest(int count);                         // forgets so many of this step's last differences, not the last call
  bool hasEarlier() const { return steps_.size() > 1; }

  // A call of the box. Throws away all earlier steps where the sizes are not theirs.
  void add(const Vector& in, const Vector& out);

  bool empty() const;  // true where there is no difference yet

  // Between steps, for a snapshot: what the next step's model will be made from, added to `numbers`; and back, from `at` on, which
  // is left behind the last number read. read throws Error(input) and leaves this as it was where the numbers are not such a list.
  void write(std::vector<double>& numbers) const;
  void read(const std::vector<double>& numbers, size_t& at);

  // threshold: a difference is dropped where less than this part of its length is left after the newer ones are taken out; it must
  // be above the relative noise of the box's solver. The newest that is not zero always stays.
  SecantModel model(double threshold) const;

 private:
  struct Difference {
    Vector in, out;
  };
  using Step = std::vector<Difference>;  // oldest first

  int reuse_;
  std::deque<Step> steps_{Step{}};  // this step's first
  Vector lastIn_, lastOut_;         // of this step, empty before its first call
};

}  // namespace meniscus::coupling
