// What the command line says.
#pragma once

#include <meniscus/meniscus.h>

#include <string>

namespace meniscus::viewer {

struct Options {
  std::string scene;
  int width = 0, height = 0;  // 0: as remembered
  int threads = 0;            // 0: all processors
  mnsDevice device = MNS_DEVICE_AUTO;
  std::string shaders;  // folder; empty: those built in
  std::string script;   // file of synthetic input; empty: none
};

// False where the program should end with `status` (help, version, a mistake; what there was to say has been printed).
bool readOptions(int argc, char** argv, Options& options, int& status);

}  // namespace meniscus::viewer
