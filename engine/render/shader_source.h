// The text of shaders: those built in, or those of a folder, with `#include "name"` put in place.
#pragma once

#include <string>
#include <vector>

namespace meniscus::render {

struct EmbeddedShader {
  const char *name, *text;
};
extern const EmbeddedShader kEmbeddedShaders[];  // ends with a null name

// One shader ready for the compiler. Line numbers of the compiler's messages count in files[n] for its string n.
struct ShaderSource {
  std::string text;
  std::vector<std::string> files;
};

// folder "": those built in. Throws Error(input) naming file and line where a file is missing.
ShaderSource loadShader(const std::string& folder, const std::string& name);

// The compiler's log with "file:line:" in front of each of its messages; understands Mesa's 0:12(5): and NVIDIA's 0(12) :.
std::string placedLog(const ShaderSource& source, const std::string& log);

}  // namespace meniscus::render
