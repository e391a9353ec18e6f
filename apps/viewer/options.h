// What the command line says.
#pragma once

#include <string>

namespace meniscus::viewer {

struct Options {
  std::string scene;
  int width = 0, height = 0;  // 0: as remembered
  int threads = 0;            // 0: all processors
  std::string shaders;        // folder; empty: those built in
  std::string script;         // file of synthetic input; empty: none
};

// False where the program should end with `status` (help, version, a mistake; what there was to say has been printed).
bool readOptions(int argc, char** argv, Options& options, int& status);

}  // namespace meniscus::viewer
