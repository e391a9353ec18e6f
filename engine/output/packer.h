// Numbers, texts and lists as bytes, and back.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace meniscus {

// Plain values as their bytes, lists and texts after their length.
struct Packer {
  std::string out;

  template <class T>
  void operator()(const T& v) {
    static_assert(std::is_trivially_copyable_v<T>);
    out.append(reinterpret_cast<const char*>(&v), sizeof v);
  }
  void operator()(const std::string& v) {
    (*this)(std::uint64_t(v.size()));
    out += v;
  }
  template <class T>
  void operator()(const std::vector<T>& v) {
    (*this)(std::uint64_t(v.size()));
    for (const T& item : v) (*this)(item);
  }
  void operator()(const std::pair<std::string, double>& v) {
    (*this)(v.first);
    (*this)(v.second);
  }
};

struct Unpacker {
  std::string_view left;
  bool whole = true;

  bool has(std::uint64_t bytes) { return whole = whole && bytes <= left.size(); }
  template <class T>
  void operator()(T& v) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (!has(sizeof v)) return;
    std::memcpy(static_cast<void*>(&v), left.data(), sizeof v);
    left.remove_prefix(sizeof v);
  }
  void operator()(std::string& v) {
    std::uint64_t n = 0;
    (*this)(n);
    if (!has(n)) return;
    v.assign(left.data(), std::size_t(n));
    left.remove_prefix(std::size_t(n));
  }
  template <class T>
  void operator()(std::vector<T>& v) {
    std::uint64_t n = 0;
    (*this)(n);
    if (!has(n)) return;  // every item takes a byte at least
    v.resize(std::size_t(n));
    for (T& item : v) (*this)(item);
  }
  void operator()(std::pair<std::string, double>& v) {
    (*this)(v.first);
    (*this)(v.second);
  }
};

}  // namespace meniscus
