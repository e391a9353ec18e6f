// The scene format as tables: one line a key. The same table reads a key with its checks, writes it, and describes it in the
// schema, so that the three cannot drift apart.
#pragma once

#include <fmt/format.h>

#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/scene/json_tree.h"

namespace meniscus {

using Json = nlohmann::ordered_json;

// Where the reader is and what it has found wrong.
struct Reader {
  std::string file;    // for messages
  std::string folder;  // mesh files are relative to it
  Diagnostics& out;
  std::set<const JsonNode*> refused = {};  // values with a mistake in them
  bool meshesInHand = false;               // mesh files are not looked for: their meshes are there already

  // Was there a mistake in the value of the key? What it left behind means nothing, and is no ground for a second message.
  bool spoilt(const JsonNode& object, const char* key) const {
    const JsonMember* m = object.find(key);
    return m && refused.count(&m->value) > 0;
  }
  void error(int line, int column, const std::string& text) { out.push_back({file, line, column, text}); }
  void error(const JsonNode& n, const std::string& text) { error(n.line, n.column, text); }
};

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Closed interval, or open where a bound is excluded.
struct Range {
  double lo = -kInfinity, hi = kInfinity;
  bool loOpen = false, hiOpen = false;
  bool holds(double v) const { return (loOpen ? v > lo : v >= lo) && (hiOpen ? v < hi : v <= hi); }
  std::string text() const;  // "> 0", "in [0, 1]" ...
};
inline constexpr Range kAny{};
inline constexpr Range kPositive{0, kInfinity, true, false};
inline constexpr Range kNotNegative{0, kInfinity, false, false};
inline constexpr Range kShare{0, 1, false, false};

// Numbers of a scene are computed with in single precision too: beyond these magnitudes their squares would not be finite, or zero.
constexpr double kLargestNumber = 1e18, kSmallestPositive = 1e-18;

// Single values. `what` is the key's name in messages, unit "" for pure numbers. False (with a message) where the value is refused.
bool readNumber(Reader& r, const JsonNode& n, const std::string& what, const char* unit, const Range& range, double& out);
bool readInteger(Reader& r, const JsonNode& n, const std::string& what, long long lo, long long hi, long long& out);
bool readFlag(Reader& r, const JsonNode& n, const std::string& what, bool& out);
bool readText(Reader& r, const JsonNode& n, const std::string& what, std::string& out);
bool readChoice(Reader& r, const JsonNode& n, const std::string& what, const std::vector<std::string>& choices, int& out);
bool readVector(Reader& r, const JsonNode& n, const std::string& what, const char* unit, const Range& range, double* out,
                int count);
// A rotation as axis and angle, which may be more than a turn. Axis zero: it was given otherwise, or not at all.
struct AxisAngle {
  Vec3d axis{};
  double degrees = 0;
};
// given (may be null): the same, where it is given as axis and angle.
bool readRotation(Reader& r, const JsonNode& n, const std::string& what, Quatd& out, AxisAngle* given = nullptr);
bool expectKind(Reader& r, const JsonNode& n, const std::string& what, JsonNode::Kind kind);

Json numberSchema(const char* unit, const Range& range, const std::string& help);
Json vectorSchema(const char* unit, const Range& range, int count, const std::string& help);
Json rotationSchema(const std::string& help);
Json choiceSchema(const std::vector<std::string>& choices, const std::string& help);
Json simpleSchema(const char* type, const std::string& help);
Json toJson(const Vec3d& v);
Json toJson(const Quatd& q);

// What the schema needs to know of an object, without its C++ type.
struct ObjectSchema {
  std::string name, help;
  // Of a key that is a number, or a list of them.
  struct Quantity {
    std::string unit;  // "" for pure numbers
    Range range;
    std::string help;
    bool whole = false;
  };
  struct Key {
    std::string name;
    Json schema;
    bool required;
    std::optional<Quantity> quantity = {};
  };
  std::vector<Key> keys;
  std::vector<std::vector<std::string>> exactlyOne;  // groups of keys of which one must be there
  std::vector<const ObjectSchema*> children;
};

// Unknown, missing and contradicting keys of object n.
void checkKeys(Reader& r, const JsonNode& n, const ObjectSchema& schema);

// The whole schema document of the object and all it contains.
Json schemaDocument(const ObjectSchema& root);

enum Need { optional, required };

template <class S>
class Table {
 public:
  Table(const char* name, const char* help) {
    schema_.name = name;
    schema_.help = help;
  }

