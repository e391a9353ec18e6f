// A long calculation is given up from outside: it looks whether it is to stop between the iterations of its solves.
#pragma once

#include <functional>
#include <utility>

namespace meniscus {

// Thrown by stopIfAsked. Whoever catches it takes back what was begun.
struct Stopped {};

namespace base {
inline thread_local const std::function<bool()>* stopAsked = nullptr;
}

// While it lives, stopIfAsked on this thread asks this function. Scopes may be nested.
class StopScope {
 public:
  explicit StopScope(std::function<bool()> asked) : asked_(std::move(asked)), outer_(std::exchange(base::stopAsked, &asked_)) {}
  ~StopScope() { base::stopAsked = outer_; }
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;

 private:
  std::function<bool()> asked_;
  const std::function<bool()>* outer_;
};

inline void stopIfAsked() {
  if (base::stopAsked && (*base::stopAsked)()) throw Stopped{};
}

}  // namespace meniscus
