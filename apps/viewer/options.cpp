#include "apps/viewer/options.h"

#include <meniscus/meniscus.h>

#include <CLI/CLI.hpp>
#include <cstdio>

namespace meniscus::viewer {

bool readOptions(int argc, char** argv, Options& options, int& status) {
  CLI::App app{"Opens, runs and shows scenes of Meniscus.\n\nKeys in the window: F1 tells them all.", "meniscus-viewer"};
  std::string size;
  app.add_option("scene", options.scene, "Scene file (JSON) to open")->option_text("[SCENE.json]");
  app.add_option("--size", size, "Size of the window, for example 1280x720")->option_text("WxH");
  app.add_option("--threads", options.threads, "Threads that simulate; 0: all processors")->check(CLI::Range(0, 1024));
  std::string device = "auto";
  app.add_option("--device", device, "What simulates: auto, cpu or cuda; the menu Simulation says what there is")
      ->check(CLI::IsMember({"auto", "cpu", "cuda"}))
      ->capture_default_str();
  app.add_option("--shaders", options.shaders, "Folder of shaders to use; read again whenever a file in it changes")
      ->check(CLI::ExistingDirectory)
      ->option_text("DIR");
  app.add_option("--script", options.script,
                 "File of input to play and of what to expect; ends with status 1 where it does not hold")
      ->check(CLI::ExistingFile)
      ->option_text("FILE");
  app.set_version_flag("--version", std::string("meniscus-viewer ") + mnsGetVersionText());
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    status = app.exit(e) == 0 ? 0 : 2;
    return false;
  }
  options.device = device == "cpu" ? MNS_DEVICE_CPU : device == "cuda" ? MNS_DEVICE_CUDA : MNS_DEVICE_AUTO;
  char rest = 0;
  if (!size.empty() && (std::sscanf(size.c_str(), "%dx%d%c", &options.width, &options.height, &rest) != 2 || options.width < 640 ||
                        options.height < 400 || options.width > 16384 || options.height > 16384)) {
    std::fprintf(stderr, "meniscus-viewer: --size %s: give width and height, at least 640x400, as in --size 1280x720\n",
                 size.c_str());
    status = 2;
    return false;
  }
  return true;
}

}  // namespace meniscus::viewer
