#include "apps/viewer/history.h"

namespace meniscus::viewer {

void History::add(const Change& change, int gesture) {
  changes_.resize(at_);
  if (gesture == gesture_ && at_ > 0 && changes_.back().name == change.name) {
    changes_.back().after = change.after;
    return;
  }
  changes_.push_back(change);
  at_ = changes_.size();
  gesture_ = gesture;
}

std::optional<Change> History::undo() {
  if (!canUndo()) return {};
  gesture_ = -1;
  return changes_[--at_];
}

std::optional<Change> History::redo() {
  if (!canRedo()) return {};
  gesture_ = -1;
  return changes_[at_++];
}

void History::clear() {
  changes_.clear();
  at_ = 0;
  gesture_ = -1;
}

}  // namespace meniscus::viewer
