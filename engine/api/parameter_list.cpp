#include "engine/api/parameter_list.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string_view>

#include "engine/api/grid_scene.h"
#include "engine/api/parameter_keys.h"
#include "engine/scene/diagnostic.h"
#include "engine/world/check.h"

namespace meniscus::api {
namespace {

// Where the walk is: "fluids." and the object's name, which is null for what there is only one of.
struct Place {
  const char* group;
  const std::string* object;
  std::int32_t order;

  std::string prefix() const { return object ? group + *object + "." : group; }
};

// Calls visit(place, key, definition) for the parameters of one object until it says true.
template <class Def, class Visit>
bool walkObject(const Place& place, const ParameterKeys<Def>& keys, Def& def, Visit& visit) {
  if (!visit.wants(place)) return false;
  for (const ParameterKey<Def>& key : keys)
    if ((!key.acts || key.acts(def)) && visit(place, key, def)) return true;
  return false;
}

template <class Def, class Visit>
bool walkList(const char* group, const ParameterKeys<Def>& keys, std::vector<Def>& list, Visit& visit) {
  for (std::size_t k = 0; k < list.size(); ++k)
    if (walkObject(Place{group, &list[k].name, std::int32_t(k)}, keys, list[k], visit)) return true;
  return false;
}

// The tables are there since the first context was made.
template <class Visit>
bool walk(mnsScene& s, Visit& visit) {
  SceneDef& d = s.current();
  if (onGrid(s))
    return walkObject(Place{"", nullptr, 0}, sceneKeys(), d, visit) ||
           walkObject(Place{"solver.", nullptr, 0}, gridSolverKeys(), d.solver, visit) ||
           walkList("fluids.", gridFluidKeys(d.solver.grid.dimension), d.fluids, visit) ||
           walkList("solids.", gridSolidKeys(), d.solids, visit);
  return walkObject(Place{"", nullptr, 0}, sceneKeys(), d, visit) ||
         walkObject(Place{"solver.", nullptr, 0}, solverKeys(), d.solver, visit) ||
         walkObject(Place{"domain.", nullptr, 0}, domainKeys(), d.domain, visit) ||
         walkList("fluids.", fluidKeys(), d.fluids, visit) || walkList("emitters.", emitterKeys(), d.emitters, visit) ||
         walkList("drains.", drainKeys(), d.drains, visit) || walkList("solids.", solidKeys(), d.solids, visit);
}

// ---- what is accepted ----

double leastOf(const Range& r) {
  if (r.lo == -kInfinity) return -kLargestNumber;
  if (!r.loOpen) return r.lo;
  return r.lo == 0 ? kSmallestPositive : std::nextafter(r.lo, kInfinity);
}
double mostOf(const Range& r) {
  if (r.hi == kInfinity) return kLargestNumber;
  return r.hiOpen ? std::nextafter(r.hi, -kInfinity) : r.hi;
}

// As the scene format reads it, with its sentence where it is refused.
void needAccepted(const char* name, const ObjectSchema::Quantity& q, double value) {
  if (value >= leastOf(q.range) && value <= mostOf(q.range) && (!q.whole || value == std::floor(value))) return;
  Diagnostics out;
  Reader reader{name, "", out};
  JsonNode n;
  n.kind = JsonNode::Kind::number;
  n.number = value;
  double read = 0;
  long long whole = 0;
  if (q.whole)
    readInteger(reader, n, name, static_cast<long long>(q.range.lo), static_cast<long long>(q.range.hi), whole);
  else
    readNumber(reader, n, name, q.unit.c_str(), q.range, read);
  if (!out.empty()) fail(MNS_ERROR_INVALID_ARGUMENT, "{}", out.front().text);
}

// ---- what is given out ----

// As much of the text as there is room for: whole sentences, or else whole characters.
template <std::size_t N>
void put(char (&to)[N], std::string text) {
  if (text.size() >= N) {
    std::size_t n = text.rfind(". ", N - 2);
    n = n == std::string::npos ? N - 1 : n + 1;
    while (n > 0 && (static_cast<unsigned char>(text[n]) & 0xc0) == 0x80) --n;
    text.resize(n);
  }
  std::memcpy(to, text.c_str(), text.size() + 1);
}

template <class Def>
double valueNow(mnsScene& s, const Place& place, const ParameterKey<Def>& key, const Def& def) {
  return key.live && s.running ? key.live(s.running->world, place.order) : key.get(def);
}

template <class Def>
mnsParameter describe(mnsScene& s, const Place& place, const ParameterKey<Def>& key, const Def& def) {
  mnsParameter p{};
  const std::string name = place.prefix() + key.name;
  put(p.name, name);
  put(p.unit, key.quantity.unit);
  put(p.help, key.quantity.help);
  p.value = p.initial = valueNow(s, place, key, def);
  for (const auto& [changed, initial] : s.initialValues)
    if (changed == name) p.initial = initial;
  p.min = leastOf(key.quantity.range);
  p.max = mostOf(key.quantity.range);
  p.low = std::max(p.min, std::min(key.slider.low, p.initial));
  p.high = std::min(p.max, std::max(key.slider.high, p.initial));
  if (key.slider.logarithmic && p.low <= 0) p.low = std::max(p.min, std::min(key.slider.low, p.high));
  p.integer = key.quantity.whole;
  p.logarithmic = key.slider.logarithmic;
  return p;
}

// ---- visits ----

struct Count {
  std::int32_t n = 0;
  bool wants(const Place&) { return true; }
  template <class Def>
  bool operator()(const Place&, const ParameterKey<Def>&, Def&) {
    ++n;
    return false;
  }
};

struct DescribeNumber {
  mnsScene& scene;
  std::int32_t left;
  mnsParameter found{};
  bool wants(const Place&) { return true; }
  template <class Def>
  bool operator()(const Place& place, const ParameterKey<Def>& key, Def& def) {
    if (left-- > 0) return false;
    found = describe(scene, place, key, def);
    return true;
  }
};

struct Names {
  std::vector<std::string> all;
  bool wants(const Place&) { return true; }
  template <class Def>
  bool operator()(const Place& place, const ParameterKey<Def>& key, Def&) {
    all.push_back(place.prefix() + key.name);
    return false;
  }
};

// f(place, key, definition) for the parameter of the name. Does not allocate: reading a value must be quick.
template <class F>
struct ByName {
  std::string_view name;
  const F& f;
  std::string_view rest = {};  // behind the object's name