  Table& number(const char* key, double S::*m, const char* unit, const Range& range, const char* help, Need need = optional) {
    return add(
               key, need, numberSchema(unit, range, help),
               [=](Reader& r, const JsonNode& n, S& s) { readNumber(r, n, key, unit, range, s.*m); },
               [=](const S& s) { return s.*m == S{}.*m && need == optional ? Json() : Json(s.*m); })
        .quantity(unit, range, help);
  }
  template <class I>
  Table& integer(const char* key, I S::*m, long long lo, const char* help, Need need = optional) {
    const long long hi = std::numeric_limits<I>::max();
    return add(
               key, need, numberSchema("integer", {double(lo), double(hi)}, help),
               [=](Reader& r, const JsonNode& n, S& s) {
                 long long v = 0;
                 if (readInteger(r, n, key, lo, hi, v)) s.*m = I(v);
               },
               [=](const S& s) { return s.*m == S{}.*m && need == optional ? Json() : Json(s.*m); })
        .quantity("", {double(lo), double(hi)}, help, true);
  }
  Table& flag(const char* key, bool S::*m, const char* help) {
    return add(
        key, optional, simpleSchema("boolean", help), [=](Reader& r, const JsonNode& n, S& s) { readFlag(r, n, key, s.*m); },
        [=](const S& s) { return s.*m == S{}.*m ? Json() : Json(s.*m); });
  }
  Table& text(const char* key, std::string S::*m, const char* help, Need need = optional) {
    return add(
        key, need, simpleSchema("string", help),
        [=](Reader& r, const JsonNode& n, S& s) {
          if (readText(r, n, key, s.*m) && need == required && (s.*m).empty())
            r.error(n, fmt::format("\"{}\" is empty; give it a name", key));
        },
        [=](const S& s) { return (s.*m).empty() ? Json() : Json(s.*m); });
  }
  // choices in the order of the enumeration's values
  template <class E>
  Table& choice(const char* key, E S::*m, const std::vector<std::string>& choices, const char* help, Need need = optional) {
    return add(
        key, need, choiceSchema(choices, help),
        [=](Reader& r, const JsonNode& n, S& s) {
          int v = 0;
          if (readChoice(r, n, key, choices, v)) s.*m = E(v);
        },
        [=](const S& s) { return s.*m == S{}.*m && need == optional ? Json() : Json(choices[std::size_t(s.*m)]); });
  }
  Table& vector(const char* key, Vec3d S::*m, const char* unit, const Range& range, const char* help, Need need = optional,
                int count = 3) {
    return add(
               key, need, vectorSchema(unit, range, count, help),
               [=](Reader& r, const JsonNode& n, S& s) {
                 double v[3] = {0, 0, 0};
                 if (readVector(r, n, key, unit, range, v, count)) s.*m = {v[0], v[1], v[2]};
               },
               [=](const S& s) {
                 if (s.*m == S{}.*m && need == optional) return Json();
                 Json j = toJson(s.*m);
                 if (count == 2) j.erase(2);
                 return j;
               })
        .quantity(unit, range, help);
  }
  Table& rotation(const char* key, Quatd S::*m, const char* help) {
    return add(
        key, optional, rotationSchema(help), [=](Reader& r, const JsonNode& n, S& s) { readRotation(r, n, key, s.*m); },
        [=](const S& s) { return (s.*m).w == 1 ? Json() : toJson(s.*m); });
  }
  template <class T>
  Table& object(const char* key, T S::*m, const Table<T>& t, const char* help, Need need = optional) {
    schema_.children.push_back(&t.schema());
    Json schema = {{"$ref", "#/definitions/" + t.schema().name}, {"description", help}};
    const Table<T>* table = &t;
    return add(
        key, need, schema, [=](Reader& r, const JsonNode& n, S& s) { table->read(r, n, s.*m); },
        [=](const S& s) {
          Json j = table->write(s.*m);
          return j.empty() && need == optional ? Json() : j;
        });
  }
  template <class T>
  Table& list(const char* key, std::vector<T> S::*m, const Table<T>& t, const char* help, Need need = optional) {
    schema_.children.push_back(&t.schema());
    Json schema = {{"type", "array"}, {"items", {{"$ref", "#/definitions/" + t.schema().name}}}, {"description", help}};
    const Table<T>* table = &t;
    return add(
        key, need, schema,
        [=](Reader& r, const JsonNode& n, S& s) {
          (s.*m).clear();
          if (!expectKind(r, n, key, JsonNode::Kind::array)) return;
          for (const JsonNode& item : n.items) {
            (s.*m).emplace_back();
            table->read(r, item, (s.*m).back());
          }
        },
        [=](const S& s) {
          Json j = Json::array();
          for (const T& item : s.*m) j.push_back(table->write(item));
          return j.empty() ? Json() : j;
        });
  }
  // The key's value is an object whose keys fill S itself: {"box": {"size": ...}}.
  Table& part(const char* key, const Table<S>& t, std::function<void(S&)> chosen, std::function<bool(const S&)> isChosen,
              const char* help) {
    schema_.children.push_back(&t.schema());
    Json schema = {{"$ref", "#/definitions/" + t.schema().name}, {"description", help}};
    const Table<S>* table = &t;
    return add(
        key, optional, schema,
        [=](Reader& r, const JsonNode& n, S& s) {
          chosen(s);
          table->read(r, n, s);
        },
        [=](const S& s) { return isChosen(s) ? table->write(s) : Json(); });
  }
  // read(reader, value, s); write gives null to leave the key out
  Table& add(const char* key, Need need, Json schema, std::function<void(Reader&, const JsonNode&, S&)> read,
             std::function<Json(const S&)> write) {
    schema_.keys.push_back({key, std::move(schema), need == required, {}});
    access_.push_back({std::move(read), std::move(write)});
    return *this;
  }
  // Of the key added last.
  Table& quantity(const std::string& unit, const Range& range, const std::string& help, bool whole = false) {
    schema_.keys.back().quantity = ObjectSchema::Quantity{unit, range, help, whole};
    return *this;
  }
  // Another way to write a key.
  Table& writeAs(const std::string& key, std::function<Json(const S&)> write) {
    access_[indexOf(key)].write = std::move(write);
    return *this;
  }
  Table& exactlyOne(std::vector<std::string> keys) {
    schema_.exactlyOne.push_back(std::move(keys));
    return *this;
  }
  // Runs after the keys of an object have been read, also where some of them were refused (Reader::spoilt).
  Table& check(std::function<void(Reader&, const JsonNode&, S&)> f) {
    checks_.push_back(std::move(f));
    return *this;
  }
  Table& where(SourceRef S::*m) {
    return check([=](Reader&, const JsonNode& n, S& s) { s.*m = n.where(); });
  }

