// One writer or any number of readers; nobody waits.
#pragma once

#include <atomic>

namespace meniscus::api {

class Gate {
 public:
  bool tryRead() noexcept {
    int seen = state_.load(std::memory_order_relaxed);
    while (seen >= 0)
      if (state_.compare_exchange_weak(seen, seen + 1, std::memory_order_acquire)) return true;
    return false;
  }
  void endRead() noexcept { state_.fetch_sub(1, std::memory_order_release); }
  bool tryWrite() noexcept {
    int open = 0;
    return state_.compare_exchange_strong(open, -1, std::memory_order_acquire);
  }
  void endWrite() noexcept { state_.store(0, std::memory_order_release); }

 private:
  std::atomic<int> state_{0};  // number of readers, or -1
};

}  // namespace meniscus::api
