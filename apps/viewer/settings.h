// What is remembered from one start to the next.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "apps/viewer/scene_view.h"
#include "apps/viewer/sim_thread.h"
#include "engine/render/camera.h"

namespace meniscus::viewer {

// Of a scene file. 0: the last one; 1 to 9: stored with Ctrl.
using Views = std::array<std::optional<render::Camera>, 10>;

struct FilmSettings {
  enum class Format { mp4, webm, gif, png };
  Format format = Format::mp4;
  int width = 1280, height = 720;
  int framesPerSecond = 30;
  int everyNth = 5;  // simulated step
  int frames = 0;    // to stop after; 0: until stopped
};

struct Settings : Shown {
  bool dark = true;  // the window; the studio's background is look.dark
  float fontScale = 1;
  int width = 0, height = 0;                                    // of the window, in pixels; 0: not chosen yet
  float leftWidth = 250, rightWidth = 330, bottomHeight = 210;  // of the panels, in points
  bool showLeft = true, showRight = true, showBottom = false;
  std::vector<std::string> recent;  // the latest first
  std::map<std::string, Views> views;
  bool automaticResolution = true;
  float resolution = 1;  // of the picture, where it is not automatic
  Pace pace;
  int rewindMegabytes = 512;
  std::string pictureFolder, sceneFolder;
  bool screenshotWithPanels = false;
  FilmSettings film;
};

// Defaults where nothing is kept yet or what is there cannot be read, which `note` then says.
Settings loadSettings(std::string& note);
// Throws Error(input) where it cannot be written.
void saveSettings(const Settings& settings);

void addRecent(Settings& settings, const std::string& path);

}  // namespace meniscus::viewer
