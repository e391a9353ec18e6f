#include "engine/output/run_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <type_traits>

#include "engine/base/error.h"

namespace meniscus {
namespace {

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

template <class R, class V>
void forEachMember(R& r, V& visit) {
  visit(r.wallSeconds);
  visit(r.stageSeconds);
  visit(r.peakMemoryBytes);
  visit(r.frames);
}

}  // namespace

std::string packRecord(const RunMetrics& metrics, const RunSoFar& run) {
  Packer packer;
  RunMetrics::forEachMember(metrics, packer);
  forEachMember(run, packer);
  return packer.out;
}

void unpackRecord(const std::string& bytes, const std::string& name, RunMetrics& metrics, RunSoFar& run) {
  Unpacker unpacker{bytes};
  RunMetrics m = metrics;
  RunSoFar r;
  RunMetrics::forEachMember(m, unpacker);
  forEachMember(r, unpacker);
  if (!unpacker.whole || !unpacker.left.empty())
    throw Error(ErrorKind::input, fmt::format("{}: the snapshot's record of the run is of another version", name));
  metrics = std::move(m);
  run = std::move(r);
}

std::vector<std::pair<std::string, double>> addStages(std::vector<std::pair<std::string, double>> a,
                                                      const std::vector<std::pair<std::string, double>>& b) {
  for (const auto& [name, seconds] : b) {
    const auto same = std::find_if(a.begin(), a.end(), [&n = name](const auto& stage) { return stage.first == n; });
    if (same == a.end())
      a.emplace_back(name, seconds);
    else
      same->second += seconds;
  }
  return a;
}

}  // namespace meniscus
