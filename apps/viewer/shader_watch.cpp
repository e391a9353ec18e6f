#include "apps/viewer/shader_watch.h"

#include <algorithm>

namespace meniscus::viewer {

namespace fs = std::filesystem;

bool ShaderWatch::changed() {
  if (folder_.empty()) return false;
  fs::file_time_type newest = fs::file_time_type::min();  // the clock of files has its zero in the far future
  std::size_t files = 0;
  std::error_code error;
  for (fs::recursive_directory_iterator it(folder_, error), end; !error && it != end; it.increment(error)) {
    std::error_code ignored;
    if (!it->is_regular_file(ignored)) continue;
    ++files;
    newest = std::max(newest, it->last_write_time(ignored));
  }
  const bool change = newest != newest_ || files != files_;
  newest_ = newest;
  files_ = files;
  return change;
}

}  // namespace meniscus::viewer
