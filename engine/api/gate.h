// One writer or any number of readers. A writer waits for readers that are inside, for they are soon done, and keeps new ones out;
// a reader does not wait for a writer, whose step can take seconds.
#pragma once

#include <atomic>
#include <chrono>
#include <thread>

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

  // False at once where another writer is inside or waits, and after a second where readers have not left: one of them is the
  // host's own call on this thread, out of which it has come here.
  bool tryWrite() noexcept {
    int seen = state_.load(std::memory_order_relaxed);
    do
      if (seen < 0) return false;
    while (!state_.compare_exchange_weak(seen, seen + kWriter, std::memory_order_acquire));
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(1);
    for (int looks = 0; state_.load(std::memory_order_acquire) != kWriter; ++looks) {
      if (looks < 64)
        std::this_thread::yield();
      else if (std::chrono::steady_clock::now() < until)
        std::this_thread::sleep_for(std::chrono::microseconds(50));
      else
        return state_.fetch_sub(kWriter, std::memory_order_release), false;
    }
    return true;
  }
  void endWrite() noexcept { state_.fetch_sub(kWriter, std::memory_order_release); }

 private:
  static constexpr int kWriter = -(1 << 30);
  std::atomic<int> state_{0};  // number of readers inside, plus kWriter where a writer is inside or waits
};

}  // namespace meniscus::api
