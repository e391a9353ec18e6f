#include "engine/coupling/secant_model.h"

#include <algorithm>

namespace meniscus::coupling {

void SecantModel::keep(int k) {
  dropped += columns() - k;
  Q.conservativeResize(Eigen::NoChange, k);
  A.conservativeResize(Eigen::NoChange, k);
}

void SecantPairs::beginStep() {
  lastIn_.resize(0);
  lastOut_.resize(0);
  if (!steps_.front().empty()) steps_.emplace_front();
  while (static_cast<int>(steps_.size()) > reuse_ + 1) steps_.pop_back();
}

void SecantPairs::clear() {
  steps_.assign(1, Step{});
  lastIn_.resize(0);
  lastOut_.resize(0);
}

void SecantPairs::add(const Vector& in, const Vector& out) {
  if (lastIn_.size() > 0) {
    steps_.front().push_back({in - lastIn_, out - lastOut_});
  } else {
    const auto other = [&](const Step& s) {
      return !s.empty() && (s.front().in.size() != in.size() || s.front().out.size() != out.size());
    };
    if (std::any_of(steps_.begin(), steps_.end(), other)) clear();
  }
  lastIn_ = in;
  lastOut_ = out;
}

bool SecantPairs::empty() const {
  return std::all_of(steps_.begin(), steps_.end(), [](const Step& s) { return s.empty(); });
}

SecantModel SecantPairs::model(double threshold) const {
  std::vector<const Difference*> newestFirst;
  for (const Step& s : steps_)
    for (auto d = s.rbegin(); d != s.rend(); ++d) newestFirst.push_back(&*d);
  SecantModel m;
  if (newestFirst.empty()) return m;
  const Eigen::Index count = static_cast<Eigen::Index>(newestFirst.size());
  m.Q.resize(newestFirst.front()->in.size(), count);
  m.A.resize(newestFirst.front()->out.size(), count);
  int k = 0;
  for (const Difference* d : newestFirst) {
    const double length = d->in.norm();
    if (!(length > 0) || k == m.Q.rows()) continue;
    // v, w: the difference of unit length, less its part along the columns that stand. Twice is enough to be orthogonal to
    // round-off.
    Vector v = d->in / length, w = d->out / length;
    for (int pass = 0; pass < 2; ++pass) {
      for (int j = 0; j < k; ++j) {
        const double along = m.Q.col(j).dot(v);
        v -= along * m.Q.col(j);
        w -= along * m.A.col(j);
      }
    }
    const double left = v.norm();
    if (k > 0 && left < threshold) continue;
    m.Q.col(k) = v / left;
    m.A.col(k) = w / left;
    ++k;
  }
  m.Q.conservativeResize(Eigen::NoChange, k);
  m.A.conservativeResize(Eigen::NoChange, k);
  m.dropped = static_cast<int>(count) - k;
  return m;
}

}  // namespace meniscus::coupling
