// A JSON document (comments allowed) as a tree in which every value and key knows its line and column.
#pragma once

#include <string>
#include <vector>

#include "engine/scene/diagnostic.h"

namespace meniscus {

struct JsonMember;

struct JsonNode {
  enum class Kind { null, boolean, number, text, array, object };
  Kind kind = Kind::null;
  int line = 0, column = 0;  // from 1; columns count characters, not bytes
  bool flag = false;         // boolean
  double number = 0;
  std::string text;
  std::vector<JsonNode> items;      // array
  std::vector<JsonMember> members;  // object, in the order written, repeated keys included

  const JsonMember* find(const std::string& key) const;  // first of that name, or null
  SourceRef where() const { return {line, column}; }
};

struct JsonMember {
  std::string key;
  int line = 0, column = 0;  // of the key
  JsonNode value;
};

// "an object", "text" ...: what a message calls a value of this kind.
const char* kindName(JsonNode::Kind kind);

// Appends to `out` and returns false where the text is no JSON; repeated keys are appended too but do not stop the reading.
bool parseJson(const std::string& file, const std::string& text, JsonNode& root, Diagnostics& out);

}  // namespace meniscus