  void read(Reader& r, const JsonNode& n, S& s) const {
    if (!expectKind(r, n, schema_.name, JsonNode::Kind::object)) return;
    checkKeys(r, n, schema_);
    for (std::size_t k = 0; k < access_.size(); ++k) {
      const JsonMember* member = n.find(schema_.keys[k].name);
      if (!member) continue;
      const std::size_t before = r.out.size();
      access_[k].read(r, member->value, s);
      if (r.out.size() != before) r.refused.insert(&member->value);
    }
    for (const auto& f : checks_) f(r, n, s);
  }
  Json write(const S& s) const {
    Json j = Json::object();
    for (std::size_t k = 0; k < access_.size(); ++k) {
      Json value = access_[k].write(s);
      if (!value.is_null()) j[schema_.keys[k].name] = std::move(value);
    }
    return j;
  }
  // One key of the table, for tables that take keys over from another.
  void readKey(const std::string& key, Reader& r, const JsonNode& n, S& s) const { access_[indexOf(key)].read(r, n, s); }
  Json writeKey(const std::string& key, const S& s) const { return access_[indexOf(key)].write(s); }
  void adoptChild(const ObjectSchema& child) { schema_.children.push_back(&child); }
  void adoptChildren(const ObjectSchema& of) {
    schema_.children.insert(schema_.children.end(), of.children.begin(), of.children.end());
  }
  const ObjectSchema& schema() const { return schema_; }

 private:
  struct Access {
    std::function<void(Reader&, const JsonNode&, S&)> read;
    std::function<Json(const S&)> write;
  };
  std::size_t indexOf(const std::string& key) const {
    std::size_t k = 0;
    while (schema_.keys[k].name != key) ++k;
    return k;
  }

  ObjectSchema schema_;
  std::vector<Access> access_;
  std::vector<std::function<void(Reader&, const JsonNode&, S&)>> checks_;
};

}  // namespace meniscus