  bool wants(const Place& place) {
    rest = name;
    if (rest.substr(0, std::strlen(place.group)) != place.group) return false;
    rest.remove_prefix(std::strlen(place.group));
    if (!place.object) return true;
    const std::size_t length = place.object->size();
    if (rest.size() <= length || rest[length] != '.' || rest.substr(0, length) != *place.object) return false;
    rest.remove_prefix(length + 1);
    return true;
  }
  template <class Def>
  bool operator()(const Place& place, const ParameterKey<Def>& key, Def& def) {
    if (key.name != rest) return false;
    f(place, key, def);
    return true;
  }
};

template <class F>
void find(mnsScene& s, const char* name, const F& f) {
  ByName<F> visit{name, f};
  if (walk(s, visit)) return;
  Names names;
  walk(s, names);
  const std::string near = nearestSpelling(name, names.all);
  fail(MNS_ERROR_NOT_FOUND, "there is no parameter \"{}\"{}", name,
       near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near));
}

template <class Def>
void takeOver(mnsScene& s, const Place& place, const ParameterKey<Def>& key) {
  if (s.grid) return rebuildGrid(s);
  if (!s.running) return;
  if (key.limits) throwIfAny(mistakesInFigures(s.running->world));
  if (key.apply) key.apply(*s.running, place.order);
}

// Here and in the world, or nowhere.
template <class Def>
void change(mnsScene& s, const Place& place, const ParameterKey<Def>& key, Def& def, double value) {
  if constexpr (!std::is_same_v<Def, EmitterDef>) {  // whose speed takes the place of a rate
    const double before = key.get(def);
    key.set(def, value);
    try {
      takeOver(s, place, key);
    } catch (...) {
      key.set(def, before);
      throw;
    }
  } else {
    const Def before = def;
    key.set(def, value);
    try {
      takeOver(s, place, key);
    } catch (...) {
      def = before;
      throw;
    }
  }
}

}  // namespace

std::int32_t countParameters(mnsScene& s) {
  Count count;
  walk(s, count);
  return count.n;
}

mnsParameter parameterAt(mnsScene& s, std::int32_t k) {
  DescribeNumber visit{s, k};
  if (k < 0 || !walk(s, visit))
    fail(MNS_ERROR_INVALID_ARGUMENT, "there is no parameter {}; they go from 0 to {}", k, countParameters(s) - 1);
  return visit.found;
}

mnsParameter parameterOf(mnsScene& s, const char* name) {
  mnsParameter found{};
  find(s, name, [&](const Place& place, const auto& key, auto& def) { found = describe(s, place, key, def); });
  return found;
}

double valueOf(mnsScene& s, const char* name) {
  double value = 0;
  find(s, name, [&](const Place& place, const auto& key, auto& def) { value = valueNow(s, place, key, def); });
  return value;
}

void setParameter(mnsScene& s, const char* name, double value) {
  find(s, name, [&](const Place& place, const auto& key, auto& def) {
    needAccepted(name, key.quantity, value);
    const bool first = std::none_of(s.initialValues.begin(), s.initialValues.end(), [&](const auto& v) { return v.first == name; });
    if (first) s.initialValues.emplace_back(name, valueNow(s, place, key, def));
    try {
      change(s, place, key, def, value);
    } catch (...) {
      if (first) s.initialValues.pop_back();
      throw;
    }
  });
}

void forgetParameters(mnsScene& s, const std::string& prefix) noexcept {
  auto& list = s.initialValues;
  list.erase(
      std::remove_if(list.begin(), list.end(), [&](const auto& v) { return v.first.compare(0, prefix.size(), prefix) == 0; }),
      list.end());
}

}  // namespace meniscus::api
