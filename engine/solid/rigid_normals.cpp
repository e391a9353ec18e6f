#include "engine/solid/rigid_normals.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace meniscus {
namespace {

constexpr int kMost = 6;  // that carry: the freedoms of the body
// What is left of a row by those that carry is no direction of its own below this share, squared.
constexpr double kDependent = 1e-8;
// Less than this share of a row is rounding, and no part that one that carries has in it.
constexpr double kNoise = 1e-9;

double dot(const SixVector& a, const SixVector& b) {
  double sum = 0;
  for (int i = 0; i < 6; ++i) sum += a[std::size_t(i)] * b[std::size_t(i)];
  return sum;
}
void addScaled(SixVector& a, const SixVector& b, double s) {
  for (int i = 0; i < 6; ++i) a[std::size_t(i)] += b[std::size_t(i)] * s;
}

class ActiveSet {
 public:
  explicit ActiveSet(SixVector& u) : u_(u) {}

  bool has(const NormalRow& row) const { return std::find(carries_, carries_ + count_, &row) != carries_ + count_; }
  // Opens the gap of a row while those that carry keep theirs; such that would have to pull let go.
  bool press(NormalRow& row) {
    for (;;) {
      SixVector z = row.a;
      double r[kMost];
      takeOut(z, r);
      const double z2 = dot(z, z), missing = -(row.gap + dot(row.a, u_));
      const double size2 = dot(row.a, row.a);
      const bool free = z2 > kDependent * size2;
      double step = free ? missing / z2 : std::numeric_limits<double>::infinity();
      int leaves = -1;
      for (int i = 0; i < count_; ++i)
        if (r[i] * std::sqrt(dot(carrier(i).a, carrier(i).a)) > kNoise * std::sqrt(size2) && carrier(i).lambda < step * r[i])
          step = carrier(i).lambda / r[i], leaves = i;
      if (!std::isfinite(step)) return false;
      if (free) addScaled(u_, z, step);
      for (int i = 0; i < count_; ++i) carrier(i).lambda -= step * r[i];
      row.lambda += step;
      if (leaves < 0) {
        carries_[count_++] = &row;
        orthogonalise();
        return true;
      }
      carrier(leaves).lambda = 0;
      for (int i = leaves; i + 1 < count_; ++i) carries_[i] = carries_[i + 1];
      --count_;
      orthogonalise();
    }
  }

 private:
  NormalRow& carrier(int i) { return *carries_[i]; }
  // z without what those that carry span; r: how much of each of them that was.
  void takeOut(SixVector& z, double* r) const {
    double along[kMost];
    for (int pass = 0; pass < 2; ++pass)  // the second for what rounding left
      for (int i = 0; i < count_; ++i) {
        const double share = dot(basis_[i], z);
        along[i] = pass ? along[i] + share : share;
        addScaled(z, basis_[i], -share);
      }
    for (int i = count_ - 1; i >= 0; --i) {
      r[i] = along[i];
      for (int j = i + 1; j < count_; ++j) r[i] -= upper_[i][j] * r[j];
      r[i] /= upper_[i][i];
    }
  }
  void orthogonalise() {
    const int count = count_;
    for (count_ = 0; count_ < count; ++count_) {
      SixVector z = carries_[count_]->a;
      for (int i = 0; i < count_; ++i) upper_[i][count_] = 0;
      for (int pass = 0; pass < 2; ++pass)
        for (int i = 0; i < count_; ++i) {
          const double share = dot(basis_[i], z);
          upper_[i][count_] += share;
          addScaled(z, basis_[i], -share);
        }
      const double size = std::sqrt(dot(z, z));
      upper_[count_][count_] = size;
      for (double& x : z) x /= size;
      basis_[count_] = z;
    }
  }

  SixVector& u_;
  int count_ = 0;
  NormalRow* carries_[kMost];
  SixVector basis_[kMost];      // orthonormal, of the rows that carry
  double upper_[kMost][kMost];  // rows that carry = basis * upper
};

}  // namespace

bool solveNormals(std::vector<NormalRow>& rows, double tolerance, SixVector& u) {
  u = {};
  for (NormalRow& row : rows) {
    addScaled(u, row.a, -row.lambda);
    row.lambda = 0;
  }
  ActiveSet set(u);
  // each contact comes and goes a few times at most
  for (std::size_t step = 0; step < 100 + 4 * rows.size(); ++step) {
    NormalRow* worst = nullptr;
    double depth = tolerance;
    for (NormalRow& row : rows) {
      const double d = -(row.gap + dot(row.a, u));
      if (d > depth && !set.has(row)) depth = d, worst = &row;
    }
    if (!worst) return true;
    if (!set.press(*worst)) return false;
  }
  return false;
}

}  // namespace meniscus
