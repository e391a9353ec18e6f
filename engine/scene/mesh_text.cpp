#include "engine/scene/mesh_text.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdlib>

#include "engine/base/error.h"

namespace meniscus {

namespace {

bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v'; }

// Bytes of the file that are no text stay out of messages.
std::string shown(std::string_view w) {
  std::string s;
  for (const char c : w.substr(0, 24)) s += c >= 32 && c < 127 ? c : '?';
  return s + (w.size() > 24 ? "..." : "");
}

}  // namespace

void MeshText::fail(const std::string& text) const { throw Error(ErrorKind::input, fmt::format("{}:{}: {}", path_, line_, text)); }

void MeshText::skipSpace() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '\n') ++line_;
    if (isSpace(c)) {
      ++at_;
    } else if (comment_ && c == comment_) {
      while (at_ < text_.size() && text_[at_] != '\n') ++at_;
    } else {
      return;
    }
  }
}

bool MeshText::atEnd() {
  skipSpace();
  return at_ >= text_.size();
}

bool MeshText::lineEnds() {
  while (at_ < text_.size() && text_[at_] != '\n') {
    if (comment_ && text_[at_] == comment_) return true;
    if (!isSpace(text_[at_])) return false;
    ++at_;
  }
  return true;
}

std::string_view MeshText::peek() {
  skipSpace();
  std::size_t end = at_;
  while (end < text_.size() && !isSpace(text_[end]) && !(comment_ && text_[end] == comment_)) ++end;
  return text_.substr(at_, end - at_);
}

std::string_view MeshText::word() {
  const std::string_view w = peek();
  if (w.empty()) fail("the file ends too early; it is truncated or its counts are too large");
  at_ += w.size();
  return w;
}

double MeshText::number(const char* what) {
  std::string_view w = word();
  const std::string_view whole = w;
  if (!w.empty() && w[0] == '+') w.remove_prefix(1);
  double v = 0;
  const auto [end, error] = std::from_chars(w.data(), w.data() + w.size(), v);
  // Out of range, from_chars leaves the value as it was and does not say on which side: strtod makes what is too small for a
  // double, and by any scale of a mesh nothing, zero or denormal, and what is too large infinite, which is refused below.
  if (error == std::errc::result_out_of_range && end == w.data() + w.size())
    v = std::strtod(std::string(w).c_str(), nullptr);
  else if (error != std::errc{} || end != w.data() + w.size())
    fail(fmt::format("expected a number for {}, found \"{}\"", what, shown(whole)));
  if (!std::isfinite(v)) fail(fmt::format("{} is not finite (\"{}\")", what, shown(whole)));
  return v;
}

long long MeshText::integer(const char* what, long long lo, long long hi) {
  std::string_view w = word();
  long long v = 0;
  const auto [end, error] = std::from_chars(w.data(), w.data() + w.size(), v);
  if (error != std::errc{} || end != w.data() + w.size())
    fail(fmt::format("expected a whole number for {}, found \"{}\"", what, shown(w)));
  if (v < lo || v > hi) {
    if (hi < lo) fail(fmt::format("{} is {}, but there are none", what, v));
    fail(fmt::format("{} is {}, which is out of range; it must be in [{}, {}]", what, v, lo, hi));
  }
  return v;
}

Vec3d MeshText::point(const char* what) {
  Vec3d p;
  for (int k = 0; k < 3; ++k) p[k] = number(what);
  return p;
}

void MeshText::skipLine() {
  while (at_ < text_.size() && text_[at_] != '\n') ++at_;
  if (at_ < text_.size()) {
    ++at_;
    ++line_;
  }
}

std::string_view MeshText::restOfLine() {
  const std::size_t begin = at_;
  while (at_ < text_.size() && text_[at_] != '\n') ++at_;
  std::string_view s = text_.substr(begin, at_ - begin);
  while (!s.empty() && isSpace(s.back())) s.remove_suffix(1);
  while (!s.empty() && isSpace(s.front())) s.remove_prefix(1);
  if (at_ < text_.size()) {
    ++at_;
    ++line_;
  }
  return s;
}

void MeshText::expect(std::string_view keyword) {
  const std::string_view w = word();
  if (w != keyword) fail(fmt::format("expected \"{}\", found \"{}\"", keyword, shown(w)));
}

void checkCount(const MeshText& t, long long count, std::size_t leastBytesEach, const char* what) {
  const std::size_t left = t.size() - t.offset();
  if (std::size_t(count) > left / leastBytesEach + 1)
    t.fail(fmt::format("the header announces {} {}, more than the rest of the file can hold; it is truncated or damaged", count,
                       what));
}

}  // namespace meniscus
