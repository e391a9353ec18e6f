// The frames of a run as pictures (the format "png"): frames/picture-00012.png in its folder, drawn as the scene asks to be seen.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "apps/cli/simulation.h"
#include "engine/offline/run.h"

namespace meniscus::cli {

bool hasPictures(const std::vector<std::string>& formats);
// Throws Error(input) where the format is named and this build cannot draw.
void checkPictures(const std::vector<std::string>& formats);

class FramePictures {
 public:
  // Of a scene that lives longer. memory: of the pictures before, where a run is resumed. Throws Error(deviceNotAvailable) without
  // OpenGL, with what was tried.
  FramePictures(mnsScene* scene, const std::string& folder, const std::string& memory);
  ~FramePictures();
  // The scene's present state. Throws Error(input) where the file cannot be written.
  void write(std::uint64_t number);
  // Ranges of colours and a camera found for the first picture, which stay.
  std::string memory() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// The same of a run of a grid method: a scene of the C interface takes its state and shows it.
class OfflinePictures {
 public:
  OfflinePictures(const SceneDef& scene, const std::string& folder, const std::string& memory)
      : shown_(scene, 1, ""), pictures_(shown_.scene(), folder, memory) {}
  void write(const offline::OfflineRun& run, std::uint64_t number);
  std::string memory() const { return pictures_.memory(); }

 private:
  Simulation shown_;
  FramePictures pictures_;
};

}  // namespace meniscus::cli
