#include "apps/viewer/rewind.h"

#include <utility>

#include "apps/picture/check.h"

namespace meniscus::viewer {

void Rewind::clear() {
  snapshots_.clear();
  interval_ = 5;
  bytes_ = 0;
}

void Rewind::consider(mnsScene* scene, std::uint64_t step, double time) {
  while (!snapshots_.empty() && snapshots_.back().step > step) {
    bytes_ -= snapshots_.back().bytes.size();
    snapshots_.pop_back();
  }
  if (!snapshots_.empty() && step < snapshots_.back().step + interval_) return;
  std::size_t size = 0;
  picture::check(mnsScene_Snapshot(scene, nullptr, 0, &size));
  Snapshot s{step, time, std::vector<unsigned char>(size)};
  picture::check(mnsScene_Snapshot(scene, s.bytes.data(), size, &size));
  s.bytes.resize(size);
  bytes_ += size;
  snapshots_.push_back(std::move(s));
  while (bytes_ > bound_ && snapshots_.size() > 2) thin();
}

// The first one stays: it is what "reset" goes back to.
void Rewind::thin() {
  std::vector<Snapshot> kept;
  bytes_ = 0;
  for (std::size_t k = 0; k < snapshots_.size(); k += 2) {
    bytes_ += snapshots_[k].bytes.size();
    kept.push_back(std::move(snapshots_[k]));
  }
  snapshots_ = std::move(kept);
  interval_ *= 2;
}

void Rewind::restore(mnsScene* scene, std::size_t k) const {
  const Snapshot& s = snapshots_.at(k);
  picture::check(mnsScene_Restore(scene, s.bytes.data(), s.bytes.size()));
}

void Rewind::describe(Timeline& timeline) const {
  timeline.times.clear();
  for (const Snapshot& s : snapshots_) timeline.times.push_back(s.time);
  timeline.bytes = bytes_;
  timeline.bound = bound_;
}

}  // namespace meniscus::viewer
