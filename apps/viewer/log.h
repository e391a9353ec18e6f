// What was said, for the panel that shows it. Any thread.
#pragma once

#include <meniscus/meniscus.h>

#include <deque>
#include <mutex>
#include <string>

namespace meniscus::viewer {

struct LogLine {
  mnsLogLevel level = MNS_LOG_INFO;
  std::string time;  // of day, "12:03:59"
  std::string text;
};

class Log {
 public:
  void say(mnsLogLevel level, const std::string& text);
  // Copies what came since `seen` lines, and counts them.
  void copySince(std::size_t& seen, std::deque<LogLine>& lines) const;
  // For mnsContextDef::log, with a Log as the user pointer.
  static void receive(void* log, mnsLogLevel level, const char* topic, const char* message, const char* file, std::int32_t line);

 private:
  mutable std::mutex mutex_;
  std::deque<LogLine> lines_;  // the last thousand
  std::size_t count_ = 0;      // all that ever came
};

}  // namespace meniscus::viewer
