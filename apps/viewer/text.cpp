#include "apps/viewer/text.h"

#include <cstdarg>
#include <cstdio>
#include <filesystem>

namespace meniscus::viewer {

std::string text(const char* format, ...) {
  std::va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  const int size = std::vsnprintf(nullptr, 0, format, arguments);
  va_end(arguments);
  std::string result(std::size_t(size > 0 ? size : 0), '\0');
  std::vsnprintf(result.data(), result.size() + 1, format, again);
  va_end(again);
  return result;
}

std::string stemOf(const std::string& path) { return std::filesystem::path(path).stem().string(); }

}  // namespace meniscus::viewer
