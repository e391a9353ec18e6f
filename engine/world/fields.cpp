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

std::string describe(const std::string& name, const MaterialDef& m) {
  std::string how;
  if (m.youngsModulus > 0) how = fmt::format(" (Young's modulus {:g} Pa)", m.youngsModulus);
  if (m.stretch.kind == Resistance::Kind::compliance) how = fmt::format(" (stretch compliance {:g} m/N)", m.stretch.value);
  if (m.stretch.kind == Resistance::Kind::stiffness) how = fmt::format(" (stretch stiffness {:g})", m.stretch.value);
  return fmt::format("solid \"{}\"{}", name, how);
}

struct NotFiniteFinder {
  const SolidState& solids;
  std::string found;

  template <class T>
  void value(const FieldInfo& info, const T& field) {
    if (!found.empty() || info.keep != Keep::state || isFinite(field)) return;
    found = info.item < 0 ? std::string(info.name) : fmt::format("{} of number {}", info.name, info.item);
    const std::string name = info.name;
    if (name.rfind("rigid.", 0) == 0) found += ", of " + nameOfRigid(solids, info.item);
    if (name.rfind("volume.", 0) == 0)
      found += ", of " + nameOfNode(solids, solids.bodies[std::size_t(solids.volumes[std::size_t(info.item)].body)].nodeBegin);
  }
  template <class T>
  void array(const FieldInfo& info, const Buffer<T>& buffer, Index count) {
    if (!found.empty() || info.keep != Keep::state) return;
    for (Index i = 0; i < count; ++i) {
      if (isFinite(buffer[std::size_t(i)])) continue;
      found = fmt::format("{} of number {} of {}", info.name, i, count);
      const std::string name = info.name;
      if (name.rfind("solid.", 0) == 0) found += ", of " + nameOfNode(solids, i);
      if (name == "constraints.lambda") found += ", of " + nameOfNode(solids, solids.constraints.items[std::size_t(i)].node[0]);
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

std::string nameOfNode(const SolidState& solids, Index node) {
  const Body& b = solids.bodies[bodyOfNode(solids, node)];
  return describe(b.name, b.material);
}

std::string nameOfRigid(const SolidState& solids, Index rigid) {
  const RigidBody& r = solids.rigid[std::size_t(rigid)];
  return describe(r.name, r.material);
}

std::string findNotFinite(const World& world) {
  NotFiniteFinder finder{world.solid, {}};
  forEachField(world, finder);
  return finder.found;
}

std::string describeFields(const World& world) {
  Describer describer;
  forEachField(world, describer);
  return describer.text;
}

}  // namespace meniscus
