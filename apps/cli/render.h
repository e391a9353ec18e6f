// meniscus render: a scene, or the frames of a run, as pictures or a film.
#pragma once

#include <string>

namespace meniscus::cli {

struct RenderOptions {
  std::string scene;  // a file, or the folder of a run
  std::string out;    // folder of frames, or a film; empty: a folder named after the scene or run
  std::string size = "1280x720";
  double framesPerSecond = 30;
  double speed = 1;             // simulated seconds a second of film
  double duration = -1;         // s simulated; -1: the scene's
  int threads = 0;              // 0: all processors
  std::string device = "auto";  // auto, cpu, cuda
  std::string fluid;            // surface, spheres, hidden; empty: the scene's
  std::string colour;           // none, speed ...; empty: the scene's
  std::string slice;            // of a grid: "y=0.5", "none"; empty: the scene's
  bool restart = false;         // begin anew where frames of other settings are
  bool keepFrames = false;      // of a film
  bool quiet = false;
};

// Exit status; mistakes leave as exceptions.
int render(const RenderOptions& options);

}  // namespace meniscus::cli
