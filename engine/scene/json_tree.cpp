#include "engine/scene/json_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <nlohmann/json.hpp>
#include <unordered_set>

namespace meniscus {

const JsonMember* JsonNode::find(const std::string& key) const {
  for (const JsonMember& m : members)
    if (m.key == key) return &m;
  return nullptr;
}

const char* kindName(JsonNode::Kind kind) {
  switch (kind) {
    case JsonNode::Kind::null:
      return "null";
    case JsonNode::Kind::boolean:
      return "true or false";
    case JsonNode::Kind::number:
      return "a number";
    case JsonNode::Kind::text:
      return "text";
    case JsonNode::Kind::array:
      return "a list";
    case JsonNode::Kind::object:
      return "an object";
  }
  return "";
}

namespace {

constexpr std::size_t kMaxDepth = 64;  // of nesting; a scene needs 8

// Turns byte offsets, asked for in ascending order, into lines and columns.
class Places {
 public:
  explicit Places(const std::string& text) : text_(text) {}
  SourceRef at(std::size_t offset) {
    if (offset < offset_) *this = Places(text_);
    for (; offset_ < offset && offset_ < text_.size(); ++offset_) {
      const unsigned char c = static_cast<unsigned char>(text_[offset_]);
      if (c == '\n') {
        ++ref_.line;
        ref_.column = 1;
      } else if ((c & 0xC0) != 0x80) {  // continuation bytes of UTF-8 take no column
        ++ref_.column;
      }
    }
    return ref_;
  }
  Places& operator=(const Places& o) {
    offset_ = o.offset_;
    ref_ = o.ref_;
    return *this;
  }
  Places(const Places&) = default;

 private:
  const std::string& text_;
  std::size_t offset_ = 0;
  SourceRef ref_{1, 1};
};

// Byte offsets at which the keys and values of the text start, in the order in which the parser reports them. Text that is no JSON
// gives offsets too; they are used only up to the parser's complaint.
std::vector<std::size_t> tokenStarts(const std::string& s) {
  std::vector<std::size_t> starts;
  std::size_t i = s.compare(0, 3, "\xEF\xBB\xBF") == 0 ? 3 : 0;
  while (i < s.size()) {
    const char c = s[i];
    if (c == '/' && i + 1 < s.size() && s[i + 1] == '/') {
      while (i < s.size() && s[i] != '\n') ++i;
    } else if (c == '/' && i + 1 < s.size() && s[i + 1] == '*') {
      const std::size_t end = s.find("*/", i + 2);
      i = end == std::string::npos ? s.size() : end + 2;
    } else if (c == '"') {
      starts.push_back(i++);
      while (i < s.size() && s[i] != '"') i += s[i] == '\\' ? 2 : 1;
      ++i;
    } else if (c == '{' || c == '[') {
      starts.push_back(i++);
    } else if (std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '+' || c == '.') {
      starts.push_back(i);
      while (i < s.size() && (std::isalnum(static_cast<unsigned char>(s[i])) || std::strchr("+-.", s[i]))) ++i;
    } else {
      ++i;
    }
  }
  return starts;
}

// The parser's events in document order; the k-th event belongs to the k-th token start.
class TreeBuilder : public nlohmann::json_sax<nlohmann::json> {
 public:
  TreeBuilder(const std::string& file, const std::string& text, JsonNode& root, Diagnostics& out)
      : file_(file), text_(text), starts_(tokenStarts(text)), places_(text), root_(root), out_(out) {}

