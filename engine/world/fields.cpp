#include "engine/world/fields.h"

#include <fmt/format.h>

#include <cmath>

namespace meniscus {
namespace {

// Calls each(number) for every number that a value is made of; constraints are not numbers.
template <class T, class Each>
void components(const T& v, const Each& each) {
  if constexpr (std::is_arithmetic_v<T>) {
    each(double(v));
  } else if constexpr (std::is_same_v<T, Vec4f> || std::is_same_v<T, Quatd>) {
    for (const auto c : {v.x, v.y, v.z, v.w}) each(double(c));
  } else if constexpr (std::is_same_v<T, Vec3d>) {
    for (const auto c : {v.x, v.y, v.z}) each(double(c));
  }
}

template <class T>
bool isFinite(const T& v) {
  bool finite = true;
  components(v, [&](double c) { finite = finite && std::isfinite(c); });
  return finite;
}

struct NotFiniteFinder {
  std::string found;

  template <class T>
  void value(const FieldInfo& info, const T& field) {
    if (!found.empty() || info.keep != Keep::state || isFinite(field)) return;
    found = info.item < 0 ? std::string(info.name) : fmt::format("{} of number {}", info.name, info.item);
  }
  template <class T>
  void array(const FieldInfo& info, const Buffer<T>& buffer, Index count) {
    if (!found.empty() || info.keep != Keep::state) return;
    for (Index i = 0; i < count; ++i) {
      if (isFinite(buffer[std::size_t(i)])) continue;
      found = fmt::format("{} of number {} of {}", info.name, i, count);
      return;
    }
  }
};

const char* keepName(Keep k) { return k == Keep::state ? "state" : k == Keep::model ? "model" : "derived"; }

struct Describer {
  std::string text =
      fmt::format("{:<24}{:<12}{:>10}  {:<8}{:<9}{}\n", "field", "type", "count", "unit", "kept as", "smallest .. largest");

  template <class T>
  void line(const FieldInfo& info, const T* first, Index count) {
    double low = INFINITY, high = -INFINITY;
    for (Index i = 0; i < count; ++i)
      components(first[i], [&](double c) {
        low = std::fmin(low, c);
        high = std::fmax(high, c);
      });
    const std::string name = info.item < 0 ? info.name : fmt::format("{} [{}]", info.name, info.item);
    text += fmt::format("{:<24}{:<12}{:>10}  {:<8}{:<9}", name, TypeName<T>::value, count, info.unit, keepName(info.keep));
    text += low <= high ? fmt::format("{:.6g} .. {:.6g}\n", low, high) : "-\n";
  }
  template <class T>
  void value(const FieldInfo& info, const T& field) {
    line(info, &field, 1);
  }
  template <class T>
  void array(const FieldInfo& info, const Buffer<T>& buffer, Index count) {
    line(info, buffer.data(), std::size_t(count) <= buffer.size() ? count : Index(buffer.size()));
  }
};

}  // namespace

std::string findNotFinite(const World& world) {
  NotFiniteFinder finder;
  forEachField(world, finder);
  return finder.found;
}

std::string describeFields(const World& world) {
  Describer describer;
  forEachField(world, describer);
  return describer.text;
}

}  // namespace meniscus
