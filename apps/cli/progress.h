// Progress of long work: a bar with the time left on a terminal, a plain line now and then elsewhere. Goes to standard error.
#pragma once

#include <chrono>
#include <string>

namespace meniscus::cli {

class Progress {
 public:
  Progress(bool quiet, double total);  // total: what 100 % is
  ~Progress();

  // done: of total, from the same start as the first call's. detail: a few words on the present state.
  void show(double done, const std::string& detail);
  void finish();  // ends the bar's line

 private:
  using Clock = std::chrono::steady_clock;
  bool quiet_, terminal_, open_ = false, first_ = true;
  double total_, start_ = 0;
  Clock::time_point begin_, next_;
};

// "1 h 02 min", "3 min 20 s", "12 s"
std::string formatDuration(double seconds);

}  // namespace meniscus::cli
