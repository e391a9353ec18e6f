#include "engine/render/shader_source.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

#include "engine/base/error.h"

namespace meniscus::render {

namespace {

// False where there is no such shader.
bool readShader(const std::string& folder, const std::string& name, std::string& text) {
  if (folder.empty()) {
    for (const EmbeddedShader* s = kEmbeddedShaders; s->name; ++s) {
      if (name == s->name) {
        text = s->text;
        return true;
      }
    }
    return false;
  }
  std::ifstream in(folder + "/" + name);
  std::stringstream all;
  all << in.rdbuf();
  text = all.str();
  return in.good() && !text.empty();
}

std::string shown(const std::string& folder, const std::string& name) {
  return folder.empty() ? "shaders/" + name : folder + "/" + name;
}

// Appends the lines of `name`; each file once, as #pragma once would have it.
void append(const std::string& folder, const std::string& name, const std::string& from, ShaderSource& out) {
  const std::string file = shown(folder, name);
  if (std::find(out.files.begin(), out.files.end(), file) != out.files.end()) return;
  std::string text;
  if (!readShader(folder, name, text)) throw Error(ErrorKind::input, from + "the shader " + file + " cannot be read");
  const std::string number = std::to_string(out.files.size());
  out.files.push_back(file);
  out.text += "#line 1 " + number + "\n";
  std::istringstream lines(text);
  std::string line;
  for (int n = 1; std::getline(lines, line); ++n) {
    static const char kInclude[] = "#include \"";
    const std::size_t end = line.find('"', sizeof kInclude - 1);
    if (line.compare(0, sizeof kInclude - 1, kInclude) == 0 && end != std::string::npos) {
      const std::string included = line.substr(sizeof kInclude - 1, end - (sizeof kInclude - 1));
      append(folder, included, file + ":" + std::to_string(n) + ": ", out);
      out.text += "#line " + std::to_string(n + 1) + " " + number + "\n";
    } else {
      out.text += line + "\n";
    }
  }
}

// Reads "12:34(" or "12(34)" at `p`: the string's number and the line in it.
bool readPlace(const char* p, unsigned long& string, unsigned long& line) {
  char* end = nullptr;
  string = std::strtoul(p, &end, 10);
  if (end == p || (*end != ':' && *end != '(')) return false;
  const char* second = end + 1;
  line = std::strtoul(second, &end, 10);
  return end != second && (*end == '(' || *end == ')' || *end == ':');
}

}  // namespace

ShaderSource loadShader(const std::string& folder, const std::string& name) {
  ShaderSource source;
  source.text = "#version 430 core\n";
  append(folder, name, "", source);
  return source;
}

std::string placedLog(const ShaderSource& source, const std::string& log) {
  std::istringstream lines(log);
  std::string line, out;
  while (std::getline(lines, line)) {
    unsigned long string = 0, number = 0;
    if (readPlace(line.c_str(), string, number) && string < source.files.size()) {
      const std::size_t colon = line.find(": ", line.find(')') == std::string::npos ? 0 : line.find(')'));
      out += source.files[string] + ":" + std::to_string(number) + ": " +
             (colon == std::string::npos ? line : line.substr(colon + 2)) + "\n";
    } else if (!line.empty()) {
      out += line + "\n";
    }
  }
  if (!out.empty()) out.pop_back();
  return out;
}

}  // namespace meniscus::render
