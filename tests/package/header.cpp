#include "tests/package/header.h"

#include <filesystem>
#include <regex>
#include <sstream>

#include "tests/package/shell.h"

namespace {

std::string withoutCommentsAndDirectives(std::string text) {
  text = std::regex_replace(text, std::regex(R"(/\*[^*]*\*+([^/*][^*]*\*+)*/)"), " ");
  text = std::regex_replace(text, std::regex(R"(\\\n)"), " ");
  return std::regex_replace(text, std::regex(R"((^|\n)[ \t]*#[^\n]*)"), "$1");
}

// The names declared by `const char* name`, `uint8_t a, b[2]` or `void (*f)(int)`.
void addFields(const std::string& declaration, std::vector<std::string>& fields) {
  static const std::regex pointer(R"(\(\s*\*\s*(\w+)\s*\))"), plain(R"((\w+)\s*(\[[^\]]*\]\s*)*(,|$))");
  std::smatch m;
  if (std::regex_search(declaration, m, pointer)) {
    fields.push_back(m[1]);
    return;
  }
  for (std::sregex_iterator it(declaration.begin(), declaration.end(), plain), end; it != end; ++it) fields.push_back((*it)[1]);
}

std::vector<std::string> cut(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, at);) parts.push_back(std::regex_replace(part, std::regex(R"(^\s+|\s+$)"), ""));
  return parts;
}

struct Layout {
  std::map<std::string, long> structs, constants;
  std::map<std::string, std::pair<long, long>> fields;  // "struct.field" -> offset, size
};

Layout readLayout(const std::string& text) {
  Layout layout;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string kind, name;
    long a = 0, b = 0;
    words >> kind >> name >> a >> b;
    if (kind == "struct") layout.structs[name] = a;
    if (kind == "field") layout.fields[name] = {a, b};
    if (kind == "constant") layout.constants[name] = a;
  }
  return layout;
}

}  // namespace

Header parseHeader(const std::string& source) {
  const std::string text = withoutCommentsAndDirectives(source);
  static const std::regex function(R"(MNS_API[^;{}()]*?\b(mns\w+)\s*\()"),
      record(R"(typedef\s+struct\s+\w+\s*\{([^{}]*)\}\s*(\w+)\s*;)"),
      enumeration(R"(typedef\s+enum\s+\w+\s*\{([^{}]*)\}\s*\w+\s*;)"), strided(R"((mns\w+)\s*\*\s*\w+\s*,\s*size_t\s+stride\b)");
  Header header;
  const std::sregex_iterator end;
  for (std::sregex_iterator it(text.begin(), text.end(), function); it != end; ++it) header.functions.insert((*it)[1]);
  for (std::sregex_iterator it(text.begin(), text.end(), record); it != end; ++it) {
    std::vector<std::string> fields;
    for (const std::string& declaration : cut((*it)[1], ';')) addFields(declaration, fields);
    if (!fields.empty() && fields[0] == "structSize") header.growing.insert((*it)[2]);
    header.structs.emplace_back((*it)[2], fields);
  }
  for (std::sregex_iterator it(text.begin(), text.end(), enumeration); it != end; ++it)
    for (const std::string& constant : cut((*it)[1], ','))
      if (!constant.empty()) header.constants.push_back(std::regex_replace(constant, std::regex(R"(\s*=[\s\S]*)"), ""));
  for (std::sregex_iterator it(text.begin(), text.end(), strided); it != end; ++it) header.growing.insert((*it)[1]);
  return header;
}

Header readHeaders() {
  std::set<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(MENISCUS_SOURCE_DIR "/engine/include/meniscus"))
    files.insert(entry.path());
  std::string text;
  for (const auto& file : files) text += readText(file);
  return parseHeader(text);
}

std::string layoutProgram(const Header& header) {
  std::string c =
      "#include \"meniscus/meniscus_cuda.h\"\n#include \"meniscus/meniscus_gl.h\"\n#include <stdio.h>\n#define FIELD(s, f) "
      "printf(\"field \" #s \".\" #f \" %d %d\\n\", "
      "(int)offsetof(s, f), "
      "(int)sizeof(((s*)0)->f))\nint main(void) {\n";
  for (const auto& [name, fields] : header.structs) {
    c += "  printf(\"struct " + name + " %d\\n\", (int)sizeof(" + name + "));\n";
    for (const std::string& field : fields) c += "  FIELD(" + name + ", " + field + ");\n";
  }
  for (const std::string& name : header.constants) c += "  printf(\"constant " + name + " %d\\n\", (int)" + name + ");\n";
  return c + "  return 0;\n}\n";
}

std::vector<std::string> layoutBreaks(const std::string& before, const std::string& now, const std::set<std::string>& growing) {
  const Layout old = readLayout(before), present = readLayout(now);
  std::vector<std::string> breaks;
  for (const auto& [name, size] : old.structs) {
    const auto it = present.structs.find(name);
    if (it == present.structs.end())
      breaks.push_back(name + " is gone");
    else if (it->second < size || (it->second > size && !growing.count(name)))
      breaks.push_back(name + " has " + std::to_string(it->second) + " bytes instead of " + std::to_string(size));
  }
  for (const auto& [name, place] : old.fields) {
    const auto it = present.fields.find(name);
    if (it == present.fields.end())
      breaks.push_back(name + " is gone");
    else if (it->second != place)
      breaks.push_back(name + " is at " + std::to_string(it->second.first) + ", " + std::to_string(it->second.second) +
                       " bytes, instead of at " + std::to_string(place.first) + ", " + std::to_string(place.second) + " bytes");
  }
  for (const auto& [name, place] : present.fields) {
    const auto s = old.structs.find(name.substr(0, name.find('.')));
    if (s != old.structs.end() && !old.fields.count(name) && place.first < s->second)
      breaks.push_back(name + " is new and not at the end: callers of before left " + std::to_string(s->second) + " bytes");
  }
  for (const auto& [name, value] : old.constants) {
    const auto it = present.constants.find(name);
    if (it == present.constants.end())
      breaks.push_back(name + " is gone");
    else if (it->second != value)
      breaks.push_back(name + " is " + std::to_string(it->second) + " instead of " + std::to_string(value));
  }
  return breaks;
}
