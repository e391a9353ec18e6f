// Numbers in sentences.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace meniscus::viewer {

// As printf.
std::string text(const char* format, ...) __attribute__((format(printf, 1, 2)));

// The same without memory of the heap, for what is written anew in every frame. What does not fit is cut off.
class Line {
 public:
  Line() = default;
  explicit Line(const char* format, ...) __attribute__((format(printf, 2, 3)));
  void append(const char* format, ...) __attribute__((format(printf, 2, 3)));
  void append(std::string_view words);
  const char* c_str() const { return words_; }
  bool empty() const { return size_ == 0; }
  operator std::string_view() const { return {words_, size_}; }

 private:
  void take(int written);
  char words_[1024] = "";
  std::size_t size_ = 0;
};

// The file's name without its folders and without the last extension: a part of the path.
std::string_view stemOf(std::string_view path);

}  // namespace meniscus::viewer
