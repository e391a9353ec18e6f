#include "engine/scene/table.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>

namespace meniscus {

std::string Range::text() const {
  const bool lower = lo > -kInfinity, upper = hi < kInfinity;
  if (lower && upper) return fmt::format("in {}{:g}, {:g}{}", loOpen ? '(' : '[', lo, hi, hiOpen ? ')' : ']');
  if (lower) return fmt::format("{} {:g}", loOpen ? ">" : ">=", lo);
  if (upper) return fmt::format("{} {:g}", hiOpen ? "<" : "<=", hi);
  return "finite";
}

namespace {

std::string inUnit(const char* unit) { return *unit ? fmt::format(" in {}", unit) : std::string(); }

// A text that starts like a number is a number with its unit or in quotes.
bool looksLikeQuantity(const std::string& t) {
  std::size_t i = t.find_first_not_of(" +-.");
  return i != std::string::npos && std::isdigit(static_cast<unsigned char>(t[i]));
}

}  // namespace

bool expectKind(Reader& r, const JsonNode& n, const std::string& what, JsonNode::Kind kind) {
  if (n.kind == kind) return true;
  r.error(n, fmt::format("\"{}\" is {}, but must be {}", what, kindName(n.kind), kindName(kind)));
  return false;
}

bool readNumber(Reader& r, const JsonNode& n, const std::string& what, const char* unit, const Range& range, double& out) {
  if (n.kind != JsonNode::Kind::number) {
    if (n.kind == JsonNode::Kind::text && looksLikeQuantity(n.text)) {
      r.error(n,
              fmt::format("\"{}\" is the text \"{}\"; give a bare number{}, without quotes or unit", what, n.text, inUnit(unit)));
    } else {
      r.error(n, fmt::format("\"{}\" is {}, but must be a number{}", what, kindName(n.kind), inUnit(unit)));
    }
    return false;
  }
  if (!std::isfinite(n.number)) {
    r.error(n, fmt::format("\"{}\" is not finite", what));
    return false;
  }
  if (std::abs(n.number) > kLargestNumber) {
    r.error(n, fmt::format("\"{}\" is {:g}; numbers beyond {:g} cannot be computed with", what, n.number, kLargestNumber));
    return false;
  }
  if (range.lo == 0 && range.loOpen && n.number > 0 && n.number < kSmallestPositive) {
    r.error(n,
            fmt::format("\"{}\" is {:g}; positive numbers below {:g} cannot be computed with", what, n.number, kSmallestPositive));
    return false;
  }
  if (!range.holds(n.number)) {
    r.error(n, fmt::format("\"{}\" is {:g}, but must be {}{}{}", what, n.number, range.text(), *unit ? " " : "", unit));
    return false;
  }
  out = n.number;
  return true;
}

bool readInteger(Reader& r, const JsonNode& n, const std::string& what, long long lo, long long hi, long long& out) {
  double v = 0;
  if (!readNumber(r, n, what, "", kAny, v)) return false;
  if (v != std::floor(v)) {
    r.error(n, fmt::format("\"{}\" is {:g}, but must be a whole number", what, v));
    return false;
  }
  if (v < double(lo) || v > double(hi)) {
    r.error(n, fmt::format("\"{}\" is {:.0f}, but must be in [{}, {}]", what, v, lo, hi));
    return false;
  }
  out = static_cast<long long>(v);
  return true;
}

bool readFlag(Reader& r, const JsonNode& n, const std::string& what, bool& out) {
  if (!expectKind(r, n, what, JsonNode::Kind::boolean)) return false;
  out = n.flag;
  return true;
}

bool readText(Reader& r, const JsonNode& n, const std::string& what, std::string& out) {
  if (!expectKind(r, n, what, JsonNode::Kind::text)) return false;
  out = n.text;
  return true;
}

bool readChoice(Reader& r, const JsonNode& n, const std::string& what, const std::vector<std::string>& choices, int& out) {
  if (!expectKind(r, n, what, JsonNode::Kind::text)) return false;
  const auto found = std::find(choices.begin(), choices.end(), n.text);
  if (found != choices.end()) {
    out = int(found - choices.begin());
    return true;
  }
  const std::string near = nearestSpelling(n.text, choices);
  r.error(n, near.empty() ? fmt::format("\"{}\" is \"{}\", but must be one of: {}", what, n.text, fmt::join(choices, ", "))
                          : fmt::format("\"{}\" is \"{}\"; did you mean \"{}\"?", what, n.text, near));
  return false;
}

bool readVector(Reader& r, const JsonNode& n, const std::string& what, const char* unit, const Range& range, double* out,
                int count) {
  if (n.kind != JsonNode::Kind::array || n.items.size() != std::size_t(count)) {
    const std::string got = n.kind == JsonNode::Kind::array ? fmt::format("a list of {}", n.items.size()) : kindName(n.kind);
    r.error(n, fmt::format("\"{}\" is {}, but must be a list of {} numbers{}", what, got, count, inUnit(unit)));
    return false;
  }
  double v[3] = {0, 0, 0};
  bool ok = true;
  for (int k = 0; k < count; ++k)
    ok = readNumber(r, n.items[std::size_t(k)], fmt::format("{}[{}]", what, k), unit, range, v[k]) && ok;
  if (ok) std::copy(v, v + count, out);
  return ok;
}

namespace {

struct Rotation : AxisAngle {
  double quaternion[4] = {1, 0, 0, 0};
};

const Table<Rotation>& rotationTable() {
  static const Table<Rotation> table = [] {
    Table<Rotation> t("rotation", "A rotation: axis and angle, or a quaternion.");
    t.vector("axis", &Rotation::axis, "", kAny, "Axis of rotation; any length but zero.")
        .number("degrees", &Rotation::degrees, "degrees", kAny, "Angle, counter-clockwise seen from the tip of the axis.")
        .add(
            "quaternion", optional, vectorSchema("", kAny, 4, "Unit quaternion, scalar first: w, x, y, z."),
            [](Reader& r, const JsonNode& n, Rotation& a) {
              if (n.kind != JsonNode::Kind::array || n.items.size() != 4) {
                r.error(n, "\"quaternion\" must be a list of 4 numbers: w, x, y, z");
                return;
              }
              for (int k = 0; k < 4; ++k)
                if (!readNumber(r, n.items[std::size_t(k)], fmt::format("quaternion[{}]", k), "", kAny, a.quaternion[k])) return;
            },
            [](const Rotation&) { return Json(); });
    return t;
  }();
  return table;
}

}  // namespace

bool readRotation(Reader& r, const JsonNode& n, const std::string& what, Quatd& out, AxisAngle* given) {
  Rotation a;
  const std::size_t before = r.out.size();
  rotationTable().read(r, n, a);
  if (r.out.size() != before) return false;
  const bool axis = n.find("axis"), degrees = n.find("degrees"), quaternion = n.find("quaternion");
  if (quaternion ? (axis || degrees) : !(axis && degrees)) {
    r.error(n, fmt::format("\"{}\" needs \"axis\" and \"degrees\", or \"quaternion\" alone", what));
    return false;
  }
  if (!quaternion) {
    if (norm(a.axis) < 1e-12) {
      r.error(n, fmt::format("\"{}\" has an axis of length zero; give a direction", what));
      return false;
    }
    constexpr double kPi = 3.14159265358979323846;
    out = Quatd::axisAngle(a.axis, a.degrees * kPi / 180);
    if (given) *given = a;
    return true;
  }
  const double* q = a.quaternion;
  const double length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  if (std::abs(length - 1) > 1e-3) {
    r.error(n, fmt::format("\"{}\" has a quaternion of length {:g}; it must be 1", what, length));
    return false;
  }
  out = {q[0], q[1], q[2], q[3]};
  // a quaternion that is a unit one to round-off stays as it is, so that saving and loading keeps every bit
  if (std::abs(length - 1) > 1e-12) out = out.normalizedQuat();
  return true;
}

Json toJson(const Vec3d& v) { return Json::array({v.x, v.y, v.z}); }
Json toJson(const Quatd& q) { return {{"quaternion", {q.w, q.x, q.y, q.z}}}; }

void checkKeys(Reader& r, const JsonNode& n, const ObjectSchema& schema) {
  std::vector<std::string> known;
  for (const ObjectSchema::Key& k : schema.keys) known.push_back(k.name);
  for (const JsonMember& m : n.members) {
    if (std::find(known.begin(), known.end(), m.key) != known.end()) continue;
    const std::string near = nearestSpelling(m.key, known);
    r.error(m.line, m.column,
            near.empty() ? fmt::format("unknown key \"{}\" in {}; known are: {}", m.key, schema.name, fmt::join(known, ", "))
                         : fmt::format("unknown key \"{}\" in {}; did you mean \"{}\"?", m.key, schema.name, near));
  }
  for (const ObjectSchema::Key& k : schema.keys)
    if (k.required && !n.find(k.name)) r.error(n, fmt::format("{} lacks the key \"{}\"; add it", schema.name, k.name));
  for (const std::vector<std::string>& group : schema.exactlyOne) {
    std::vector<std::string> there;
    for (const std::string& key : group)
      if (n.find(key)) there.push_back(key);
    if (there.empty()) r.error(n, fmt::format("{} needs one of the keys: {}", schema.name, fmt::join(group, ", ")));
    if (there.size() > 1)
      r.error(n, fmt::format("{} has \"{}\" and \"{}\", of which it may have only one", schema.name, there[0], there[1]));
  }
}

Json simpleSchema(const char* type, const std::string& help) { return {{"type", type}, {"description", help}}; }

// The unit ends the description, in brackets. Unit "integer" is a whole number.
Json numberSchema(const char* unit, const Range& range, const std::string& help) {
  const bool whole = std::string(unit) == "integer";
  Json j = {{"type", whole ? "integer" : "number"}};
  if (range.lo > -kInfinity) j[range.loOpen ? "exclusiveMinimum" : "minimum"] = range.lo;
  if (range.hi < kInfinity) j[range.hiOpen ? "exclusiveMaximum" : "maximum"] = range.hi;
  j["description"] = fmt::format("{} [{}]", help, whole || !*unit ? "1" : unit);
  return j;
}

Json vectorSchema(const char* unit, const Range& range, int count, const std::string& help) {
  Json items = numberSchema(unit, range, "");
  items.erase("description");
  return {{"type", "array"},
          {"items", items},
          {"minItems", count},
          {"maxItems", count},
          {"description", fmt::format("{} [{}]", help, *unit ? unit : "1")}};
}

Json choiceSchema(const std::vector<std::string>& choices, const std::string& help) {
  return {{"enum", choices}, {"description", help}};
}

Json rotationSchema(const std::string& help) { return {{"$ref", "#/definitions/rotation"}, {"description", help}}; }

namespace {

Json objectSchema(const ObjectSchema& o) {
  Json j = {{"type", "object"}, {"description", o.help}, {"additionalProperties", false}, {"properties", Json::object()}};
  std::vector<std::string> needed;
  for (const ObjectSchema::Key& k : o.keys) {
    j["properties"][k.name] = k.schema;
    if (k.required) needed.push_back(k.name);
  }
  if (!needed.empty()) j["required"] = needed;
  for (const std::vector<std::string>& group : o.exactlyOne) {
    Json one = Json::array();
    for (const std::string& key : group) one.push_back({{"required", {key}}});
    j["allOf"].push_back({{"oneOf", one}});
  }
  return j;
}

void define(const ObjectSchema& o, Json& definitions) {
  for (const ObjectSchema* child : o.children) {
    if (definitions.contains(child->name)) continue;
    definitions[child->name] = objectSchema(*child);
    define(*child, definitions);
  }
}

}  // namespace

Json schemaDocument(const ObjectSchema& root) {
  Json j = {{"$schema", "http://json-schema.org/draft-07/schema#"}, {"title", "Meniscus scene"}};
  j.update(objectSchema(root));
  Json definitions = Json::object();
  define(root, definitions);
  definitions["rotation"] = objectSchema(rotationTable().schema());
  j["definitions"] = definitions;
  return j;
}

}  // namespace meniscus
