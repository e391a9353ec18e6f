#include "apps/viewer/log.h"

#include <algorithm>
#include <ctime>

namespace meniscus::viewer {

void Log::say(mnsLogLevel level, const std::string& text) {
  char time[16] = "";
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  if (localtime_r(&now, &parts)) std::strftime(time, sizeof time, "%H:%M:%S", &parts);
  std::lock_guard<std::mutex> lock(mutex_);
  lines_.push_back({level, time, text});
  if (lines_.size() > 1000) lines_.pop_front();
  ++count_;
}

void Log::copySince(std::size_t& seen, std::deque<LogLine>& lines) const {
  std::lock_guard<std::mutex> lock(mutex_);
  const std::size_t fresh = std::min(count_ - seen, lines_.size());
  lines.insert(lines.end(), lines_.end() - std::ptrdiff_t(fresh), lines_.end());
  while (lines.size() > 1000) lines.pop_front();
  seen = count_;
}

void Log::receive(void* log, mnsLogLevel level, const char* topic, const char* message, const char*, std::int32_t) {
  static_cast<Log*>(log)->say(level, std::string(topic) + ": " + message);
}

}  // namespace meniscus::viewer
