#include "apps/cli/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "apps/cli/say.h"

namespace meniscus::cli {
namespace {

constexpr int kBarWidth = 30;
constexpr std::chrono::milliseconds kTerminalInterval(100);
constexpr std::chrono::seconds kPlainInterval(10);

}  // namespace

std::string formatDuration(double seconds) {
  const long long s = seconds > 0 ? static_cast<long long>(seconds + 0.5) : 0;
  if (s >= 3600) return fmt::format("{} h {:02d} min", s / 3600, s / 60 % 60);
  if (s >= 60) return fmt::format("{} min {:02d} s", s / 60, s % 60);
  return fmt::format("{} s", s);
}

Progress::Progress(bool quiet, double total)
    : quiet_(quiet), terminal_(::isatty(STDERR_FILENO) == 1), total_(total), begin_(Clock::now()), next_(begin_) {}

Progress::~Progress() { finish(); }

void Progress::show(double done, const std::string& detail) {
  if (quiet_) return;
  const Clock::time_point now = Clock::now();
  if (first_) {
    start_ = done;
    begin_ = now;
    next_ = terminal_ ? now : now + kPlainInterval;
    first_ = false;
  }
  if (now < next_) return;
  next_ = now + (terminal_ ? Clock::duration(kTerminalInterval) : Clock::duration(kPlainInterval));
  const double share = total_ > 0 ? std::clamp(done / total_, 0.0, 1.0) : 1.0;
  const double elapsed = std::chrono::duration<double>(now - begin_).count();
  const std::string left = done > start_ ? formatDuration(elapsed * (total_ - done) / (done - start_)) + " left" : "";
  if (terminal_) {
    const int full = int(share * kBarWidth);
    say(stderr, "\r[{}{}] {:3.0f} %  {}  {}\x1b[K", std::string(std::size_t(full), '#'),
        std::string(std::size_t(kBarWidth - full), ' '), 100 * share, detail, left);
    open_ = true;
  } else {
    say(stderr, "{:3.0f} %  {}  {}\n", 100 * share, detail, left);
  }
  std::fflush(stderr);
}

void Progress::finish() {
  if (open_) say(stderr, "\r\x1b[K");
  open_ = false;
}

}  // namespace meniscus::cli
