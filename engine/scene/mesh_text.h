// Words and numbers of a text mesh file, with lines for messages.
#pragma once

#include <string>
#include <string_view>

#include "kernels/core/vec.h"

namespace meniscus {

class MeshText {
 public:
  // comment: characters from it to the end of the line are skipped; 0: none. The text must outlive this.
  MeshText(const std::string& path, std::string_view text, char comment) : path_(path), text_(text), comment_(comment) {}

  bool atEnd();                     // no further word
  bool lineEnds();                  // no further word on this line
  std::string_view word();          // the next word; fails at the end of the file
  std::string_view peek();          // the same without taking it; empty at the end
  double number(const char* what);  // finite
  long long integer(const char* what, long long lo, long long hi);
  Vec3d point(const char* what);
  void skipLine();                             // to the start of the next line
  std::string_view restOfLine();               // and to the start of the next line
  void skipBytes(std::size_t n) { at_ += n; }  // binary values; the caller has made sure that they are there
  void expect(std::string_view keyword);

  int line() const { return line_; }
  std::size_t offset() const { return at_; }
  std::size_t size() const { return text_.size(); }
  [[noreturn]] void fail(const std::string& text) const;  // Error(input) "path:line: text"

 private:
  void skipSpace();
  const std::string& path_;
  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
  char comment_;
};

// A count of the file's header that the rest of the file cannot hold is refused before memory is asked for.
void checkCount(const MeshText& t, long long count, std::size_t leastBytesEach, const char* what);

}  // namespace meniscus
