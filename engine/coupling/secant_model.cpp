#include "engine/coupling/secant_model.h"

#include <algorithm>
#include <cmath>
#include <utility>

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

void SecantPairs::keepThisStep() { steps_.resize(1); }

void SecantPairs::clear() {
  steps_.assign(1, Step{});
  lastIn_.resize(0);
  lastOut_.resize(0);
}

void SecantPairs::restart(const Vector& in, const Vector& out) {
  clear();
  add(in, out);
}

void SecantPairs::dropNewest(int count) {
  Step& now = steps_.front();
  now.resize(now.size() - std::min(now.size(), size_t(count)));
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

// The number of steps; of each step the number of differences and the sizes of input and output; of each difference both vectors.
void SecantPairs::write(std::vector<double>& numbers) const {
  std::vector<const Step*> kept;
  for (const Step& s : steps_)
    if (!s.empty() && static_cast<int>(kept.size()) < reuse_) kept.push_back(&s);
  numbers.push_back(static_cast<double>(kept.size()));
  for (const Step* s : kept) {
    for (const size_t count : {s->size(), size_t(s->front().in.size()), size_t(s->front().out.size())})
      numbers.push_back(static_cast<double>(count));
    for (const Difference& d : *s) {
      numbers.insert(numbers.end(), d.in.data(), d.in.data() + d.in.size());
      numbers.insert(numbers.end(), d.out.data(), d.out.data() + d.out.size());
    }
  }
}

void SecantPairs::read(const std::vector<double>& numbers, size_t& at) {
  size_t next = at;
  const auto need = [&](size_t count) {
    if (count > numbers.size() - next)
      throw Error(ErrorKind::input,
                  "coupling: the snapshot's columns are not a list of this method; resume with the method that wrote it");
  };
  const auto whole = [&]() {
    need(1);
    const double v = numbers[next++];
    if (!(v >= 0) || v > double(numbers.size()) || v != std::floor(v)) need(numbers.size() + 1);
    return static_cast<size_t>(v);
  };
  const auto vector = [&](size_t size) {
    need(size);
    Vector v(static_cast<Eigen::Index>(size));
    std::copy_n(numbers.begin() + static_cast<std::ptrdiff_t>(next), size, v.data());
    next += size;
    return v;
  };
  std::deque<Step> steps;
  for (size_t k = whole(); k > 0; --k) {
    Step s;
    const size_t differences = whole(), in = whole(), out = whole();
    for (size_t j = 0; j < differences; ++j) {
      Vector input = vector(in);
      s.push_back({std::move(input), vector(out)});
    }
    steps.push_back(std::move(s));
  }
  clear();
  if (!steps.empty()) steps_ = std::move(steps);
  at = next;
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