  bool null() override { return add(JsonNode::Kind::null) != nullptr; }
  bool boolean(bool v) override {
    JsonNode* n = add(JsonNode::Kind::boolean);
    n->flag = v;
    return true;
  }
  bool number_integer(number_integer_t v) override { return number(double(v)); }
  bool number_unsigned(number_unsigned_t v) override { return number(double(v)); }
  bool number_float(number_float_t v, const string_t&) override { return number(v); }
  bool string(string_t& v) override {
    JsonNode* n = add(JsonNode::Kind::text);
    n->text = std::move(v);
    return true;
  }
  bool binary(binary_t&) override { return false; }  // does not occur in text
  bool start_object(std::size_t) override { return open(JsonNode::Kind::object); }
  bool start_array(std::size_t) override { return open(JsonNode::Kind::array); }
  bool end_object() override {
    seen_.pop_back();
    stack_.pop_back();
    return true;
  }
  bool end_array() override { return end_object(); }
  bool key(string_t& k) override {
    const SourceRef at = nextPlace();
    if (!seen_.back().insert(k).second) {
      const JsonMember* first = stack_.back()->find(k);
      out_.push_back(
          {file_, at.line, at.column, fmt::format("\"{}\" is given twice (first in line {}); remove one", k, first->line)});
    }
    stack_.back()->members.push_back({k, at.line, at.column, {}});
    return true;
  }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& e) override {
    std::string what = e.what();
    const std::size_t colon = what.find("column ");
    if (colon != std::string::npos)
      what = what.substr(std::min(what.size(), what.find(": ", colon) + 2));
    else if (what.find("] ") != std::string::npos)
      what = what.substr(what.find("] ") + 2);
    const std::size_t offset = position > 0 ? std::min(position - 1, text_.size()) : 0;
    const SourceRef at = places_.at(offset);
    out_.push_back({file_, at.line, at.column, what + remedy(offset, e.id == 406)});
    return false;
  }

 private:
  bool number(double v) {
    JsonNode* n = add(JsonNode::Kind::number);
    n->number = v;
    return true;
  }
  SourceRef nextPlace() {
    const std::size_t offset = next_ < starts_.size() ? starts_[next_] : text_.size();
    ++next_;
    return places_.at(offset);
  }
  JsonNode* add(JsonNode::Kind kind) {
    JsonNode* n = &root_;
    if (!stack_.empty()) {
      JsonNode& parent = *stack_.back();
      if (parent.kind == JsonNode::Kind::array) parent.items.emplace_back();
      n = parent.kind == JsonNode::Kind::array ? &parent.items.back() : &parent.members.back().value;
    }
    const SourceRef at = nextPlace();
    n->kind = kind;
    n->line = at.line;
    n->column = at.column;
    return n;
  }
  bool open(JsonNode::Kind kind) {
    JsonNode* n = add(kind);
    if (stack_.size() >= kMaxDepth) {
      out_.push_back({file_, n->line, n->column, fmt::format("nested more than {} deep; a scene needs far less", kMaxDepth)});
      return false;
    }
    stack_.push_back(n);  // stays where it is: its parent grows only after it is closed
    seen_.emplace_back();
    return true;
  }
  // What usually causes a complaint at this place.
  std::string remedy(std::size_t offset, bool overflow) const {
    if (text_.find('\0') != std::string::npos) return "; the file holds zero bytes; save it as text in UTF-8";
    std::size_t begin = std::min(offset, text_.size());
    while (begin > 0 && std::isalnum(static_cast<unsigned char>(text_[begin - 1]))) --begin;
    std::string word;
    for (std::size_t k = begin; k < text_.size() && k < begin + 4; ++k)
      word += char(std::tolower(static_cast<unsigned char>(text_[k])));
    if (overflow || word.compare(0, 3, "nan") == 0 || word.compare(0, 3, "inf") == 0)
      return "; numbers must be finite, NaN and infinity are not allowed";
    std::size_t i = std::min(offset, text_.size());
    while (i > 0 && std::isspace(static_cast<unsigned char>(text_[i - 1]))) --i;
    if (offset < text_.size() && (text_[offset] == '}' || text_[offset] == ']') && i > 0 && text_[i - 1] == ',')
      return "; remove the comma before the closing bracket";
    if (offset + 1 >= text_.size()) return "; the file ends too early";
    return "";
  }

  const std::string& file_;
  const std::string& text_;
  std::vector<std::size_t> starts_;
  std::size_t next_ = 0;
  Places places_;
  JsonNode& root_;
  Diagnostics& out_;
  std::vector<JsonNode*> stack_;
  std::vector<std::unordered_set<std::string>> seen_;  // keys of the open objects
};

}  // namespace

bool parseJson(const std::string& file, const std::string& text, JsonNode& root, Diagnostics& out) {
  root = JsonNode{};
  TreeBuilder builder(file, text, root, out);
  return nlohmann::json::sax_parse(text, &builder, nlohmann::json::input_format_t::json, true, true);
}

}  // namespace meniscus
