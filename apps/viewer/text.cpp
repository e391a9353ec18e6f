#include "apps/viewer/text.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>

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

Line::Line(const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  take(std::vsnprintf(words_, sizeof words_, format, arguments));
  va_end(arguments);
}

void Line::append(const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  take(std::vsnprintf(words_ + size_, sizeof words_ - size_, format, arguments));
  va_end(arguments);
}

void Line::append(std::string_view words) { append("%.*s", int(words.size()), words.data()); }

// Where it was too much, no half of a letter (of UTF-8) stays at the end.
void Line::take(int written) {
  const std::size_t room = sizeof words_ - 1 - size_;
  const bool cut = written > 0 && std::size_t(written) > room;
  size_ += std::min(room, std::size_t(std::max(written, 0)));
  const auto continues = [&](std::size_t k) { return (static_cast<unsigned char>(words_[k]) & 0xc0) == 0x80; };
  if (cut) {
    while (size_ > 0 && continues(size_ - 1)) --size_;
    if (size_ > 0 && static_cast<unsigned char>(words_[size_ - 1]) >= 0xc0) --size_;
  }
  words_[size_] = '\0';
}

std::string_view stemOf(std::string_view path) {
  const std::size_t slash = path.find_last_of('/');
  if (slash != std::string_view::npos) path.remove_prefix(slash + 1);
  const std::size_t dot = path.find_last_of('.');
  return dot == std::string_view::npos || dot == 0 ? path : path.substr(0, dot);
}

}  // namespace meniscus::viewer
