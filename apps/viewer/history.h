// Changes of parameters that can be undone and done again.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace meniscus::viewer {

struct Change {
  std::string name;
  double before = 0, after = 0;
};

class History {
 public:
  // A change goes on as long as `gesture` stays the same (one drag of a slider): it is then undone as one.
  void add(const Change& change, int gesture);
  std::optional<Change> undo();  // what to set back: its `before`
  std::optional<Change> redo();  // what to set again: its `after`
  bool canUndo() const { return at_ > 0; }
  bool canRedo() const { return at_ < changes_.size(); }
  void clear();

 private:
  std::vector<Change> changes_;
  std::size_t at_ = 0;  // changes before it are in force
  int gesture_ = -1;
};

}  // namespace meniscus::viewer
